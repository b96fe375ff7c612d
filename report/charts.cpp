#include "report/charts.h"

#include "analyzers/change_words.h"
#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/imported_runs.h"
#include "analyzers/metrics_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Align;
using analyzers::Comparison;
using analyzers::Delta;
using analyzers::Interval;
using analyzers::Verdict;

constexpr double kPercent = 100.0;

std::string in_case(const std::string& cell, const std::string& name) {
    return cell.empty() ? name : cell + ": " + name;
}

/// Percent of the base by which the row changed; nothing where the base is 0 or unknown.
std::optional<double> change_of(const Delta& row) {
    if (row.test && row.test->is_ratio) {
        return (row.test->estimate - 1.0) * kPercent;
    }
    if (row.test && row.base.summary && row.base.summary->median != 0.0) {
        return row.test->estimate / std::abs(row.base.summary->median) * kPercent;
    }
    return row.ratio ? std::optional((*row.ratio - 1.0) * kPercent) : std::nullopt;
}

/// What turns a bound of the row's test, or its limit, into percent of the base.
double percent_of_base(const Delta& row, double value, double at_rest) {
    if (row.test->is_ratio) {
        return (value - at_rest) * kPercent;
    }
    return value / std::abs(row.base.summary->median) * kPercent;
}

IntervalChart::Row interval_row(const Comparison& comparison, const Delta& row, double change) {
    IntervalChart::Row shown;
    shown.label = in_case(comparison.cell, row.id);
    shown.words = analyzers::change_cell(row) + ", " + analyzers::verdict_cell(row);
    shown.verdict = *row.verdict;
    shown.change = change;
    shown.is_primary = row.is_primary;
    if (row.test && analyzers::has_interval(*row.test)) {
        shown.interval = Interval{
            percent_of_base(row, row.test->low, 1.0), percent_of_base(row, row.test->high, 1.0)};
    }
    if (row.test && row.threshold) {
        shown.limit = percent_of_base(row, *row.threshold, 0.0);
    }
    return shown;
}

/// A row of which both sides say the same and whose interval, if there is one, has no width.
bool is_equal(const Delta& row) {
    return row.difference.value_or(0.0) == 0.0 && row.base.summary && row.candidate.summary
           && row.base.summary->min == row.base.summary->max
           && row.candidate.summary->min == row.candidate.summary->max;
}

/// A judged row that can be drawn, and the case that it is of.
struct Drawn {
    const Comparison* comparison = nullptr;
    const Delta* row = nullptr;
    double change = 0.0;
};

std::vector<Drawn> drawn_rows(const std::vector<Comparison>& cases) {
    std::vector<Drawn> drawn;
    for (const Comparison& comparison : cases) {
        for (const Delta& row : comparison.deltas) {
            const std::optional<double> change = change_of(row);
            if (row.verdict && change && std::isfinite(*change) && !is_equal(row)) {
                drawn.push_back({&comparison, &row, *change});
            }
        }
    }
    std::stable_sort(drawn.begin(), drawn.end(), [](const Drawn& a, const Drawn& b) {
        return std::abs(a.change) > std::abs(b.change);
    });
    return drawn;
}

std::size_t count_judged(const std::vector<Comparison>& cases) {
    std::size_t judged = 0;
    for (const Comparison& comparison : cases) {
        judged += static_cast<std::size_t>(std::count_if(
            comparison.deltas.begin(),
            comparison.deltas.end(),
            [](const Delta& row) { return row.verdict.has_value(); }
        ));
    }
    return judged;
}

/// The run's own value of the metric: its only one, or the median of its samples.
std::optional<double> value_of_run(const Run& run, std::string_view id) {
    for (const analyzers::Series& series : analyzers::metrics_of(run)) {
        if (series.id == id) {
            const auto summary = analyzers::summarise(series.values);
            return summary ? std::optional(summary->median) : std::nullopt;
        }
    }
    return std::nullopt;
}

struct Measured {
    const Run* run = nullptr;
    std::size_t side = 0;
    double value = 0.0;
    bool is_odd = false;
};

void add_runs(
    std::vector<Measured>& measured,
    const analyzers::Side& side,
    const analyzers::SideValues& values,
    const std::string& id
) {
    const std::size_t number = measured.empty() ? 0 : 1;
    for (std::size_t i = 0; i < side.runs.size(); ++i) {
        // Of a stored baseline the values are of occasions, and so are the odd ones.
        const bool is_odd = values.values.size() == side.runs.size()
                            && std::find(values.outliers.begin(), values.outliers.end(), i)
                                   != values.outliers.end();
        if (const auto value = value_of_run(side.runs[i], id)) {
            measured.push_back({&side.runs[i], number, *value, is_odd});
        }
    }
}

constexpr std::array<std::string_view, 2> kSides{"base", "candidate"};

bool is_of_import(const Measured& one) {
    return analyzers::is_imported(*one.run);
}

/// Base and candidate as they were measured. Of profiles nobody knows when they were captured:
/// those of a side stay together, since positions count within one import.
void sort_by_order(std::vector<Measured>& measured) {
    std::stable_sort(measured.begin(), measured.end(), [](const Measured& a, const Measured& b) {
        const bool is_by_side = is_of_import(a) && is_of_import(b);
        const auto key = [&](const Measured& one) {
            const std::size_t side = is_by_side ? one.side : 0;
            return std::tuple(std::string_view(one.run->started_at), side, one.run->position);
        };
        return key(a) < key(b);
    });
}

