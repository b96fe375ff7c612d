#include "capture/time_step.h"

#include "capture/replay_windows.h"
#include "tests/capture/played_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>

namespace kvprof {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using test::PlayedStep;
using testing::AllOf;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Timed timed_of(PlayedStep& step, double us, MeasureSpec how = {}) {
    return time_batches(step, how, nanoseconds{static_cast<std::int64_t>(us * 1e3)});
}

/// Two times in turn, `batches` of each.
std::vector<double> alternating(double first, double second, int batches) {
    std::vector<double> us;
    for (int i = 0; i < batches; ++i) {
        us.insert(us.end(), {first, second});
    }
    return us;
}

TEST(TimeBatches, StopsAfterHalfASecondOfTimesThatAgree) {
    PlayedStep step({100.0});
    const Timed timed = timed_of(step, 100.0);
    EXPECT_EQ(timed.samples.size(), 25U); // of 200 replays, 20 ms
    EXPECT_EQ(timed.samples.front().replays, 200);
    EXPECT_EQ(timed.samples.back().ordinal, 24);
    EXPECT_THAT(timed.wide, IsEmpty());
}

TEST(TimeBatches, TimeTwoHundredReplaysThoughHalfASecondHoldsFewer) {
    PlayedStep step({10'000.0});
    const Timed timed = timed_of(step, 10'000.0);
    EXPECT_EQ(timed.samples.size(), 100U); // of 2 replays each
    EXPECT_THAT(timed.wide, IsEmpty());
}

TEST(TimeBatches, AreTenAtLeast) {
    MeasureSpec how;
    how.replays = 200;
    PlayedStep step({1'000.0}); // 0.2 s a batch: 0.5 s are full after the third
    EXPECT_EQ(timed_of(step, 1'000.0, how).samples.size(), 10U);
}

TEST(TimeBatches, GoOnUntilTheMedianIsKnownToAQuarterOfAPercent) {
    // While the two times take turns the interval of the median is 1 % wide; the rest outweighs
    // them.
    std::vector<double> us = alternating(100.0, 101.0, 20);
    us.push_back(100.0);
    PlayedStep step(us);
    const Timed timed = timed_of(step, 100.0);
    EXPECT_GT(timed.samples.size(), 40U);
    EXPECT_LT(timed.samples.size(), 80U);
    EXPECT_THAT(timed.wide, IsEmpty());
}

TEST(TimeBatches, EndAtTheRunTimeAndSayHowWideTheMedianIs) {
    PlayedStep step(alternating(100.0, 101.0, 1'000));
    const Timed timed = timed_of(step, 100.0);
    EXPECT_EQ(timed.samples.size(), 498U); // 10 s of 20 and 20.2 ms
    EXPECT_THAT(timed.wide, StartsWith("wide: the median of 498 batches is known to 0.50 % after"));
}

TEST(TimeBatches, TakeAsLongAsTheyAreToldTo) {
    MeasureSpec how;
    how.run_time_s = 1.0;
    PlayedStep step(alternating(100.0, 101.0, 1'000));
    EXPECT_EQ(timed_of(step, 100.0, how).samples.size(), 50U);
}

TEST(TimeBatches, ASlowStepEndsAtTheRunTimeWithoutANote) {
    PlayedStep step({100'000.0}); // 0.1 s: 200 replays would take 20 s
    const Timed timed = timed_of(step, 100'000.0);
    EXPECT_EQ(timed.samples.size(), 100U);
    EXPECT_THAT(timed.wide, IsEmpty());
}

TEST(TimeBatches, FewerThanSixHaveNoPrecision) {
    PlayedStep step({3'000'000.0});
    const Timed timed = timed_of(step, 3'000'000.0);
    EXPECT_EQ(timed.samples.size(), 4U); // 12 s
    EXPECT_THAT(timed.wide, StartsWith("wide: the median of 4 batches is known to no precision"));
}

TEST(TimeBatches, AFixedNumberIsNeitherMoreNorLessNorWide) {
    MeasureSpec how;
    how.samples = 3;
    how.replays = 7;
    PlayedStep step(alternating(100.0, 200.0, 10));
    const Timed timed = timed_of(step, 100.0, how);
    EXPECT_THAT(step.batches(), ElementsAre(7, 7, 7));
    EXPECT_THAT(timed.wide, IsEmpty());
}

Sample batch_of(std::int64_t replays, double us_per_replay) {
    const nanoseconds time{
        static_cast<std::int64_t>(us_per_replay * 1e3 * static_cast<double>(replays))};
    return {.replays = replays, .gpu_time = time, .wall_time = time};
}

std::vector<Sample> batches_of(const std::vector<double>& us) {
    std::vector<Sample> batches;
    for (const double one : us) {
        batches.push_back(batch_of(20, one));
    }
    return batches;
}

TEST(Windows, TakeBatchesUntilTwentyReplaysAndFiftyMilliseconds) {
    const std::vector<Sample> batches{
        batch_of(20, 1'000.0), // 20 ms
        batch_of(20, 2'000.0), // 60 ms: a window of 40 replays
        batch_of(10, 6'000.0), // 60 ms and ten replays are none
        batch_of(10, 8'000.0),
        batch_of(20, 1'000.0), // left over
    };
    EXPECT_THAT(cut_windows(batches), ElementsAre(DoubleEq(1.5e6), DoubleEq(7e6)));
    EXPECT_THAT(cut_windows({}), IsEmpty());
}

TEST(Windows, LastAsLongAsTheClockThatShowsMore) {
    const Sample flushed{
        .replays = 20, .gpu_time = microseconds{100}, .wall_time = microseconds{50'000}};
    EXPECT_THAT(cut_windows(std::vector{flushed}), ElementsAre(DoubleEq(5e3)));
}

TEST(CutWindows, AreAtMostAThousandHoweverLongTheRun) {
    Sample batch;
    batch.replays = 20;
    batch.gpu_time = batch.wall_time = std::chrono::milliseconds{50};
    const std::vector<Sample> hour(20'000, batch);
    EXPECT_EQ(cut_windows(hour).size(), 1000U);
}

TEST(Drift, IsAFallOverTheMeasuredWindows) {
    // S -39, Z -3.4641, p 0.000532, slope -0.015 ms a window; the median is 12.415 ms.
    const auto samples =
        batches_of({12'610, 12'520, 12'470, 12'440, 12'420, 12'410, 12'410, 12'400, 12'410, 12'400}
        );
    EXPECT_EQ(
        drift_in(samples),
        "drifting while measured: -1.21 % over 10 windows (Mann-Kendall p 0.00053, slope -15 us a "
        "window)"
    );
}

TEST(Drift, IsNotWhatTheLastFiveOfThemDo) {
    EXPECT_THAT(drift_in(batches_of({12'410, 12'410, 12'400, 12'410, 12'400})), IsEmpty());
}

TEST(Drift, IsNotWhatStaysWithinAQuarterOfAPercent) {
    std::vector<double> us;
    for (int i = 0; i < 20; ++i) {
        us.push_back(10'000.0 + i); // 0.2 % in all, without an exception
    }
    EXPECT_THAT(drift_in(batches_of(us)), IsEmpty());
    for (double& one : us) {
        one = 10'000.0 + (one - 10'000.0) * 2.0;
    }
    EXPECT_THAT(drift_in(batches_of(us)), HasSubstr("+0.40 % over 20 windows"));
}

TEST(Drift, IsUnknownWithoutAWholeWindow) {
    EXPECT_THAT(drift_in({}), IsEmpty());
    EXPECT_THAT(drift_in(std::vector{batch_of(1, 100.0)}), IsEmpty());
}

} // namespace
} // namespace kvprof
