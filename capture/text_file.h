#pragma once

#include <string>

namespace kvprof {

/// All of a file, as those under /proc and /sys are read; empty when it can not be.
[[nodiscard]] std::string read_text_file(const std::string& path);

} // namespace kvprof
