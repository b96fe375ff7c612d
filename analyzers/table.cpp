#include "analyzers/table.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// Columns that a terminal shows: the bytes of UTF-8 that do not continue a character.
std::size_t width_of(const std::string& text) {
    constexpr unsigned char kContinuationMask = 0xc0;
    constexpr unsigned char kContinuation = 0x80;
    return static_cast<std::size_t>(std::count_if(
        text.begin(),
        text.end(),
        [](unsigned char letter) { return (letter & kContinuationMask) != kContinuation; }
    ));
}

std::string padded(const std::string& cell, std::size_t width, Align align) {
    const std::string blanks(width - std::min(width, width_of(cell)), ' ');
    return align == Align::left ? cell + blanks : blanks + cell;
}

std::string text_line(
    const std::vector<std::string>& cells,
    const std::vector<Column>& columns,
    const std::vector<std::size_t>& widths
) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        line += (i == 0 ? "" : "  ") + padded(cells[i], widths[i], columns[i].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string markdown_cell(const std::string& cell) {
    std::string escaped;
    for (const char letter : cell) {
        if (letter == '|') {
            escaped += '\\';
        }
        escaped += letter == '\n' || letter == '\r' ? ' ' : letter;
    }
    return escaped;
}

} // namespace

Table::Table(std::vector<Column> columns)
    : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
    assert(cells.size() == columns_.size());
    rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        std::size_t width = width_of(columns_[i].title);
        for (const auto& row : rows_) {
            width = std::max(width, width_of(row[i]));
        }
        widths.push_back(width);
    }
    return widths;
}

std::string Table::text(const std::string& indent) const {
    std::vector<std::string> titles;
    for (const Column& column : columns_) {
        titles.push_back(column.title);
    }
    const std::vector<std::size_t> all_widths = widths();
    std::string text = indent + text_line(titles, columns_, all_widths) + "\n";
    for (const auto& row : rows_) {
        text += indent + text_line(row, columns_, all_widths) + "\n";
    }
    return text;
}

std::string Table::markdown() const {
    std::string head = "|";
    std::string rule = "|";
    for (const Column& column : columns_) {
        head += " " + markdown_cell(column.title) + " |";
        rule += column.align == Align::left ? "---|" : "--:|";
    }
    std::string text = head + "\n" + rule + "\n";
    for (const auto& row : rows_) {
        text += "|";
        for (const std::string& cell : row) {
            text += " " + markdown_cell(cell) + " |";
        }
        text += "\n";
    }
    return text;
}

} // namespace kvprof::analyzers
