#include "analyzers/table.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <string_view>
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

/// The longest start of the text with this many characters.
std::string start_of(const std::string& text, std::size_t characters) {
    std::size_t end = 0;
    while (end < text.size() && width_of(text.substr(0, end + 1)) <= characters) {
        ++end;
    }
    return text.substr(0, end);
}

/// "index-mode=rec...batch=8": the text without its middle when it has over `width` characters.
std::string elided(const std::string& text, std::size_t width) {
    constexpr std::string_view kGap = "...";
    const std::size_t characters = width_of(text);
    if (characters <= width) {
        return text;
    }
    const std::size_t kept = width - kGap.size();
    const std::string before_tail = start_of(text, characters - kept / 2);
    return start_of(text, kept - kept / 2) + std::string(kGap) + text.substr(before_tail.size());
}

std::string text_line(
    const std::vector<std::string>& cells,
    const std::vector<Column>& columns,
    const std::vector<std::size_t>& widths
) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        line +=
            (i == 0 ? "" : "  ") + padded(elided(cells[i], widths[i]), widths[i], columns[i].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string markdown_cell(const std::string& cell) {
    std::string escaped;
    bool is_code = false; // between backticks, where only the bar has a meaning
    for (const char letter : cell) {
        is_code = is_code != (letter == '`');
        // copy<int>: no tag, no emphasis
        if (letter == '|' || (!is_code && (letter == '<' || letter == '*'))) {
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

std::vector<std::size_t> Table::fitted_widths(std::size_t room) const {
    constexpr std::size_t kLeast = 16; // enough to tell the start and the end of a variant
    std::vector<std::size_t> fitted = widths();
    std::size_t line = 2 * (fitted.size() - 1);
    for (const std::size_t width : fitted) {
        line += width;
    }
    // From the last column: what identifies a row stands in front and is cut last.
    for (std::size_t i = fitted.size(); i-- > 0 && line > room;) {
        if (columns_[i].fit == Fit::elided && fitted[i] > kLeast) {
            const std::size_t cut = std::min(line - room, fitted[i] - kLeast);
            fitted[i] -= cut;
            line -= cut;
        }
    }
    return fitted;
}

std::string Table::text(const std::string& indent) const {
    std::vector<std::string> titles;
    for (const Column& column : columns_) {
        titles.push_back(column.title);
    }
    const std::vector<std::size_t> all_widths = fitted_widths(kLineWidth - indent.size());
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
