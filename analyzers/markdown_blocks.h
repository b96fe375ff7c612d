#pragma once

#include "analyzers/section.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// A line of its own, in bold and with a capital letter; what follows begins with a blank line.
[[nodiscard]] std::string markdown_title(const std::string& title);
/// The title and one item a line; nothing without lines.
[[nodiscard]] std::string
markdown_list(const std::string& title, const std::vector<std::string>& lines);
/// A blank line and one item a line; nothing without lines.
[[nodiscard]] std::string markdown_items(const std::vector<std::string>& lines);
/// Title, table and items; nothing for an empty section.
[[nodiscard]] std::string section_markdown(const Section& section);
/// "kernels" -> "Kernels".
[[nodiscard]] std::string capitalised(std::string text);
/// Sections that open on a click, under one summary; nothing when all are empty.
[[nodiscard]] std::string
details_markdown(const std::string& summary, const std::vector<Section>& sections);

} // namespace kvprof::analyzers
