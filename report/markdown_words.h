#pragma once

#include "analyzers/table.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace kvprof::report {

// Names are input: nothing in them may be read as Markdown or HTML, nor reach somebody as a
// mention. Each gives one line of UTF-8.

/// Where words stand: a bar ends a cell, and the first letters of a block can begin a list, a
/// heading or a quotation.
enum class Place : std::uint8_t { block, inline_text, cell };

/// "copy\<int\*>": plain words that a reader sees as they are.
[[nodiscard]] std::string markdown_text(std::string_view words, Place place = Place::inline_text);
/// "`copy<int*>`" with a fence longer than any in the name; empty for an empty name. In a cell a
/// name that no code span can carry becomes a code element.
[[nodiscard]] std::string markdown_code(std::string_view name, bool is_in_cell);
[[nodiscard]] std::string markdown_cell(const analyzers::Cell& cell);
/// For the summary of details, which is HTML.
[[nodiscard]] std::string summary_text(std::string_view words);
/// "kernels" -> "Kernels": before it is escaped.
[[nodiscard]] std::string capitalised(std::string_view words);
/// "8 + 8 runs" -> "8 + 8 runs.": nothing after words that end a sentence themselves.
[[nodiscard]] std::string sentence(std::string_view words);

} // namespace kvprof::report
