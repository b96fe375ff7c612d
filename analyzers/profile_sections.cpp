#include "analyzers/profile_sections.h"

#include "analyzers/as_double.h"
#include "analyzers/imported_runs.h"
#include "analyzers/metrics_of.h"
#include "analyzers/profile_windows.h"
#include "analyzers/run_lists.h"
#include "capture/model/profile_figures.h"
#include "capture/model/units.h"
#include "stats/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace kvprof::analyzers {

namespace {

/// Totals that say most, in this order; further calls follow by name.
constexpr std::array<std::string_view, 16> kTotals{
    "gpu.kernel.sum",
    "gpu.kernel.union",
    "gpu.busy",
    "span.wall",
    "gpu.kernel.count",
    "api.launch",
    "api.cudaLaunchKernel",
    "api.graph_launch",
    "api.memcpy",
    "api.sync",
    "cpu_op.top",
    "cpu_op.inclusive",
    "kernels.eager.count",
    "kernels.graph.count",
    "kernels.orphan.count",
    "graph_trace.count"};

constexpr std::array<std::string_view, 6> kOfRank{
    "gpu.kernel.count", "gpu.kernel.sum", "gpu.busy", "span.wall", "api.launch", "cpu_op.top"};

/// Steps that a total of a run is of: of all ranks, or of one alone for a span.
double steps_of(const Run& run, bool is_span) {
    if (!is_span) {
        return as_double(steps_in_window(*run.profile));
    }
    std::int64_t most = 0;
    for (const ProfileRank& rank : run.profile->ranks) {
        const std::int64_t skipped = figure_of(rank, "steps.skipped").value_or(0);
        most = std::max(most, std::ssize(rank.steps) + skipped);
    }
    return as_double(most);
}

/// "+456", "-6.11 ms".
std::string signed_value(Unit unit, double change) {
    if (change == 0.0) {
        return "0";
    }
    return (change > 0.0 ? "+" : "-") + format_value(unit, std::abs(change));
}

std::string value_cell(std::string_view name, std::optional<std::int64_t> value) {
    return value ? format_value(metric(name).unit, as_double(*value)) : "n/a";
}

/// The median of a side's totals, each over its steps; nothing where a run has none.
std::optional<double> of_step(const Side& side, const SideValues& totals, bool is_span) {
    std::vector<double> values;
    for (std::size_t i = 0; i < side.runs.size() && i < totals.values.size(); ++i) {
        const double steps = steps_of(side.runs[i], is_span);
        if (steps > 0.0) {
            values.push_back(totals.values[i] / steps);
        }
    }
    const bool has_all = !values.empty() && values.size() == side.runs.size();
    return has_all ? std::optional(stats::median(std::move(values))) : std::nullopt;
}

/// "+9.50": the difference of a step and rank.
std::string step_cell(const Delta& delta, const Comparison& comparison) {
    const bool is_span = delta.id.starts_with("span.");
    const double steps = steps_of(comparison.base.runs.front(), is_span);
    const bool is_alike = !windows_of(comparison.base, comparison.candidate).differ;
    if (is_alike && steps > 0.0 && delta.difference) { // exact where the steps divide it
        return signed_value(delta.metric->unit, *delta.difference / steps);
    }
    const auto base = of_step(comparison.base, delta.base, is_span);
    const auto candidate = of_step(comparison.candidate, delta.candidate, is_span);
    return base && candidate ? signed_value(delta.metric->unit, *candidate - *base) : "n/a";
}

void add_total(const Delta& delta, const Comparison& comparison, Table& table) {
    if (!delta.base.summary && !delta.candidate.summary) {
        return;
    }
    const auto cell = [&](const SideValues& side) {
        return side.summary ? format_value(delta.metric->unit, side.summary->median) : "n/a";
    };
    std::string change = "n/a";
    std::string percent = "n/a";
    if (delta.difference) {
        change = signed_value(delta.metric->unit, *delta.difference);
        if (delta.ratio) {
            percent = fmt::format("{:+.1f} %", (*delta.ratio - 1.0) * 100.0);
        }
    }
    table.add(
        {delta.id,
         cell(delta.base),
         cell(delta.candidate),
         change,
         percent,
         step_cell(delta, comparison)}
    );
}

Section totals_section(const Comparison& comparison) {
    Table table(
        {{"total"},
         {"base", Align::right},
         {"candidate", Align::right},
         {"difference", Align::right},
         {"of the base", Align::right},
         {"a step and rank", Align::right}}
    );
    for (const std::string_view name : kTotals) {
        for (const Delta& delta : comparison.deltas) {
            if (delta.id == name) {
                add_total(delta, comparison, table);
            }
        }
    }
    Section section{"totals over ranks; wall of the longest rank", std::move(table), {}};
    const Windows windows = windows_of(comparison.base, comparison.candidate);
    if (!windows.have_steps) {
        section.lines.emplace_back("a step and rank: not all captures have steps");
    } else if (windows.differ) {
        section.lines.emplace_back(
            "the sides have other numbers of steps or ranks: compare a step and rank, not totals"
        );
    }
    return section;
}

void add_ranks(const Run& run, std::string_view side, Table& table) {
    for (const ProfileRank& rank : run.profile->ranks) {
        std::vector<Cell> cells;
        if (!side.empty()) {
            cells.emplace_back(std::string(side));
        }
        cells.emplace_back(rank.rank.empty() ? "-" : rank.rank);
        cells.emplace_back(rank.file);
        cells.emplace_back(fmt::format("{}", rank.steps.size()));
        for (const std::string_view name : kOfRank) {
            cells.emplace_back(value_cell(name, figure_of(rank, name)));
        }
        table.add(std::move(cells));
    }
}

Table rank_table(bool has_sides) {
    std::vector<Column> columns{{"rank"}, {"file"}, {"steps", Align::right}};
    if (has_sides) {
        columns.insert(columns.begin(), {"side"});
    }
    for (const std::string_view name : kOfRank) {
        columns.push_back({std::string(name), Align::right});
    }
    return Table(columns);
}

Section ranks_section(const Comparison& comparison) {
    Table table = rank_table(true);
    for (const Run& run : comparison.base.runs) {
        add_ranks(run, "base", table);
    }
    for (const Run& run : comparison.candidate.runs) {
        add_ranks(run, "candidate", table);
    }
    return {"ranks", std::move(table), {}};
}

} // namespace

