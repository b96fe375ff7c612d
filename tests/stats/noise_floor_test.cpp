#include "stats/noise_floor.h"

#include "tests/stats/reference_values.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kvprof::stats {
namespace {

using reference::Values;

const Values kRuns{
    12410.2,
    12396.7,
    12431.9,
    12405.5,
    12418.3,
    12389.0,
    12402.6,
    12421.8,
    12399.3,
    12412.7,
    12393.5,
    12427.0};

TEST(NoiseFloor, HasTheWorkedNumbers) {
    const NoiseFloor floor = noise_floor(kRuns, 1);
    EXPECT_NEAR(floor.sigma, 0.001291, 5e-7);
    EXPECT_NEAR(std::expm1(floor.log_ratio), 0.001630, 5e-7);
    EXPECT_EQ(floor.splits, 462U);
}

TEST(NoiseFloor, NeedsNoSeedWhereAllSplitsAreTried) {
    EXPECT_EQ(noise_floor(kRuns, 1).log_ratio, noise_floor(kRuns, 2).log_ratio);
}

TEST(NoiseFloor, LeavesTheLastOfAnOddNumberOutOfTheSplits) {
    Values odd = kRuns;
    odd.push_back(99999.0);
    EXPECT_EQ(noise_floor(odd, 1).log_ratio, noise_floor(kRuns, 1).log_ratio);
    EXPECT_NE(noise_floor(odd, 1).sigma, noise_floor(kRuns, 1).sigma);
}

TEST(NoiseFloor, TriesTheThreeSplitsOfFour) {
    // {1 2 | 4 8}, {1 4 | 2 8}, {1 8 | 2 4}: ratios 4, 2 and 1. 99 % of three is the third.
    const NoiseFloor floor = noise_floor(Values{1.0, 2.0, 4.0, 8.0}, 1);
    EXPECT_EQ(floor.splits, 3U);
    EXPECT_NEAR(std::exp(floor.log_ratio), 4.0, 1e-12);
}

Values many_runs() {
    Values runs;
    for (std::size_t i = 0; i < 20; ++i) {
        runs.push_back(kRuns[i % kRuns.size()] + 0.1 * static_cast<double>(i));
    }
    return runs;
}

TEST(NoiseFloor, DrawsSplitsOfManyRunsWithTheSeed) {
    const NoiseFloor floor = noise_floor(many_runs(), 7);
    EXPECT_EQ(floor.splits, NoiseFloor::kMostSplits);
    EXPECT_EQ(floor.log_ratio, noise_floor(many_runs(), 7).log_ratio);
    // All 92,378 splits have some floor near: draws of 5,000 agree to a tenth or so.
    EXPECT_NEAR(floor.log_ratio, noise_floor(many_runs(), 8).log_ratio, 0.1 * floor.log_ratio);
}

TEST(NoiseFloor, OfEqualRunsIsZero) {
    const NoiseFloor floor = noise_floor(Values(10, 5.0), 1);
    EXPECT_EQ(floor.sigma, 0.0);
    EXPECT_EQ(floor.log_ratio, 0.0);
    EXPECT_EQ(floor.splits, 126U);
}

} // namespace
} // namespace kvprof::stats
