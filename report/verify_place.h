#pragma once

#include "report/format.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::report {

using Lines = std::vector<std::string_view>;

/// A cell of a row, and where in its line it stands.
struct PlacedCell {
    std::string text;
    std::size_t begin = 0;
    std::size_t end = 0;
};

using Cells = std::vector<PlacedCell>;

/// A line as the row of a table.
struct Place {
    Cells header; ///< empty: the line is its table's header, or stands in no table
    Cells cells;  ///< empty: it stands in none
    bool is_recipe = false;
};

/// The table around a line: of Markdown, of columns that two blanks part, or of CSV. HTML has one
/// cell a line.
[[nodiscard]] Place place_in(const Lines& lines, std::size_t index, Format format);

/// The title over the cell; empty when there is none.
[[nodiscard]] std::string column_title(const Place& place, std::size_t cell);

/// "line 9, row step.gpu_time, column base".
[[nodiscard]] std::string
place_words(std::size_t number, const Place& place, const std::string& column);

} // namespace kvprof::report
