#include "capture/warmup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace kvprof {

namespace {

constexpr std::chrono::milliseconds kWindow{10};
constexpr double kAgreement = 0.02;

std::chrono::nanoseconds longer_clock(const Sample& window) {
    return std::max(window.gpu_time, window.wall_time);
}

} // namespace

WarmUp warm_up(PreparedStep& step, std::chrono::nanoseconds limit) {
    WarmUp result;
    std::chrono::nanoseconds spent{0};
    std::optional<double> previous;
    double last = 0.0;
    std::int64_t times = 1;
    while (spent < limit || result.replays == 0) {
        const Sample window = step.replay(times);
        const auto took = longer_clock(window);
        spent += took;
        result.replays += times;
        result.per_replay = window.gpu_time / times;
        if (took < kWindow) {
            times *= 2;
            continue;
        }
        last = static_cast<double>(window.gpu_time.count()) / static_cast<double>(times);
        if (previous && std::abs(last - *previous) <= kAgreement * *previous) {
            return result;
        }
        previous = last;
    }
    result.not_steady = fmt::format(
        "no two warm-up windows agreed within 2 % in {} replays (last {:.2f} us)",
        result.replays,
        last / 1e3
    );
    return result;
}

} // namespace kvprof
