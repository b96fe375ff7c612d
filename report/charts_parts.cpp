// Charts of what a step is made of: its time, its kernels and its memory.

#include "analyzers/as_double.h"
#include "analyzers/change_words.h"
#include "analyzers/pass_times.h"
#include "analyzers/run_sections.h"
#include "analyzers/time_ledger.h"
#include "capture/model/units.h"
#include "report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Align;
using analyzers::Estimate;
using analyzers::Interval;
using analyzers::LedgerLine;
using analyzers::Unit;

/// Parts of a change that are drawn one by one; the smaller ones are one bar.
constexpr std::size_t kMostParts = 12;

/// A bar from where the last one ended.
WaterfallChart::Bar
next_bar(const WaterfallChart& chart, std::string label, std::string words, const Estimate& part) {
    const double from = chart.bars.empty() ? 0.0 : chart.bars.back().to;
    WaterfallChart::Bar bar{std::move(label), std::move(words), from, from + part.value, {}, false};
    if (part.interval) {
        bar.interval = Interval{from + part.interval->low, from + part.interval->high};
    }
    return bar;
}

WaterfallChart::Bar total_bar(std::string label, std::string words, const Estimate& total) {
    return {std::move(label), std::move(words), 0.0, total.value, total.interval, true};
}

/// |change| from which on a part has a bar of its own.
double least_drawn(const std::vector<LedgerLine>& lines) {
    std::vector<double> changes;
    for (const LedgerLine& line : lines) {
        changes.push_back(std::abs(line.change.value));
    }
    std::sort(changes.begin(), changes.end(), std::greater<>());
    return changes.size() > kMostParts + 1 ? changes[kMostParts - 1] : 0.0;
}

WaterfallChart change_waterfall(const analyzers::LedgerDelta& ledger) {
    WaterfallChart chart;
    chart.is_change = true;
    const double least = least_drawn(ledger.lines);
    std::size_t small = 0;
    Estimate others;
    for (const LedgerLine& line : ledger.lines) {
        if (std::abs(line.change.value) < least) {
            ++small;
            others.value += line.change.value;
        } else {
            chart.bars.push_back(
                next_bar(chart, line.name, analyzers::time_change_words(line.change), line.change)
            );
        }
    }
    if (small > 0) {
        chart.bars.push_back(next_bar(
            chart,
            fmt::format("{} smaller parts", small),
            analyzers::signed_time(others.value),
            others
        ));
    }
    chart.bars.push_back(
        total_bar("traced step", analyzers::time_change_words(ledger.traced), ledger.traced)
    );
    if (ledger.untraced) {
        chart.bars.push_back(total_bar(
            "step without a tracer",
            analyzers::time_change_words(*ledger.untraced),
            *ledger.untraced
        ));
    }
    return chart;
}

/// "new", "gone", or the change in words.
std::string pair_change(const PairChart::Row& row, Unit unit) {
    if (row.base && row.candidate) {
        return analyzers::signed_value(unit, *row.candidate - *row.base);
    }
    return row.base ? "gone" : "new";
}

std::string pair_value(const std::optional<double>& value, Unit unit) {
    return value ? analyzers::format_value(unit, *value) : "-";
}

/// "2.00 GiB -> 1.00 GiB (-1.00 GiB)", "new, 3.00 us", "gone, was 2.00 us".
std::string pair_words(const PairChart::Row& row, Unit unit) {
    if (!row.base) {
        return "new, " + pair_value(row.candidate, unit);
    }
    if (!row.candidate) {
        return "gone, was " + pair_value(row.base, unit);
    }
    return fmt::format(
        "{} -> {} ({})",
        pair_value(row.base, unit),
        pair_value(row.candidate, unit),
        pair_change(row, unit)
    );
}

double size_of(const PairChart::Row& row) {
    return std::max(row.base.value_or(0.0), row.candidate.value_or(0.0));
}

/// Whether it is new, gone, or another size by over 1 %.
bool has_changed(const PairChart::Row& row) {
    constexpr double kSmall = 0.01;
    return row.base.has_value() != row.candidate.has_value()
           || std::abs(*row.candidate - *row.base) > kSmall * size_of(row);
}

