// Charts of values: the samples of a run, the runs of an experiment.

#include "analyzers/as_double.h"
#include "analyzers/figures.h"
#include "analyzers/pass_times.h"
#include "analyzers/summary.h"
#include "capture/model/units.h"
#include "report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kvprof::report {

using analyzers::Align;
using analyzers::Unit;

std::optional<Chart> sample_chart(const Run& run) {
    const auto step = analyzers::untraced_step(run);
    if (!step) {
        return std::nullopt;
    }
    OrderChart data{Unit::nanoseconds, "sample", {{"samples", {}, step->value}}};
    analyzers::Table table({{"sample", Align::right}, {"a step", Align::right}, {"discarded"}});
    for (const Sample& sample : run.samples) {
        if (sample.replays <= 0) {
            continue;
        }
        const double value =
            analyzers::as_double(sample.gpu_time) / analyzers::as_double(sample.replays);
        const std::string words = format_duration_ns(value);
        const std::string why = sample.discarded.value_or("");
        data.series[0].points.push_back(
            {sample.ordinal + 1,
             value,
             why.empty() ? words : fmt::format("{}, discarded: {}", words, why),
             sample.discarded.has_value()}
        );
        table.add({std::to_string(sample.ordinal + 1), words, why});
    }
    std::string summary = fmt::format(
        "{} samples in the order in which they were taken; their median is {}.",
        data.series[0].points.size(),
        format_duration_ns(step->value)
    );
    return Chart{
        "The step's time, sample by sample", std::move(summary), std::move(data), std::move(table)};
}

std::optional<Chart> variant_chart(const Experiment& experiment) {
    StripChart data{Unit::nanoseconds, {}};
    for (const Run& run : experiment.runs) {
        const auto step = analyzers::untraced_step(run);
        if (run.status.state != RunState::complete || !step) {
            continue;
        }
        const std::string label = analyzers::variant_name(run.variant);
        auto row = std::find_if(data.rows.begin(), data.rows.end(), [&](const auto& known) {
            return known.label == label;
        });
        if (row == data.rows.end()) {
            row = data.rows.insert(row, {label, {}, {}, 0.0});
        }
        row->values.push_back(step->value);
    }
    if (data.rows.empty()) {
        return std::nullopt;
    }
    analyzers::Table table(
        {{"variant"},
         {"runs", Align::right},
         {"least", Align::right},
         {"median", Align::right},
         {"most", Align::right}}
    );
    std::size_t runs = 0;
    for (StripChart::Row& row : data.rows) {
        const auto summary = analyzers::summarise(row.values);
        row.median = summary->median;
        row.words = fmt::format(
            "{}, {} run{}", format_duration_ns(row.median), summary->n, summary->n == 1 ? "" : "s"
        );
        runs += summary->n;
        table.add(
            {analyzers::Cell::code(row.label),
             std::to_string(summary->n),
             format_duration_ns(summary->min),
             format_duration_ns(summary->median),
             format_duration_ns(summary->max)}
        );
    }
    const std::size_t variants = data.rows.size();
    data.rows.resize(std::min(variants, kMostDrawn));
    std::string summary = fmt::format(
        "The step's time of {} complete runs, a dot each, of {} variants.", runs, variants
    );
    return Chart{
        "The step's time by variant", std::move(summary), std::move(data), std::move(table)};
}

} // namespace kvprof::report
