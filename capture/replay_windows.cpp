#include "capture/replay_windows.h"

#include <algorithm>

namespace kvprof {

std::chrono::nanoseconds elapsed(const Sample& batch) {
    return std::max(batch.gpu_time, batch.wall_time);
}

double time_per_replay(const Sample& batch) {
    return static_cast<double>(batch.gpu_time.count()) / static_cast<double>(batch.replays);
}

namespace {

/// A test for a trend looks at every pair of windows.
constexpr std::int64_t kMostWindows = 1000;

/// The shortest window: longer than usual where there would be too many.
std::chrono::nanoseconds window_time(std::span<const Sample> batches) {
    std::chrono::nanoseconds all{0};
    for (const Sample& batch : batches) {
        all += elapsed(batch);
    }
    return std::max<std::chrono::nanoseconds>(kWindowTime, all / kMostWindows);
}

} // namespace

std::vector<double> cut_windows(std::span<const Sample> batches) {
    const std::chrono::nanoseconds shortest = window_time(batches);
    std::vector<double> windows;
    Sample window;
    for (const Sample& batch : batches) {
        window.replays += batch.replays;
        window.gpu_time += batch.gpu_time;
        window.wall_time += batch.wall_time;
        if (window.replays >= kWindowReplays && elapsed(window) >= shortest) {
            windows.push_back(time_per_replay(window));
            window = {};
        }
    }
    return windows;
}

} // namespace kvprof