/// Leaves to the table what is neither among the largest nor changed.
void keep_drawn(PairChart& data) {
    constexpr std::ptrdiff_t kLargest = 16;
    if (std::ssize(data.rows) > kLargest) {
        const bool is_pair = data.sides.size() == 2;
        const auto is_left_out = [&](const PairChart::Row& row) {
            return !is_pair || !has_changed(row);
        };
        const auto first = std::next(data.rows.begin(), kLargest);
        data.rows.erase(std::remove_if(first, data.rows.end(), is_left_out), data.rows.end());
    }
    data.rows.resize(std::min(data.rows.size(), kMostDrawn));
}

/// Sorts the rows, puts words to them, and leaves those that have no room to the table.
Chart pair_chart_of(std::string title, std::string what, PairChart data) {
    std::stable_sort(
        data.rows.begin(),
        data.rows.end(),
        [](const PairChart::Row& a, const PairChart::Row& b) { return size_of(a) > size_of(b); }
    );
    const bool is_pair = data.sides.size() == 2;
    std::vector<analyzers::Column> columns{{what}, {data.sides.front(), Align::right}};
    if (is_pair) {
        columns.insert(
            columns.end(), {{data.sides.back(), Align::right}, {"change", Align::right}}
        );
    }
    analyzers::Table table(std::move(columns));
    for (PairChart::Row& row : data.rows) {
        const std::string base = pair_value(row.base, data.unit);
        if (is_pair) {
            row.words = pair_words(row, data.unit);
            table.add(
                {analyzers::Cell::code(row.label),
                 base,
                 pair_value(row.candidate, data.unit),
                 pair_change(row, data.unit)}
            );
        } else {
            row.words = base;
            table.add({analyzers::Cell::code(row.label), base});
        }
    }
    const std::size_t all = data.rows.size();
    keep_drawn(data);
    std::string summary = fmt::format(
        "{} of {} by falling size; the largest is {}, {}.",
        data.rows.size(),
        all,
        data.rows.front().label,
        data.rows.front().words
    );
    return {std::move(title), std::move(summary), std::move(data), std::move(table)};
}

std::string kernel_label(std::string_view name, std::optional<OpKind> op) {
    const std::string label = analyzers::short_kernel_name(name);
    return op ? fmt::format("{} ({})", label, to_string(*op)) : label;
}

std::optional<double> unless_zero(double value) {
    return value > 0.0 ? std::optional(value) : std::nullopt;
}

/// Bytes of each buffer that kvprof asked for, the most of any run: "table (tables)" -> bytes.
std::map<std::string, double> buffers_of(const std::vector<Run>& runs) {
    std::map<std::string, double> buffers;
    for (const Run& run : runs) {
        std::map<std::string, double> of_run;
        for (const MemoryStat& stat : run.memory) {
            if (stat.source == MemorySource::ledger) {
                of_run[fmt::format("{} ({})", stat.name, stat.group)] +=
                    analyzers::as_double(stat.bytes.count);
            }
        }
        for (const auto& [name, bytes] : of_run) {
            buffers[name] = std::max(buffers[name], bytes);
        }
    }
    return buffers;
}

} // namespace

std::optional<Chart> ledger_chart(const analyzers::Comparison& comparison) {
    if (!comparison.ledger) {
        return std::nullopt;
    }
    const analyzers::LedgerDelta& ledger = *comparison.ledger;
    analyzers::Table table(
        {{"part"},
         {"base, a step", Align::right},
         {"candidate", Align::right},
         {"change", Align::right}}
    );
    double base = 0.0;
    double candidate = 0.0;
    for (const LedgerLine& line : ledger.lines) {
        base += line.base;
        candidate += line.candidate;
        table.add(
            {line.name,
             format_duration_ns(line.base),
             format_duration_ns(line.candidate),
             analyzers::time_change_words(line.change)}
        );
    }
    table.add(
        {"= traced step",
         format_duration_ns(base),
         format_duration_ns(candidate),
         analyzers::time_change_words(ledger.traced)}
    );
    if (ledger.untraced) {
        table.add({"step without a tracer", "", "", analyzers::time_change_words(*ledger.untraced)}
        );
    }
    std::string summary = fmt::format(
        "Parts of the traced step's change, from {} to {}: {}.",
        format_duration_ns(base),
        format_duration_ns(candidate),
        analyzers::time_change_words(ledger.traced)
    );
    return Chart{
        "What the step's change is made of",
        std::move(summary),
        change_waterfall(ledger),
        std::move(table)};
}

