#pragma once

#include "capture/executor.h"

#include <chrono>
#include <span>
#include <string>
#include <vector>

namespace kvprof {

/// What timing a step came to.
struct Timed {
    std::vector<Sample> samples;
    std::string wide; ///< a note when the median is not known well enough; else empty
};

/// Times batches of 20 ms, or of `how.replays`: `how.samples` of them; with 0, until 200 replays,
/// 0.5 s and 10 batches are timed and the 95 % interval of the median of the batches is within
/// 0.25 % of it, at the latest once `how.run_time_s` is spent. This aims at a precision and not at
/// a difference, so it favours no answer. Time is what the samples say.
/// @param per_replay what a replay takes, as far as known
[[nodiscard]] Timed
time_batches(PreparedStep& step, const MeasureSpec& how, std::chrono::nanoseconds per_replay);

/// What shows that the times went on changing while they were measured, with the figures; empty
/// when nothing does.
[[nodiscard]] std::string drift_in(std::span<const Sample> samples);

} // namespace kvprof
