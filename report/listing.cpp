#include "report/listing.h"

#include "analyzers/figures.h"
#include "report/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Align;
using analyzers::Cell;
using analyzers::Column;
using analyzers::Fit;
using analyzers::ListingRow;

/// "16/16", "16/16 + 2 void": runs that took the place of void ones count once.
std::string complete_cell(const ListingRow& row) {
    const std::string cell = fmt::format("{}/{}", row.complete_runs, row.runs - row.void_runs);
    return row.void_runs == 0 ? cell : fmt::format("{} + {} void", cell, row.void_runs);
}

std::string kind_of(ExperimentKind kind) {
    return kind == ExperimentKind::matrix ? "" : std::string(to_string(kind));
}

} // namespace

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
    analyzers::Table table(columns);
    for (const ListingRow& row : rows) {
        std::vector<Cell> cells{
            analyzers::short_id(row.uuid),
            row.started_at,
            std::string(to_string(row.state)),
            complete_cell(row),
            fmt::format("{}", row.variants),
            row.label,
            fmt::format("{}", fmt::join(row.tags, ", ")),
            Cell::code(row.command_line)};
        if (has_kinds) {
            cells.insert(cells.begin() + 2, kind_of(row.kind));
        }
        table.add(std::move(cells));
    }
    return text_table(table);
}

} // namespace kvprof::report
