#include "capture/time_step.h"

#include "capture/replay_windows.h"
#include "stats/median.h"
#include "stats/trend.h"
#include "stats/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace kvprof {

namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t kLeastReplays = 200;
constexpr nanoseconds kLeastTime = std::chrono::milliseconds{500};
constexpr std::size_t kLeastBatches = 10;
constexpr double kPrecision = 0.0025;

/// As many replays as fill a batch long enough for the clocks.
std::int64_t replays_per_sample(const MeasureSpec& how, nanoseconds per_replay) {
    constexpr nanoseconds kBatch = std::chrono::milliseconds{20};
    constexpr std::int64_t kMost = 10'000;
    if (how.replays > 0) {
        return how.replays;
    }
    const std::int64_t one = std::max<std::int64_t>(per_replay.count(), 1);
    return std::clamp<std::int64_t>(kBatch.count() / one, 1, kMost);
}

class Timing {
  public:
    Timing(PreparedStep& step, const MeasureSpec& how, nanoseconds per_replay)
        : step_(step),
          how_(how),
          replays_(replays_per_sample(how, per_replay)),
          most_time_(
              std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(how.run_time_s))
          ) {}

    Timed run();

  private:
    void take();
    [[nodiscard]] bool is_precise();

    [[nodiscard]] std::optional<double> precision() const {
        return stats::median_precision(times_);
    }

    PreparedStep& step_;
    const MeasureSpec& how_;
    std::int64_t replays_;
    nanoseconds most_time_;
    nanoseconds spent_{0};
    std::vector<double> times_; ///< nanoseconds of a replay, one a batch
    std::size_t next_look_ = kLeastBatches;
    Timed timed_;
};

void Timing::take() {
    Sample sample = step_.replay(replays_);
    sample.ordinal = std::ssize(timed_.samples);
    spent_ += elapsed(sample);
    times_.push_back(time_per_replay(sample));
    timed_.samples.push_back(std::move(sample));
}

bool Timing::is_precise() {
    const std::int64_t replays = replays_ * std::ssize(times_);
    if (replays < kLeastReplays || spent_ < kLeastTime || times_.size() < next_look_) {
        return false;
    }
    // Looking sorts all batches: with many short ones, not after each of them.
    next_look_ = times_.size() + times_.size() / 16 + 1;
    const auto reached = precision();
    return reached && *reached <= kPrecision;
}

Timed Timing::run() {
    if (how_.samples > 0) {
        while (std::ssize(timed_.samples) < how_.samples) {
            take();
        }
        return std::move(timed_);
    }
    do {
        take();
        if (is_precise()) {
            return std::move(timed_);
        }
    } while (spent_ < most_time_);
    const auto reached = precision();
    if (!reached || *reached > kPrecision) {
        timed_.wide = fmt::format(
            "wide: the median of {} batches is known to {} after {:.1f} s, not to {:g} %",
            times_.size(),
            reached ? fmt::format("{:.2f} %", *reached * 100.0) : "no precision",
            static_cast<double>(spent_.count()) / 1e9,
            kPrecision * 100.0
        );
    }
    return std::move(timed_);
}

} // namespace

Timed time_batches(PreparedStep& step, const MeasureSpec& how, nanoseconds per_replay) {
    return Timing(step, how, per_replay).run();
}

std::string drift_in(std::span<const Sample> samples) {
    const std::vector<double> windows = cut_windows(samples);
    if (windows.empty() || !stats::is_drifting(windows)) {
        return {};
    }
    const stats::Trend trend = stats::trend_of(windows);
    const double drift = trend.slope * static_cast<double>(windows.size());
    return fmt::format(
        "drifting while measured: {:+.2f} % over {} windows (Mann-Kendall p {:.2g}, slope {:+.3g} "
        "us a window)",
        drift / stats::median(windows) * 100.0,
        windows.size(),
        trend.p,
        trend.slope / 1e3
    );
}

} // namespace kvprof
