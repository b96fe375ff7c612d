#include "report/text_table.h"

#include "report/utf8.h"

#include <algorithm>
#include <vector>

namespace kvprof::report {

namespace {

using analyzers::Align;
using analyzers::Cell;
using analyzers::Column;

using Row = std::vector<std::string>;

std::string padded(const std::string& cell, std::size_t width, Align align) {
    const std::string blanks(width - std::min(width, characters(cell)), ' ');
    return align == Align::left ? cell + blanks : blanks + cell;
}

/// The titles, then the cells, each one line.
std::vector<Row> rows_of(const analyzers::Table& table) {
    std::vector<Row> rows(1);
    for (const Column& column : table.columns()) {
        rows.front().push_back(one_line(column.title));
    }
    for (const std::vector<Cell>& cells : table.rows()) {
        rows.emplace_back();
        for (const Cell& cell : cells) {
            rows.back().push_back(one_line(cell.text));
        }
    }
    return rows;
}

/// The widest cell of each column, less what is over `room`, taken from the elided columns.
std::vector<std::size_t>
fitted_widths(const std::vector<Row>& rows, const std::vector<Column>& columns, std::size_t room) {
    constexpr std::size_t kLeast = 16; // enough to tell the start and the end of a variant
    std::vector<std::size_t> fitted(columns.size(), 0);
    std::size_t line = 2 * (fitted.size() - 1);
    for (std::size_t i = 0; i < fitted.size(); ++i) {
        for (const Row& row : rows) {
            fitted[i] = std::max(fitted[i], characters(row[i]));
        }
        line += fitted[i];
    }
    // From the last column: what identifies a row stands in front and is cut last.
    for (std::size_t i = fitted.size(); i-- > 0 && line > room;) {
        if (columns[i].fit == analyzers::Fit::elided && fitted[i] > kLeast) {
            const std::size_t cut = std::min(line - room, fitted[i] - kLeast);
            fitted[i] -= cut;
            line -= cut;
        }
    }
    return fitted;
}

} // namespace

std::string text_table(const analyzers::Table& table, const std::string& indent) {
    const std::vector<Row> rows = rows_of(table);
    const std::vector<Column>& columns = table.columns();
    const std::vector<std::size_t> widths =
        fitted_widths(rows, columns, kLineWidth - indent.size());
    std::string text;
    for (const Row& row : rows) {
        std::string line = indent;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += i == 0 ? "" : "  ";
            line += padded(elided(row[i], widths[i]), widths[i], columns[i].align);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

} // namespace kvprof::report
