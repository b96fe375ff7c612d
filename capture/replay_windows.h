#pragma once

#include "capture/model/run.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace kvprof {

/// What a window of replays lasts at least: one judges by windows whether times are steady.
inline constexpr std::int64_t kWindowReplays = 20;
inline constexpr std::chrono::nanoseconds kWindowTime = std::chrono::milliseconds{50};

/// How long a batch took, on the clock that shows more. Protocols add these up instead of looking
/// at a clock of their own, so that times can be played.
[[nodiscard]] std::chrono::nanoseconds elapsed(const Sample& batch);

/// Nanoseconds of a replay. @pre the batch has replays
[[nodiscard]] double time_per_replay(const Sample& batch);

/// Nanoseconds of a replay in each window, in time order. A window takes whole batches until it
/// lasts; the batches after the last whole window are left out. At most a thousand: those of a long
/// run last longer.
[[nodiscard]] std::vector<double> cut_windows(std::span<const Sample> batches);

} // namespace kvprof
