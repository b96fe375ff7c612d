#include "capture/warmup.h"

#include "capture/replay_windows.h"
#include "stats/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace kvprof {

namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kLeastTime = std::chrono::milliseconds{500};
constexpr std::int64_t kLeastReplays = 20;

/// Replays of `took / replays` each that fill `time`, rounded up.
std::int64_t replays_in(nanoseconds time, nanoseconds took, std::int64_t replays) {
    const std::int64_t one = std::max<std::int64_t>(took.count() / replays, 1);
    return (time.count() + one - 1) / one;
}

class WarmingUp {
  public:
    WarmingUp(PreparedStep& step, const ReadDevice& look, nanoseconds limit)
        : step_(step),
          look_(look),
          limit_(limit) {}

    WarmUp run();

  private:
    [[nodiscard]] bool is_over() const { return spent_ >= limit_ && result_.replays > 0; }

    /// How many replays a window takes; growing batches that double find it.
    std::int64_t find_window();
    /// No more replays than fill what is left of the limit, one at least.
    Sample replay(std::int64_t times);
    void take_window(const Sample& batch);
    [[nodiscard]] std::string describe() const;

    PreparedStep& step_;
    const ReadDevice& look_;
    nanoseconds limit_;
    nanoseconds spent_{0};
    nanoseconds last_{0}; ///< that a replay of the last batch took
    std::vector<double> windows_;
    std::vector<double> clocks_; ///< MHz, one a window; 0: unknown
    WarmUp result_;
};

Sample WarmingUp::replay(std::int64_t times) {
    if (result_.replays > 0) {
        const std::int64_t left = replays_in(limit_ - spent_, last_, 1);
        times = std::clamp<std::int64_t>(left, 1, times);
    }
    Sample batch = step_.replay(times);
    batch.replays = times;
    spent_ += elapsed(batch);
    result_.replays += times;
    result_.per_replay = batch.gpu_time / times;
    last_ = elapsed(batch) / times;
    return batch;
}

std::int64_t WarmingUp::find_window() {
    std::int64_t times = 1;
    while (!is_over()) {
        const nanoseconds took = elapsed(replay(times));
        if (times >= kWindowReplays && took >= kWindowTime) {
            return times;
        }
        const std::int64_t needed = std::max(kWindowReplays, replays_in(kWindowTime, took, times));
        times = std::min(2 * times, needed);
    }
    return times;
}

void WarmingUp::take_window(const Sample& batch) {
    windows_.push_back(time_per_replay(batch));
    const auto seen = look_("warm-up");
    const std::int64_t clock = seen ? seen->state.sm_clock_mhz.value_or(0) : 0;
    clocks_.push_back(static_cast<double>(clock));
}

std::string WarmingUp::describe() const {
    return fmt::format(
        "no five warm-up windows in a row lay within 0.5 % at clocks within 1 %, in {} windows and "
        "{} replays (last {:.2f} us)",
        windows_.size(),
        result_.replays,
        static_cast<double>(result_.per_replay.count()) / 1e3
    );
}

WarmUp WarmingUp::run() {
    const std::int64_t times = find_window();
    while (!is_over()) {
        const Sample batch = replay(times);
        if (batch.replays == times) {
            take_window(batch);
        }
        const bool is_long = result_.replays >= kLeastReplays && spent_ >= kLeastTime;
        if ((is_long || is_over()) && stats::steady_from(windows_, clocks_)) {
            return result_;
        }
    }
    result_.not_steady = describe();
    return result_;
}

} // namespace

WarmUp warm_up(PreparedStep& step, const ReadDevice& look, nanoseconds limit) {
    return WarmingUp(step, look, limit).run();
}

} // namespace kvprof
