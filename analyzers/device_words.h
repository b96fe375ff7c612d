#pragma once

#include <cstdint>
#include <string>

namespace kvprof::analyzers {

/// NVML's reasons for clocks below their most, in words: "SW power cap, SW thermal slowdown";
/// "none" without any. A bit without a known meaning is named by its value.
[[nodiscard]] std::string clock_event_words(std::int64_t reasons);

} // namespace kvprof::analyzers
