#include "analyzers/estimate.h"

#include <gtest/gtest.h>

#include <numeric>

namespace kvprof::analyzers {
namespace {

std::vector<double> one_to(int n) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

TEST(MeanPerStep, TakesStudentsIntervalOfTheGroups) {
    // Mean 20, standard deviation 10 of three: 10 / sqrt(3) x t(2) = 4.30265.
    const Estimate mean = mean_per_step({{10, 1}, {20, 1}, {30, 1}});
    EXPECT_DOUBLE_EQ(mean.value, 20.0);
    EXPECT_NEAR(margin_of(mean), 24.84138, 1e-5);
}

TEST(MeanPerStep, WeighsAGroupByItsSteps) {
    EXPECT_DOUBLE_EQ(mean_per_step({{10, 1}, {90, 3}}).value, 25.0);
}

TEST(MeanPerStep, GivesNoIntervalOfTwoGroups) {
    EXPECT_FALSE(mean_per_step({{10, 1}, {20, 1}}).interval);
    EXPECT_DOUBLE_EQ(margin_of(mean_per_step({{10, 1}})), 0.0);
}

TEST(MedianWithInterval, TakesOrderStatistics) {
    // P(X <= 5) of 20 throws is 2.07 %, P(X <= 6) is 5.77 %: the 6th from either end.
    const Estimate median = median_with_interval(one_to(20));
    EXPECT_DOUBLE_EQ(median.value, 10.5);
    EXPECT_EQ(median.interval, (Interval{6.0, 15.0}));
}

TEST(MedianWithInterval, NeedsSixValues) {
    EXPECT_EQ(median_with_interval(one_to(6)).interval, (Interval{1.0, 6.0}));
    EXPECT_FALSE(median_with_interval(one_to(5)).interval);
}

TEST(MedianWithInterval, SurvivesManyValues) {
    // n/2 - 1.96 sqrt(n)/2 = 4902 of 10,000
    const Estimate median = median_with_interval(one_to(10'000));
    EXPECT_NEAR(median.interval->low, 4902.0, 1.0);
}

} // namespace
} // namespace kvprof::analyzers
