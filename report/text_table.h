#pragma once

#include "analyzers/table.h"

#include <cstddef>
#include <string>

namespace kvprof::report {

/// What a line of text may have, in characters, where it can be broken or shortened.
inline constexpr std::size_t kLineWidth = 160;

/// Columns padded to their widest cell, two spaces apart, no blanks at line ends. When a line
/// would have over kLineWidth characters, cells of the elided columns lose their middle.
[[nodiscard]] std::string text_table(const analyzers::Table& table, const std::string& indent = {});

} // namespace kvprof::report
