#pragma once

#include "analyzers/section.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// An empty line, the title, and the lines indented below it; nothing without lines.
[[nodiscard]] std::string
text_block(const std::string& title, const std::vector<std::string>& lines);
/// An empty line, the title, the table and the lines, indented; nothing for an empty section.
[[nodiscard]] std::string section_text(const Section& section);
/// The line indented by two, broken at blanks where it would be over Table::kLineWidth; what
/// follows is indented by four.
[[nodiscard]] std::string indented(const std::string& line);
/// Words joined by blanks, broken into lines of at most `width` characters.
/// @pre no word is empty
[[nodiscard]] std::vector<std::string>
wrapped(const std::vector<std::string>& words, std::size_t width);

} // namespace kvprof::analyzers
