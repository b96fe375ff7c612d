#include "analyzers/profile_sections.h"

#include "analyzers/as_double.h"
#include "analyzers/metrics_of.h"
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

double steps_of(const Run& run) {
    double steps = 0.0;
    for (const ProfileRank& rank : run.profile->ranks) {
        steps += as_double(static_cast<std::int64_t>(rank.steps.size()));
    }
    return steps;
}

std::optional<double> figure_of(const ProfileRank& rank, std::string_view name) {
    const auto found =
        std::find_if(rank.figures.begin(), rank.figures.end(), [&](const ProfileFigure& figure) {
            return figure.name == name;
        });
    return found == rank.figures.end() ? std::nullopt : std::optional(as_double(found->value));
}

/// "+456", "-6.11 ms".
std::string signed_value(Unit unit, double change) {
    if (change == 0.0) {
        return "0";
    }
    return (change > 0.0 ? "+" : "-") + format_value(unit, std::abs(change));
}

std::string value_cell(std::string_view name, std::optional<double> value) {
    return value ? format_value(metric(name).unit, *value) : "n/a";
}

/// Steps of all ranks, when all runs of both sides have equally many.
std::optional<double> common_steps(const Comparison& comparison) {
    const double steps = steps_of(comparison.base.runs.front());
    for (const Side* side : {&comparison.base, &comparison.candidate}) {
        for (const Run& run : side->runs) {
            if (steps_of(run) != steps) {
                return std::nullopt;
            }
        }
    }
    return steps > 0.0 ? std::optional(steps) : std::nullopt;
}

void add_total(const Delta& delta, std::optional<double> steps, Table& table) {
    if (!delta.base.summary && !delta.candidate.summary) {
        return;
    }
    const auto cell = [&](const SideValues& side) {
        return side.summary ? format_value(delta.metric->unit, side.summary->median) : "n/a";
    };
    std::string change = "n/a";
    std::string percent = "n/a";
    std::string of_step = "n/a";
    if (delta.difference) {
        change = signed_value(delta.metric->unit, *delta.difference);
        if (delta.ratio) {
            percent = fmt::format("{:+.1f} %", (*delta.ratio - 1.0) * 100.0);
        }
        if (steps) {
            of_step = signed_value(delta.metric->unit, *delta.difference / *steps);
        }
    }
    table.add({delta.id, cell(delta.base), cell(delta.candidate), change, percent, of_step});
}

Section totals_section(const Comparison& comparison) {
    const std::optional<double> steps = common_steps(comparison);
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
                add_total(delta, steps, table);
            }
        }
    }
    Section section{"totals over ranks; wall of the longest rank", std::move(table), {}};
    if (!steps) {
        section.lines.emplace_back("a step and rank: the sides have no, or not equally many, steps"
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

Section steps_section(const Run& run) {
    constexpr std::size_t kMost = 64;
    Table table(
        {{"rank"},
         {"step", Align::right},
         {"name", Align::left, Fit::elided},
         {"start", Align::right},
         {"period", Align::right},
         {"launches", Align::right},
         {"graph launches", Align::right},
         {"kernels", Align::right},
         {"kernel time", Align::right}}
    );
    std::size_t count = 0;
    for (const ProfileRank& rank : run.profile->ranks) {
        for (std::size_t i = 0; i < rank.steps.size(); ++i) {
            const ProfileStep& step = rank.steps[i];
            if (++count > kMost) {
                continue;
            }
            table.add(
                {rank.rank.empty() ? "-" : rank.rank,
                 fmt::format("{}", i),
                 step.name.empty() ? "-" : step.name,
                 format_duration_ns(as_double(step.start)),
                 format_duration_ns(as_double(step.duration)),
                 format_count(step.launches),
                 format_count(step.graph_launches),
                 format_count(step.kernels),
                 format_duration_ns(as_double(step.kernel_sum))}
            );
        }
    }
    Section section{"steps", std::move(table), {run.profile->step_rule}};
    if (count > kMost) {
        section.lines.push_back(fmt::format("{} more are in --format json", count - kMost));
    }
    return section;
}

/// Kernels, copies and fills by full name, in order of falling time.
Section kernels_section(const Run& run) {
    constexpr std::size_t kMost = 40;
    Table table(
        {{"kernel", Align::left, Fit::elided},
         {"launches", Align::right},
         {"time", Align::right},
         {"of all", Align::right},
         {"shortest", Align::right},
         {"longest", Align::right}}
    );
    std::vector<const KernelStat*> kernels;
    double all = 0.0;
    for (const KernelStat& kernel : run.kernels) {
        kernels.push_back(&kernel);
        all += as_double(kernel.time);
    }
    std::stable_sort(kernels.begin(), kernels.end(), [](const KernelStat* a, const KernelStat* b) {
        return a->time > b->time;
    });
    for (std::size_t i = 0; i < std::min(kernels.size(), kMost); ++i) {
        const KernelStat& kernel = *kernels[i];
        const double share = all > 0.0 ? as_double(kernel.time) / all * 100.0 : 0.0;
        table.add(
            {Cell::code(kernel.name),
             format_count(kernel.launches),
             format_duration_ns(as_double(kernel.time)),
             fmt::format("{:.1f} %", share),
             format_duration_ns(as_double(kernel.shortest)),
             format_duration_ns(as_double(kernel.longest))}
        );
    }
    Section section{"kernels", std::move(table), {}};
    if (kernels.size() > kMost) {
        section.lines.push_back(fmt::format("{} more are in --format json", kernels.size() - kMost)
        );
    }
    return section;
}

} // namespace

bool is_imported(const Run& run) {
    return run.profile.has_value();
}

bool compares_profiles(const Comparison& comparison) {
    const auto holds_profiles = [](const Side& side) {
        return !side.runs.empty() && std::all_of(side.runs.begin(), side.runs.end(), is_imported);
    };
    return holds_profiles(comparison.base) && holds_profiles(comparison.candidate);
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
        steps_section(run),
        kernels_section(run),
        std::move(carried)};
}

} // namespace kvprof::analyzers