Chart order_chart_of(std::vector<Measured> measured, const Delta& row) {
    sort_by_order(measured);
    OrderChart data{row.metric->unit, "run", {{"base", {}, 0.0}, {"candidate", {}, 0.0}}};
    analyzers::Table table(
        {{"order", Align::right}, {"side"}, {"run"}, {row.id, Align::right}, {"remark"}}
    );
    std::int64_t order = 0;
    for (const Measured& each : measured) {
        const std::string value = analyzers::format_value(row.metric->unit, each.value);
        const std::string side(kSides.at(each.side));
        const std::string run = analyzers::short_id(each.run->uuid);
        const std::string remark = each.is_odd ? "looks odd" : "";
        data.series[each.side].points.push_back(
            {++order,
             each.value,
             fmt::format("{}{}{}", value, each.is_odd ? ", " : "", remark),
             each.is_odd}
        );
        table.add({std::to_string(order), side, analyzers::Cell::code(run), value, remark});
    }
    data.series[0].median = row.base.summary->median;
    data.series[1].median = row.candidate.summary->median;
    const auto median = [&](std::size_t side) {
        return analyzers::format_value(row.metric->unit, data.series[side].median);
    };
    std::string summary = fmt::format(
        "{} runs in the order {}: the base's median is {}, the candidate's {}.",
        measured.size(),
        std::any_of(measured.begin(), measured.end(), is_of_import) ? "of import"
                                                                    : "in which they were measured",
        median(0),
        median(1)
    );
    return {row.id + ", run by run", std::move(summary), std::move(data), std::move(table)};
}

void add_if(std::vector<Chart>& charts, std::optional<Chart> chart) {
    if (chart) {
        charts.push_back(std::move(*chart));
    }
}

ChartGroup group_of(const Comparison& comparison) {
    ChartGroup group{comparison.cell, {}};
    for (const Delta& row : comparison.deltas) {
        if (row.is_primary) {
            add_if(group.charts, run_order_chart(comparison, row));
        }
    }
    add_if(group.charts, ledger_chart(comparison));
    add_if(group.charts, kernel_chart(comparison));
    add_if(group.charts, memory_chart(comparison));
    return group;
}

ChartGroup group_of(const Run& run) {
    ChartGroup group;
    add_if(group.charts, ledger_chart(run));
    add_if(group.charts, sample_chart(run));
    add_if(group.charts, kernel_chart(run));
    add_if(group.charts, memory_chart(run));
    return group;
}

ChartGroup group_of(const Experiment& experiment) {
    ChartGroup group;
    if (experiment.kind == ExperimentKind::sweep) {
        group.charts = law_charts(experiment);
        return group;
    }
    add_if(group.charts, variant_chart(experiment));
    return group;
}

} // namespace

std::optional<Chart> interval_chart(const std::vector<Comparison>& cases) {
    const std::vector<Drawn> drawn = drawn_rows(cases);
    if (drawn.empty()) {
        return std::nullopt;
    }
    IntervalChart data;
    analyzers::Table table(
        {{"metric"},
         {"base", Align::right},
         {"candidate", Align::right},
         {analyzers::interval_title(cases.front()), Align::right},
         {"limit", Align::right},
         {"verdict"}}
    );
    for (const Drawn& each : drawn) {
        const Delta& row = *each.row;
        if (data.rows.size() < kMostDrawn) {
            data.rows.push_back(interval_row(*each.comparison, row, each.change));
        }
        table.add(
            {analyzers::Cell::code(in_case(each.comparison->cell, row.id)),
             analyzers::side_cell(row.base, *row.metric),
             analyzers::side_cell(row.candidate, *row.metric),
             analyzers::change_cell(row),
             analyzers::limit_words(row),
             analyzers::verdict_cell(row)}
        );
    }
    std::string summary = fmt::format(
        "{} of {} judged rows by falling change. The others are equal on both sides, or have no "
        "base to compare with. The scale is linear to 0.1 % and logarithmic beyond.",
        data.rows.size(),
        count_judged(cases)
    );
    return Chart{"Changes", std::move(summary), std::move(data), std::move(table)};
}

std::optional<Chart> run_order_chart(const Comparison& comparison, const Delta& row) {
    if (row.metric == nullptr || row.metric->kind != analyzers::MetricKind::sampled
        || !row.base.summary || !row.candidate.summary) {
        return std::nullopt;
    }
    std::vector<Measured> measured;
    add_runs(measured, comparison.base, row.base, row.id);
    if (measured.empty()) {
        return std::nullopt;
    }
    add_runs(measured, comparison.candidate, row.candidate, row.id);
    if (measured.back().side == 0) {
        return std::nullopt;
    }
    return order_chart_of(std::move(measured), row);
}

std::vector<ChartGroup> charts_of(const Report& report) {
    std::vector<ChartGroup> groups;
    if (const auto* const run = std::get_if<Run>(&report.subject)) {
        groups.push_back(group_of(*run));
    } else if (const auto* const experiment = std::get_if<Experiment>(&report.subject)) {
        groups.push_back(group_of(*experiment));
    } else {
        const std::vector<Comparison>& cases = std::get<Judged>(report.subject).gate.cases;
        ChartGroup changes;
        if (!cases.empty()) {
            add_if(changes.charts, interval_chart(cases));
        }
        groups.push_back(std::move(changes));
        const std::size_t drawn = std::min(cases.size(), kMostDrawnCases);
        std::transform(
            cases.begin(),
            std::next(cases.begin(), static_cast<std::ptrdiff_t>(drawn)),
            std::back_inserter(groups),
            [](const Comparison& comparison) { return group_of(comparison); }
        );
    }
    groups.erase(
        std::remove_if(
            groups.begin(),
            groups.end(),
            [](const ChartGroup& group) { return group.charts.empty(); }
        ),
        groups.end()
    );
    return groups;
}

} // namespace kvprof::report
