#include "stats/trend.h"

#include "tests/stats/reference_values.h"

#include <gtest/gtest.h>

namespace kvprof::stats {
namespace {

using namespace reference;

TEST(Trend, HasTheWorkedWindows) {
    const Trend trend = trend_of(kWindows);
    EXPECT_EQ(trend.s, -39);
    EXPECT_NEAR(trend.variance, 120.333, 5e-4);
    EXPECT_NEAR(trend.z, -3.4641, 5e-5);
    EXPECT_NEAR(trend.p, 0.000532, 5e-7);
    EXPECT_NEAR(trend.slope, -0.015, 1e-12);
}

TEST(Trend, HasTheLastFiveWindows) {
    const Trend trend = trend_of(std::span(kWindows).last(5));
    EXPECT_EQ(trend.s, -4);
    EXPECT_NEAR(trend.z, -0.8660, 5e-5);
    EXPECT_NEAR(trend.p, 0.386476, 5e-7);
}

TEST(Trend, IsUpWhereValuesRise) {
    const Trend trend = trend_of(Values{1.0, 2.0, 3.0, 4.0});
    EXPECT_EQ(trend.s, 6);
    EXPECT_GT(trend.z, 0.0);
    EXPECT_EQ(trend.slope, 1.0);
}

TEST(Trend, IsNoneOfEqualValuesOrOne) {
    EXPECT_EQ(trend_of(Values{3.0, 3.0, 3.0}).p, 1.0);
    EXPECT_EQ(trend_of(Values{3.0, 3.0, 3.0}).slope, 0.0);
    EXPECT_EQ(trend_of(Values{3.0}).p, 1.0);
}

} // namespace
} // namespace kvprof::stats
