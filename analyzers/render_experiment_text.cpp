#include "analyzers/figures.h"
#include "analyzers/limits.h"
#include "analyzers/render_text.h"
#include "analyzers/text_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

/// "16/16", "16/16 + 2 void": runs that took the place of void ones count once.
std::string complete_cell(const ListingRow& row) {
    const std::string cell = fmt::format("{}/{}", row.complete_runs, row.runs - row.void_runs);
    return row.void_runs == 0 ? cell : fmt::format("{} + {} void", cell, row.void_runs);
}

std::string kind_of(ExperimentKind kind) {
    return kind == ExperimentKind::matrix ? "" : std::string(to_string(kind));
}

} // namespace

std::string experiment_text(const Experiment& experiment) {
    const std::string kind = kind_of(experiment.kind);
    std::string text = fmt::format(
        "experiment {}{}  {}{}: {}\n",
        short_id(experiment.uuid),
        experiment.label.empty() ? "" : fmt::format(" \"{}\"", experiment.label),
        kind.empty() ? "" : kind + ", ",
        to_string(experiment.state),
        describe_runs(experiment.runs)
    );
    if (experiment.ab) {
        text += describe_design(*experiment.ab) + "\n";
    }
    if (!experiment.runs.empty()) {
        text += "\n" + run_table(experiment.runs).text("  ");
    }
    text += text_block("notes", run_remarks(experiment.runs));
    text += text_block("measured on", environment_lines(experiment.runs));
    return text + text_block("not measured", limits_of(experiment.runs));
}

std::string listing_text(const std::vector<ListingRow>& rows) {
    if (rows.empty()) {
        return "no experiment is stored\n";
    }
    const bool has_kinds = std::any_of(rows.begin(), rows.end(), [](const ListingRow& row) {
        return row.kind != ExperimentKind::matrix;
    });
    std::vector<Column> columns{
        {"experiment"},
        {"started"},
        {"state"},
        {"complete", Align::right},
        {"variants", Align::right},
        {"label"},
        {"tags"},
        {"command", Align::left, Fit::elided}};
    if (has_kinds) {
        columns.insert(columns.begin() + 2, {"kind"});
    }
    Table table(columns);
    for (const ListingRow& row : rows) {
        std::vector<std::string> cells{
            short_id(row.uuid),
            row.started_at,
            std::string(to_string(row.state)),
            complete_cell(row),
            fmt::format("{}", row.variants),
            row.label,
            fmt::format("{}", fmt::join(row.tags, ", ")),
            row.command_line};
        if (has_kinds) {
            cells.insert(cells.begin() + 2, kind_of(row.kind));
        }
        table.add(std::move(cells));
    }
    return table.text();
}

} // namespace kvprof::analyzers