bool compares_profiles(const Comparison& comparison) {
    return are_imported(comparison.base.runs) && are_imported(comparison.candidate.runs);
}

std::string describe_profile(const Run& run) {
    const Profile& profile = *run.profile;
    std::size_t most = 0;
    for (const ProfileRank& rank : profile.ranks) {
        most = std::max(most, rank.steps.size());
    }
    return fmt::format(
        "{}{}, {} rank{}, {} step{} a rank ({})",
        profile.is_partial ? "partial: " : "",
        profile.writer,
        profile.ranks.size(),
        profile.ranks.size() == 1 ? "" : "s",
        most,
        most == 1 ? "" : "s",
        profile.step_rule
    );
}

std::vector<Section> profile_comparison_sections(const Comparison& comparison) {
    return {totals_section(comparison), ranks_section(comparison)};
}

std::vector<Section> profile_sections(const Run& run) {
    constexpr std::size_t kMostSteps = 64;
    constexpr std::size_t kMostKernels = 40;
    Table totals({{"total"}, {"value", Align::right}});
    for (const Series& series : metrics_of(run)) {
        if (series.metric->is_of_profile && series.id.find("step.") != 0) {
            totals.add({series.id, format_value(series.metric->unit, series.values.front())});
        }
    }
    Table ranks = rank_table(false);
    add_ranks(run, "", ranks);
    Section carried{"carried", Table({{"facts"}, {"state"}}), {}};
    for (const ProfileCapability& capability : run.profile->capabilities) {
        carried.table->add({capability.name, std::string(to_string(capability.state))});
    }
    return {
        {"totals over ranks; spans of the longest rank", std::move(totals), {}},
        {"ranks", std::move(ranks), {}},
        steps_list(run, {kMostSteps, Fit::elided}),
        kernels_list(run, {kMostKernels, Fit::elided}),
        std::move(carried)};
}

} // namespace kvprof::analyzers
