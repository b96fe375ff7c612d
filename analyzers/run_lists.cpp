#include "analyzers/run_lists.h"

#include "analyzers/as_double.h"
#include "analyzers/imported_runs.h"
#include "analyzers/kernel_sides.h"
#include "analyzers/missing_timeline.h"
#include "capture/model/profile_figures.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

Table steps_table(Fit names) {
    return Table(
        {{"rank"},
         {"step", Align::right},
         {"name", Align::left, names},
         {"start", Align::right},
         {"length", Align::right},
         {"launches", Align::right},
         {"graph launches", Align::right},
         {"kernels", Align::right},
         {"kernel time", Align::right}}
    );
}

std::string or_dash(const std::string& text) {
    return text.empty() ? "-" : text;
}

std::vector<std::vector<Cell>> profile_rows(const Profile& profile) {
    std::vector<std::vector<Cell>> rows;
    for (const ProfileRank& rank : profile.ranks) {
        std::size_t place = 0;
        for (const ProfileStep& step : rank.steps) {
            rows.push_back(
                {or_dash(rank.rank),
                 fmt::format("{}", place++),
                 or_dash(step.name),
                 format_duration_ns(as_double(step.start)),
                 format_duration_ns(as_double(step.duration)),
                 format_count(step.launches),
                 format_count(step.graph_launches),
                 format_count(step.kernels),
                 format_duration_ns(as_double(step.kernel_sum))}
            );
        }
    }
    return rows;
}

std::vector<std::vector<Cell>> traced_rows(const Run& run) {
    std::vector<std::vector<Cell>> rows;
    for (const StepRecord& step : run.step_records) {
        rows.push_back(
            {"-",
             fmt::format("{}", step.step),
             "-",
             "-",
             format_duration_ns(as_double(step.span)),
             "-",
             "-",
             format_count(step.records),
             format_duration_ns(as_double(step.busy_sum))}
        );
    }
    return rows;
}

/// Of a run of kvprof's own.
std::string why_untraced(const Run& run) {
    const Missing missing = missing_nodes(run).value_or(Missing{
        "its nodes pass saw no record", "kvprof doctor says what tracing needs"});
    return missing.hint.empty() ? missing.cause : missing.cause + "; " + missing.hint;
}

std::string why_no_steps(const Run& run) {
    if (!is_imported(run)) {
        return "no steps: " + why_untraced(run);
    }
    return fmt::format(
        "no steps: the profile was imported with the rule \"{}\"; kvprof import --steps "
        "annotation:NAME takes the ranges whose names begin with NAME",
        run.profile->step_rule
    );
}

std::string why_no_kernels(const Run& run) {
    if (!is_imported(run)) {
        return "no kernels: " + why_untraced(run);
    }
    if (total_of(*run.profile, "graph_trace.count") > 0) {
        return "no kernels: the profile has whole replays of graphs; nsys profile "
               "--cuda-graph-trace=node records what ran in them";
    }
    return "no kernels: the profile has no GPU work; capture again with the activities of the GPU";
}

/// The first rows; `more` says how many were left out.
Section section_of(
    const char* title, Table table, std::vector<std::vector<Cell>> rows, const Extent& extent
) {
    Section section{title, std::nullopt, {}};
    const std::size_t shown = std::min(rows.size(), extent.rows);
    for (std::size_t i = 0; i < shown; ++i) {
        table.add(std::move(rows[i]));
    }
    section.table = std::move(table);
    if (rows.size() > shown) {
        section.lines.push_back(
            fmt::format("{} more: kvprof show REF --{} has all", rows.size() - shown, title)
        );
    }
    return section;
}

} // namespace

std::vector<const KernelStat*> kernels_by_time(const Run& run) {
    std::vector<const KernelStat*> kernels;
    for (const KernelStat& kernel : run.kernels) {
        kernels.push_back(&kernel);
    }
    std::stable_sort(kernels.begin(), kernels.end(), [](const KernelStat* a, const KernelStat* b) {
        return a->time > b->time;
    });
    return kernels;
}

Section steps_list(const Run& run, const Extent& extent) {
    std::vector<std::vector<Cell>> rows =
        is_imported(run) ? profile_rows(*run.profile) : traced_rows(run);
    if (rows.empty()) {
        return {"steps", std::nullopt, {why_no_steps(run)}};
    }
    Section section = section_of("steps", steps_table(extent.names), std::move(rows), extent);
    section.lines.insert(
        section.lines.begin(),
        is_imported(run) ? run.profile->step_rule
                         : "of the nodes pass, as traced: kernels with copies and fills"
    );
    return section;
}

Section kernels_list(const Run& run, const Extent& extent) {
    if (run.kernels.empty()) {
        return {"kernels", std::nullopt, {why_no_kernels(run)}};
    }
    double all = 0.0;
    for (const KernelStat& kernel : run.kernels) {
        all += as_double(kernel.time);
    }
    std::vector<Column> columns{
        {"launches", Align::right},
        {"time", Align::right},
        {"of all", Align::right},
        {"shortest", Align::right},
        {"longest", Align::right}};
    if (!is_imported(run)) {
        columns.push_back({"op"});
    }
    // A whole name may have thousands of letters: behind the figures it moves none of them.
    const auto place = [&](const auto& row) {
        return extent.names == Fit::elided ? row.begin() : row.end();
    };
    columns.insert(place(columns), {"kernel", Align::left, extent.names});
    std::vector<std::vector<Cell>> rows;
    for (const KernelStat* kernel : kernels_by_time(run)) {
        const double share = all > 0.0 ? as_double(kernel->time) / all * 100.0 : 0.0;
        std::vector<Cell>& row = rows.emplace_back(std::vector<Cell>{
            format_count(kernel->launches),
            format_duration_ns(as_double(kernel->time)),
            fmt::format("{:.1f} %", share),
            format_duration_ns(as_double(kernel->shortest)),
            format_duration_ns(as_double(kernel->longest))});
        if (!is_imported(run)) {
            row.emplace_back(
                fmt::format("{} ({})", op_words(kernel->op), to_string(kernel->placement))
            );
        }
        row.insert(place(row), Cell::code(full_name(*kernel)));
    }
    return section_of("kernels", Table(columns), std::move(rows), extent);
}

Section list_of(const Run& run, RunList list) {
    switch (list) {
    case RunList::steps: return steps_list(run);
    case RunList::kernels: return kernels_list(run);
    }
    return {};
}

} // namespace kvprof::analyzers
