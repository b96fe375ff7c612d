#include "capture/replay_windows.h"

#include <algorithm>

namespace kvprof {

std::chrono::nanoseconds elapsed(const Sample& batch) {
    return std::max(batch.gpu_time, batch.wall_time);
}

double time_per_replay(const Sample& batch) {
    return static_cast<double>(batch.gpu_time.count()) / static_cast<double>(batch.replays);
}

std::vector<double> cut_windows(std::span<const Sample> batches) {
    std::vector<double> windows;
    Sample window;
    for (const Sample& batch : batches) {
        window.replays += batch.replays;
        window.gpu_time += batch.gpu_time;
        window.wall_time += batch.wall_time;
        if (window.replays >= kWindowReplays && elapsed(window) >= kWindowTime) {
            windows.push_back(time_per_replay(window));
            window = {};
        }
    }
    return windows;
}

} // namespace kvprof
