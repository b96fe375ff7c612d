#pragma once

#include "capture/model/environment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof {

/// Memory of other processes that moves by no more counts as steady.
inline constexpr std::int64_t kSteadyForeignBytes = std::int64_t{32} << 20;

/// What the other processes on the device did while a run measured: "pid 9 came with 1.20 GiB",
/// "pid 7 went", "pid 8 went from 1.00 GiB to 2.00 GiB". Memory of 0 is memory that the driver did
/// not tell. Empty when the company stayed as it was,
/// and when there was none.
[[nodiscard]] std::vector<std::string> foreign_changes(const std::vector<ForeignProcess>& seen);

} // namespace kvprof
