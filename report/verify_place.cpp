#include "report/verify_place.h"

#include "report/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kvprof::report {

namespace {

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" `*");
    return first == std::string_view::npos
               ? std::string()
               : std::string(text.substr(first, text.find_last_not_of(" `*") - first + 1));
}

/// "| a | b |": a bar behind a backslash is a letter.
Cells markdown_cells(std::string_view line) {
    Cells cells;
    std::size_t begin = 1;
    for (std::size_t at = 1; at < line.size(); ++at) {
        if (line[at] == '|' && line[at - 1] != '\\') {
            cells.push_back({trimmed(line.substr(begin, at - begin)), begin, at});
            begin = at + 1;
        }
    }
    return cells;
}

/// RFC 4180, of a record on one line.
Cells csv_cells(std::string_view line) {
    Cells cells;
    bool is_quoted = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= line.size(); ++at) {
        if (at < line.size() && line[at] == '"') {
            is_quoted = !is_quoted;
        } else if (at == line.size() || (line[at] == ',' && !is_quoted)) {
            cells.push_back({std::string(line.substr(begin, at - begin)), begin, at});
            begin = at + 1;
        }
    }
    return cells;
}

/// Columns with two blanks or more between them; nothing for fewer than two.
Cells text_cells(std::string_view line) {
    Cells cells;
    std::size_t at = std::min(line.find_first_not_of(' '), line.size());
    while (at < line.size()) {
        const std::size_t end = std::min(line.find("  ", at), line.size());
        cells.push_back({std::string(line.substr(at, end - at)), at, end});
        at = std::min(line.find_first_not_of(' ', end), line.size());
    }
    return cells.size() > 1 ? cells : Cells();
}

bool is_markdown_row(std::string_view line) {
    return line.size() > 1 && line.front() == '|';
}

Cells cells_of(std::string_view line, Format format) {
    if (is_markdown_row(line)) {
        return markdown_cells(line);
    }
    if (format == Format::csv) {
        return csv_cells(line);
    }
    return format == Format::text ? text_cells(line) : Cells();
}

/// The line of the table's titles: of CSV the first, else the first row of those without a gap.
std::size_t header_of(const Lines& lines, std::size_t index, Format format) {
    if (format == Format::csv) {
        return 0;
    }
    while (index > 0 && !cells_of(lines[index - 1], format).empty()) {
        --index;
    }
    return index;
}

/// What tells the rows of a table apart: of CSV several cells, else the first one.
std::string row_words(const Place& place) {
    constexpr std::array<std::string_view, 5> kKeys{"cell", "side", "run", "metric", "kernel"};
    std::string words;
    for (std::size_t i = 0; i < std::min(place.header.size(), place.cells.size()); ++i) {
        const bool is_key =
            std::find(kKeys.begin(), kKeys.end(), place.header[i].text) != kKeys.end();
        if (is_key && !place.cells[i].text.empty()) {
            words += (words.empty() ? "" : " ") + place.cells[i].text;
        }
    }
    return words.empty() ? place.cells.front().text : words;
}

std::size_t shared(const PlacedCell& one, const PlacedCell& other) {
    const std::size_t begin = std::max(one.begin, other.begin);
    const std::size_t end = std::min(one.end, other.end);
    return end > begin ? end - begin : 0;
}

} // namespace

Place place_in(const Lines& lines, std::size_t index, Format format) {
    Place place;
    place.cells = cells_of(lines[index], format);
    place.is_recipe = lines[index].find("kvprof.recipe/") != std::string_view::npos;
    if (const std::size_t header = header_of(lines, index, format);
        !place.cells.empty() && header != index) {
        place.header = cells_of(lines[header], format);
    }
    return place;
}

std::string column_title(const Place& place, std::size_t cell) {
    if (place.header.size() == place.cells.size()) {
        return place.header[cell].text;
    }
    // Of a row with empty cells: the title that stands over it.
    const PlacedCell* over = nullptr;
    for (const PlacedCell& title : place.header) {
        const std::size_t width = shared(title, place.cells[cell]);
        if (width > 0 && (over == nullptr || width > shared(*over, place.cells[cell]))) {
            over = &title;
        }
    }
    return over == nullptr ? std::string() : over->text;
}

std::string place_words(std::size_t number, const Place& place, const std::string& column) {
    std::string words = fmt::format("line {}", number);
    if (place.is_recipe) {
        return words + ", the recipe";
    }
    if (!place.header.empty()) {
        words += ", row " + one_line(row_words(place));
        words += column.empty() ? "" : ", column " + one_line(column);
    }
    return words;
}

} // namespace kvprof::report
