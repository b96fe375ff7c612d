#include "capture/warmup.h"

#include "tests/capture/played_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string_view>

namespace kvprof {
namespace {

using std::chrono::milliseconds;
using test::PlayedStep;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr milliseconds kLongLimit{30'000};

/// Looks at an SM clock that takes these values, one a look, the last one from then on; 0 is a
/// clock that nobody tells.
ReadDevice clock_of(std::vector<std::int64_t> mhz) {
    return [mhz = std::move(mhz), looks = std::size_t{0}](std::string_view when) mutable {
        DeviceReading reading;
        reading.state.when = when;
        const std::int64_t clock = mhz[std::min(looks++, mhz.size() - 1)];
        reading.state.sm_clock_mhz = clock == 0 ? std::nullopt : std::optional(clock);
        return std::optional(reading);
    };
}

ReadDevice no_device() {
    return [](std::string_view /*when*/) { return std::nullopt; };
}

/// Six batches that find the size of a window (1, 2, 4, 8, 16 and 20 replays), then `windows`.
std::vector<double> after_finding(std::vector<double> windows) {
    windows.insert(windows.begin(), 6, 12'700.0);
    return windows;
}

TEST(WarmUp, EndsWithTheFirstFiveWindowsWithinHalfAPercentOfTheirMedian) {
    // From the third on: 12.47 is 0.40 % over the median of its five, 12.52 before it 0.64 %.
    PlayedStep step(after_finding(
        {12'610, 12'520, 12'470, 12'440, 12'420, 12'410, 12'410, 12'400, 12'410, 12'400}
    ));
    const WarmUp warm = warm_up(step, no_device(), kLongLimit);
    EXPECT_THAT(warm.not_steady, IsEmpty());
    EXPECT_THAT(step.batches(), ElementsAre(1, 2, 4, 8, 16, 20, 20, 20, 20, 20, 20, 20, 20));
    EXPECT_EQ(warm.replays, 51 + 7 * 20);
    EXPECT_EQ(warm.per_replay, std::chrono::microseconds{12'410});
}

TEST(WarmUp, LastsHalfASecondThoughFiveWindowsAgreedBefore) {
    PlayedStep step({100.0});
    const WarmUp warm = warm_up(step, no_device(), kLongLimit);
    EXPECT_THAT(warm.not_steady, IsEmpty());
    // 1, 2, ... 256, then 500 replays of 100 us fill the 50 ms of a window.
    EXPECT_EQ(step.batches().at(9), 500);
    EXPECT_EQ(step.batches().size(), 10U + 8U); // 101 ms to find the window, 8 x 50 ms
    EXPECT_EQ(warm.replays, 511 + 500 + 8 * 500);
}

TEST(WarmUp, WindowsHaveTwentyReplaysHoweverLongTheyTake) {
    PlayedStep step({100'000.0});
    EXPECT_THAT(warm_up(step, no_device(), kLongLimit).not_steady, IsEmpty());
    EXPECT_EQ(step.batches().back(), 20);
}

TEST(WarmUp, WaitsForAClockThatStillMoves) {
    const std::vector<std::int64_t> rising{1700, 1800, 1900, 1980};
    PlayedStep still({10'000.0});
    PlayedStep moving({10'000.0});
    const WarmUp steady = warm_up(still, clock_of({1980, 1975}), kLongLimit);
    const WarmUp waited = warm_up(moving, clock_of(rising), kLongLimit);
    EXPECT_THAT(waited.not_steady, IsEmpty());
    EXPECT_EQ(still.batches().size(), 6U + 5U);
    EXPECT_EQ(moving.batches().size(), 6U + 3U + 5U); // until all five are at 1980
    EXPECT_EQ(waited.replays - steady.replays, 3 * 20);
}

TEST(WarmUp, IsNotHeldUpByAClockThatNobodyTells) {
    PlayedStep step({10'000.0});
    EXPECT_THAT(warm_up(step, clock_of({0}), kLongLimit).not_steady, IsEmpty());
    EXPECT_EQ(step.batches().size(), 6U + 5U);
}

TEST(WarmUp, SaysWhatNeverAgreed) {
    std::vector<double> rising;
    for (int i = 0; i < 100; ++i) {
        rising.push_back(10'000.0 * (1.0 + 0.01 * i)); // 1 % a window
    }
    PlayedStep step(rising);
    const WarmUp warm = warm_up(step, no_device(), milliseconds{3'000});
    EXPECT_THAT(warm.not_steady, HasSubstr("no five warm-up windows in a row lay within 0.5 %"));
    EXPECT_THAT(warm.not_steady, HasSubstr(std::to_string(warm.replays) + " replays"));
}

TEST(WarmUp, AnUnsteadyClockAloneIsNotSteady) {
    std::vector<std::int64_t> hunting;
    for (int i = 0; i < 200; ++i) {
        hunting.push_back(i % 2 == 0 ? 1980 : 1900);
    }
    PlayedStep step({10'000.0});
    const WarmUp warm = warm_up(step, clock_of(hunting), milliseconds{3'000});
    EXPECT_THAT(warm.not_steady, HasSubstr("clocks within 1 %"));
}

TEST(WarmUp, ASlowStepExceedsTheLimitByOneReplayAtMost) {
    PlayedStep step({300'000.0});
    const WarmUp warm = warm_up(step, no_device(), milliseconds{500});
    EXPECT_THAT(step.batches(), ElementsAre(1, 1)); // 0.3 s, 0.6 s
    EXPECT_EQ(warm.replays, 2);
    EXPECT_FALSE(warm.not_steady.empty());
}

TEST(WarmUp, AWindowIsCutShortByTheLimitAndThenIsNone) {
    PlayedStep step({10'000.0}); // windows of 20 replays, 200 ms
    const WarmUp warm = warm_up(step, no_device(), milliseconds{1'500});
    EXPECT_EQ(
        warm.replays, 150
    ); // 1.5 s: five whole windows after 510 ms, and one of 190 ms is not
    EXPECT_EQ(step.batches().back(), 19);
    EXPECT_FALSE(warm.not_steady.empty());
}

TEST(WarmUp, RunsOnceHoweverShortTheLimit) {
    PlayedStep step({10'000.0});
    EXPECT_EQ(warm_up(step, no_device(), milliseconds{1}).replays, 1);
}

} // namespace
} // namespace kvprof
