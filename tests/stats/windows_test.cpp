#include "stats/windows.h"

#include "tests/stats/reference_values.h"

#include <gtest/gtest.h>

#include <numeric>

namespace kvprof::stats {
namespace {

using namespace reference;

TEST(SteadyFrom, HasTheWorkedWindows) {
    EXPECT_EQ(steady_from(kWindows), 2U);
    EXPECT_EQ(steady_from(std::span(kWindows).first(6)), std::nullopt); // +1.12 %, +0.64 %
    EXPECT_EQ(steady_from(std::span(kWindows).first(7)), 2U);           // +0.40 %
}

TEST(SteadyFrom, NeedsFiveWindows) {
    EXPECT_EQ(steady_from(Values(4, 1.0)), std::nullopt);
    EXPECT_EQ(steady_from(Values(5, 1.0)), 0U);
    EXPECT_EQ(steady_from({}), std::nullopt);
}

TEST(SteadyFrom, WaitsForTheClock) {
    const Values windows(7, 1.0);
    EXPECT_EQ(steady_from(windows, Values{1700, 1755, 1755, 1755, 1755, 1755, 1755}), 1U);
    EXPECT_EQ(steady_from(windows, Values{1740, 1755, 1755, 1755, 1755, 1755, 1755}), 0U);
    EXPECT_EQ(steady_from(windows, Values{1700, 1755, 1755, 1700, 1755, 1755, 1755}), std::nullopt);
}

TEST(SteadyFrom, TakesNoNoticeOfUnknownClocks) {
    EXPECT_EQ(steady_from(Values(5, 1.0), Values{0, 1755, 0, 1750, 0}), 0U);
    EXPECT_EQ(steady_from(Values(5, 1.0), Values{0, 1755, 0, 1700, 0}), std::nullopt);
    EXPECT_EQ(steady_from(Values(5, 1.0), Values(5, 0.0)), 0U);
}

TEST(IsDrifting, NeedsBothATrendAndASize) {
    EXPECT_TRUE(is_drifting(kWindows)); // p 0.000532, -0.15 of 12.41
    EXPECT_FALSE(is_drifting(std::span(kWindows).last(5)));
    Values tiny;
    for (int i = 0; i < 20; ++i) {
        tiny.push_back(1000.0 + 0.1 * i);
    }
    EXPECT_FALSE(is_drifting(tiny)); // 0.2 % over all windows, and without doubt
    for (double& window : tiny) {
        window = 1000.0 + 2.0 * (window - 1000.0);
    }
    EXPECT_TRUE(is_drifting(tiny));                                  // 0.4 %
    EXPECT_FALSE(is_drifting(Values{1.0, 5.0, 2.0, 6.0, 1.0, 5.0})); // much, and no trend
}

TEST(MedianPrecision, IsHalfTheIntervalOfTheMedian) {
    Values values(20);
    std::iota(values.rbegin(), values.rend(), 91.0);
    // The 6th and the 15th of 91 .. 110, about 100.5.
    EXPECT_DOUBLE_EQ(median_precision(values).value(), (105.0 - 96.0) / 2.0 / 100.5);
}

TEST(MedianPrecision, NeedsSixValues) {
    EXPECT_EQ(median_precision(Values(5, 1.0)), std::nullopt);
    EXPECT_EQ(median_precision(Values(6, 1.0)), 0.0);
}

} // namespace
} // namespace kvprof::stats
