#include "analyzers/summary.h"

#include <gtest/gtest.h>

namespace kvprof::analyzers {
namespace {

TEST(Summary, TakesTheMiddleOfAnOddNumber) {
    const Summary wanted{.n = 3, .min = 1.0, .median = 2.0, .max = 9.0, .mad = 1.0};
    EXPECT_EQ(summarise({9.0, 1.0, 2.0}), wanted);
}

TEST(Summary, TakesTheMeanOfTheMiddleTwo) {
    const Summary wanted{.n = 4, .min = 1.0, .median = 2.5, .max = 8.0, .mad = 1.0};
    EXPECT_EQ(summarise({1.0, 2.0, 3.0, 8.0}), wanted);
}

TEST(Summary, OfOneValueHasNoSpread) {
    const Summary wanted{.n = 1, .min = 5.0, .median = 5.0, .max = 5.0, .mad = 0.0};
    EXPECT_EQ(summarise({5.0}), wanted);
}

TEST(Summary, OfNothingIsNothing) {
    EXPECT_EQ(summarise({}), std::nullopt);
}

// Case V3 of the reference data: seven medians of a decode step in us.
TEST(Summary, MatchesTheReferenceCase) {
    const auto summary = summarise({12410.2, 12396.7, 12431.9, 12405.5, 12418.3, 12389.0, 12402.6});
    ASSERT_TRUE(summary);
    EXPECT_DOUBLE_EQ(summary->median, 12405.5);
    EXPECT_NEAR(summary->mad, 8.8, 1e-9);
}

} // namespace
} // namespace kvprof::analyzers