std::optional<Chart> ledger_chart(const Run& run) {
    const auto ledger = analyzers::time_ledger(run);
    if (!ledger) {
        return std::nullopt;
    }
    constexpr double kPercent = 100.0;
    const double step = ledger->traced.value;
    WaterfallChart chart;
    analyzers::Table table({{"part"}, {"a step", Align::right}, {"of the step", Align::right}});
    for (const analyzers::TimeLine& line : ledger->parts) {
        const std::string name = analyzers::name_of(line);
        const std::string time = format_duration_ns(line.ns.value);
        const std::string share =
            step > 0.0 ? fmt::format("{:.1f} %", line.ns.value / step * kPercent) : "-";
        chart.bars.push_back(next_bar(chart, name, fmt::format("{}, {}", time, share), line.ns));
        table.add({name, time, share});
    }
    chart.bars.push_back(total_bar("traced step", format_duration_ns(step), ledger->traced));
    table.add({"= traced step", format_duration_ns(step), ""});
    std::string summary = fmt::format(
        "Where the {} of a traced step go, in the order of the step; {} steps were traced.",
        format_duration_ns(step),
        format_count(ledger->steps)
    );
    return Chart{
        "Where the step's time goes", std::move(summary), std::move(chart), std::move(table)};
}

std::optional<Chart> kernel_chart(const analyzers::Comparison& comparison) {
    PairChart data{Unit::nanoseconds, {"base", "candidate"}, {}};
    for (const analyzers::KernelDelta& kernel : comparison.kernels) {
        const auto base = unless_zero(kernel.base_median);
        const auto candidate = unless_zero(kernel.candidate_median);
        if (base || candidate) {
            data.rows.push_back({kernel_label(kernel.name, kernel.op), {}, base, candidate});
        }
    }
    if (data.rows.empty()) {
        return std::nullopt;
    }
    return pair_chart_of("Kernels by time a step", "kernel", std::move(data));
}

std::optional<Chart> kernel_chart(const Run& run) {
    const PassResult* const nodes = analyzers::measured_pass(run, Pass::nodes);
    if (nodes == nullptr || nodes->steps <= 0) {
        return std::nullopt;
    }
    // Launch geometries of one kernel add up.
    std::map<std::string, double> totals;
    for (const KernelStat& kernel : run.kernels) {
        totals[kernel_label(kernel.name, kernel.op)] += analyzers::as_double(kernel.time);
    }
    PairChart data{Unit::nanoseconds, {"a step"}, {}};
    for (const auto& [label, total] : totals) {
        if (total > 0.0) {
            data.rows.push_back({label, {}, total / analyzers::as_double(nodes->steps), {}});
        }
    }
    if (data.rows.empty()) {
        return std::nullopt;
    }
    return pair_chart_of("Kernels by time a step", "kernel", std::move(data));
}

std::optional<Chart> memory_chart(const analyzers::Comparison& comparison) {
    const auto base = buffers_of(comparison.base.runs);
    const auto candidate = buffers_of(comparison.candidate.runs);
    std::map<std::string, PairChart::Row> rows;
    for (const auto& [name, bytes] : base) {
        rows[name].base = unless_zero(bytes);
    }
    for (const auto& [name, bytes] : candidate) {
        rows[name].candidate = unless_zero(bytes);
    }
    PairChart data{Unit::bytes, {"base", "candidate"}, {}};
    for (auto& [name, row] : rows) {
        row.label = name;
        if (row.base || row.candidate) {
            data.rows.push_back(std::move(row));
        }
    }
    if (data.rows.empty()) {
        return std::nullopt;
    }
    return pair_chart_of("Memory by buffer", "buffer", std::move(data));
}

std::optional<Chart> memory_chart(const Run& run) {
    PairChart data{Unit::bytes, {"bytes"}, {}};
    for (const auto& [name, bytes] : buffers_of({run})) {
        if (bytes > 0.0) {
            data.rows.push_back({name, {}, bytes, {}});
        }
    }
    if (data.rows.empty()) {
        return std::nullopt;
    }
    return pair_chart_of("Memory by buffer", "buffer", std::move(data));
}

} // namespace kvprof::report
