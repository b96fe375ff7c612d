#pragma once

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

} // namespace kvprof::analyzers
