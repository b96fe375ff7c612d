#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kvprof {

/// The first file of this name in the folders of PATH that may be run.
[[nodiscard]] std::optional<std::string> find_program(std::string_view name);

} // namespace kvprof
