#include "analyzers/sampled_test.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace kvprof::analyzers {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A significant change by a ratio with an interval.
SampledTest changed(double estimate, double low, double high) {
    SampledTest test;
    test.estimate = estimate;
    test.low = low;
    test.high = high;
    test.p = 0.001;
    test.p_adjusted = 0.001;
    test.least_p = 0.0005;
    test.deviation = 0.02;
    test.base_runs = 8;
    test.candidate_runs = 8;
    return test;
}

Judgement judged(const SampledTest& test, Direction better = Direction::lower) {
    return judge_sampled(test, better, 0.01, 0.05);
}

TEST(JudgeSampled, ConfirmsAChangeWhoseWholeIntervalIsBeyondTheThreshold) {
    EXPECT_EQ(judged(changed(1.02, 1.0101, 1.03)).verdict, Verdict::regressed);
    EXPECT_TRUE(judged(changed(1.02, 1.0101, 1.03)).is_confirmed);
    EXPECT_FALSE(judged(changed(1.02, 1.0099, 1.03)).is_confirmed);
    EXPECT_EQ(judged(changed(0.98, 0.97, 0.989)).verdict, Verdict::improved);
    EXPECT_TRUE(judged(changed(0.98, 0.97, 0.989)).is_confirmed);
    EXPECT_FALSE(judged(changed(0.98, 0.97, 0.995)).is_confirmed);
}

TEST(JudgeSampled, TurnsAHigherIsBetterMetricAround) {
    EXPECT_EQ(judged(changed(1.02, 1.011, 1.03), Direction::higher).verdict, Verdict::improved);
    EXPECT_EQ(judged(changed(0.98, 0.97, 0.989), Direction::higher).verdict, Verdict::regressed);
}

TEST(JudgeSampled, NeedsAnEstimateBeyondTheThreshold) {
    EXPECT_EQ(judged(changed(1.0099, 1.001, 1.03)).verdict, Verdict::inconclusive);
    EXPECT_EQ(judged(changed(1.0100, 1.001, 1.03)).verdict, Verdict::regressed);
}

TEST(JudgeSampled, NeedsTheAdjustedPAndNotTheRawOne) {
    SampledTest test = changed(1.02, 1.011, 1.03);
    test.p_adjusted = 0.051;
    EXPECT_EQ(judged(test).verdict, Verdict::inconclusive);
    EXPECT_EQ(judged(test).reason, "too-noisy");
}

TEST(JudgeSampled, NeedsAnIntervalThatLeavesOutNoChange) {
    EXPECT_EQ(judged(changed(1.02, 1.0, 1.03)).verdict, Verdict::inconclusive);
    EXPECT_EQ(judged(changed(0.98, 0.97, 1.0)).verdict, Verdict::inconclusive);
}

TEST(JudgeSampled, ProvesSamenessByTheWholeInterval) {
    EXPECT_EQ(judged(changed(1.004, 1.002, 1.0099)).verdict, Verdict::same);
    EXPECT_TRUE(judged(changed(1.004, 1.002, 1.0099)).is_below_threshold);
    EXPECT_FALSE(judged(changed(1.001, 0.999, 1.005)).is_below_threshold);
    EXPECT_EQ(judged(changed(1.001, 0.9900, 1.005)).verdict, Verdict::inconclusive); // 1/1.01
    EXPECT_EQ(judged(changed(1.001, 0.9902, 1.005)).verdict, Verdict::same);
}

TEST(JudgeSampled, SaysHowManyRunsALoneRowOfTheFamilyNeeds) {
    SampledTest test = changed(1.02, 0.0, kInfinity);
    test.method = RankMethod::rank_sum;
    test.least_p = 0.1;
    EXPECT_EQ(judged(test).reason, "too-few-runs");
    EXPECT_EQ(judged(test).runs, 6U); // never fewer: below, runs are not paired
    test.tests = 50;
    EXPECT_EQ(judged(test).runs, 7U);
    test.method = RankMethod::signed_rank;
    EXPECT_EQ(judged(test).runs, 11U);
}

TEST(JudgeSampled, CallsNoRowTooFewThatCouldHaveBeenSignificant) {
    SampledTest test = changed(1.004, 0.98, 1.03);
    test.least_p = 0.01;
    test.tests = 5;
    EXPECT_EQ(judged(test).reason, "too-noisy");
    test.tests = 6;
    EXPECT_EQ(judged(test).reason, "too-few-runs");
}

TEST(JudgeSampled, SaysHowManyRunsWouldSeeTheThreshold) {
    SampledTest test = changed(1.004, 0.98, 1.03);
    test.method = RankMethod::rank_sum;
    test.deviation = 0.01;
    ASSERT_TRUE(judged(test).runs.has_value());
    EXPECT_NEAR(static_cast<double>(*judged(test).runs), 18.0, 1.0);
    test.deviation = 1.0; // no number of runs would
    EXPECT_FALSE(judged(test).runs.has_value());
}

TEST(TestSampled, TakesDifferencesWhereAValueIsNotPositive) {
    const SampledTest test = test_sampled(
        std::vector<double>{0, 1, 2, 3, 4},
        std::vector<double>{10, 11, 12, 13, 14},
        RankMethod::rank_sum,
        0.05
    );
    EXPECT_FALSE(test.is_ratio);
    EXPECT_EQ(test.estimate, 10.0);
    EXPECT_GT(test.low, 0.0);
    EXPECT_EQ(judge_sampled(test, Direction::lower, 5.0, 0.05).verdict, Verdict::regressed);
    EXPECT_EQ(judge_sampled(test, Direction::higher, 5.0, 0.05).verdict, Verdict::improved);
    EXPECT_EQ(judge_sampled(test, Direction::lower, 20.0, 0.05).verdict, Verdict::same);
}

TEST(TestSampled, DetectsNothingWithThreeRuns) {
    const std::vector<double> values{1, 2, 3};
    EXPECT_FALSE(test_sampled(values, values, RankMethod::rank_sum, 0.05).detectable.has_value());
}

TEST(TestSampled, WidensTheIntervalForSeveralLooks) {
    const std::vector<double> a{100, 101, 102, 103, 104, 105, 106, 107};
    const std::vector<double> b{104, 102, 109, 101, 111, 107, 103, 112};
    const SampledTest once = test_sampled(a, b, RankMethod::signed_rank, 0.05);
    const SampledTest thrice = test_sampled(a, b, RankMethod::signed_rank, 0.05 / 3.0);
    EXPECT_LT(thrice.low, once.low);
    EXPECT_GT(thrice.high, once.high);
    EXPECT_GT(thrice.level, 0.98);
}

TEST(TestSampled, KeepsTheOrderOfPairs) {
    const std::vector<double> a{100, 200, 300, 400, 500, 600};
    std::vector<double> b;
    for (const double value : a) {
        b.push_back(value * 1.01);
    }
    const SampledTest pairs = test_sampled(a, b, RankMethod::signed_rank, 0.05);
    EXPECT_NEAR(pairs.estimate, 1.01, 1e-12);
    EXPECT_NEAR(pairs.low, 1.01, 1e-12);
    EXPECT_DOUBLE_EQ(pairs.p, 2.0 / 64.0);
}

} // namespace
} // namespace kvprof::analyzers
