#include "stats/median.h"

#include "tests/stats/reference_values.h"

#include <gtest/gtest.h>

namespace kvprof::stats {
namespace {

using namespace reference;

TEST(Median, TakesTheMiddleOfAnOddNumber) {
    EXPECT_EQ(median({9.0, 1.0, 2.0}), 2.0);
    EXPECT_EQ(median({7.0}), 7.0);
}

TEST(Median, TakesTheMeanOfTheMiddleTwo) {
    EXPECT_EQ(median({8.0, 3.0, 1.0, 2.0}), 2.5);
    EXPECT_EQ(median({2.0, 1.0}), 1.5);
}

TEST(Median, HasTheReferenceCases) {
    EXPECT_DOUBLE_EQ(median(kV3.a), 12405.5);
    EXPECT_DOUBLE_EQ(median(kV3.b), 12590.8);
    EXPECT_NEAR(median(kV3.b) / median(kV3.a), 1.014937, 5e-7);
    EXPECT_NEAR(median(kV16.a), 12407.3, 1e-9);
    EXPECT_NEAR(median(kV16.b), 12592.7, 1e-9);
    EXPECT_NEAR(median(kV1.a) / median(kV1.b), 1.014569, 5e-7);
}

TEST(MedianDeviation, HasTheReferenceCases) {
    EXPECT_NEAR(median_deviation(kV3.a), 8.8, 1e-9);
    EXPECT_NEAR(median_deviation(kV3.b), 18.9, 1e-9);
    EXPECT_NEAR(median_deviation(kV16.a), 7.65, 1e-9);
    EXPECT_NEAR(median_deviation(kV16.b), 12.40, 1e-9);
    EXPECT_EQ(median_deviation({5.0, 5.0, 5.0, 9.0}), 0.0);
}

TEST(MedianCut, LeavesTwoAndAHalfPercentOnEachSide) {
    // P(X <= 5) of 20 throws is 2.07 %, P(X <= 6) is 5.77 %: the 6th from either end.
    EXPECT_EQ(median_cut(20), 6U);
    EXPECT_EQ(median_cut(6), 1U); // 1/64
    EXPECT_EQ(median_cut(5), 0U); // 1/32
    EXPECT_EQ(median_cut(0), 0U);
}

TEST(MedianCut, SurvivesManyValues) {
    EXPECT_NEAR(static_cast<double>(median_cut(10'000)), 4902.0, 1.0); // 5000 - 1.96 * 50
}

TEST(Median, OfADriftIsThatOfTheOrder) {
    const auto ratio = [](const Sides& sides) { return median(sides.b) / median(sides.a); };
    EXPECT_NEAR(ratio(drifting("AAAAAAAABBBBBBBB")), 1.011937, 5e-7);
    EXPECT_NEAR(ratio(drifting("ABBAABBAABBAABBA")), 1.0, 5e-7);
}

} // namespace
} // namespace kvprof::stats
