#pragma once

#include "capture/device_watch.h"
#include "capture/executor.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace kvprof {

struct WarmUp {
    std::int64_t replays = 0;
    std::chrono::nanoseconds per_replay{0}; ///< of the last batch
    std::string not_steady;                 ///< empty when five windows agreed
};

/// Replays for at least 20 replays and 0.5 s, and until five windows in a row (of 20 replays and
/// 50 ms at least) lie within 0.5 % of their median while the SM clock, which `look` reads once a
/// window, spans at most 1 %; or until `limit` has been spent, which one replay may exceed. Clocks
/// that nobody tells are no obstacle. Time is what the batches say, not a clock of its own.
[[nodiscard]] WarmUp
warm_up(PreparedStep& step, const ReadDevice& look, std::chrono::nanoseconds limit);

} // namespace kvprof
