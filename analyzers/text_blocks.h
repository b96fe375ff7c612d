#pragma once

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// An empty line, the title, and the lines indented below it; nothing without lines.
[[nodiscard]] std::string
text_block(const std::string& title, const std::vector<std::string>& lines);

} // namespace kvprof::analyzers
