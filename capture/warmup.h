#pragma once

#include "capture/executor.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace kvprof {

struct WarmUp {
    std::int64_t replays = 0;
    std::chrono::nanoseconds per_replay{0}; ///< of the last window
    std::string not_steady;                 ///< empty when two windows agreed
};

/// Replays in windows of at least 10 ms until two consecutive windows agree within 2 % (the
/// two-window rule), or until `limit` has been spent replaying.
[[nodiscard]] WarmUp warm_up(PreparedStep& step, std::chrono::nanoseconds limit);

} // namespace kvprof
