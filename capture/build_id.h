#pragma once

#include <string>

namespace kvprof {

/// The build id that the linker left in the program of this process, in hex: equal code when equal.
/// "unavailable: <why>" when it left none.
[[nodiscard]] std::string build_id();

} // namespace kvprof
