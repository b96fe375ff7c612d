#pragma once

#include <string>
#include <vector>

namespace kvprof::report {

/// The names in order; one that was there before gets "#2", "#3", ...
[[nodiscard]] std::vector<std::string> unique_names(std::vector<std::string> names);

} // namespace kvprof::report
