#include "stats/quantiles.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace kvprof::stats {
namespace {

struct Row {
    std::size_t degrees;
    double p80;
    double p97_5;
    double p99_9;
};

// sqrt(n (1 - x) / x) with x = scipy.special.betaincinv(n/2, 1/2, 2 (1 - p)): scipy.stats.t.ppf is
// wrong from the ninth digit.
constexpr std::array kRows{
    Row{3, 0.978472312363304, 3.18244630528371, 10.214531852407386},
    Row{5, 0.919543780240826, 2.5705818356363155, 5.89342953135601},
    Row{7, 0.8960296443137649, 2.364624251592785, 4.785289628638334},
    Row{12, 0.8726092915881383, 2.178812829667229, 3.929633264626492},
    Row{30, 0.8537672614712973, 2.042272456301239, 3.3851848668293054},
    Row{100, 0.8452304244910159, 1.983971518523551, 3.173739493738785},
    Row{1000, 0.8419808221628032, 1.9623390808262562, 3.098402163912826},
    Row{1'000'000, 0.8416215928075631, 1.9599663568838133, 3.0902404563613195}};

TEST(StudentT, MatchesTheTables) {
    for (const Row& row : kRows) {
        EXPECT_NEAR(student_t(row.degrees, 0.8), row.p80, 1e-9) << row.degrees;
        EXPECT_NEAR(student_t(row.degrees, 0.975), row.p97_5, 1e-9) << row.degrees;
        EXPECT_NEAR(student_t(row.degrees, 0.999), row.p99_9, 1e-9) << row.degrees;
    }
}

TEST(StudentT, HasTheClosedFormsOfOneAndTwoDegrees) {
    for (const double p : {0.500001, 0.6, 0.75, 0.975, 0.9999, 1.0 - 1e-9}) {
        const double one = 1.0 / std::tan(std::numbers::pi * (1.0 - p));
        const double two = (2.0 * p - 1.0) / std::sqrt(2.0 * p * (1.0 - p));
        EXPECT_NEAR(student_t(1, p) / one, 1.0, 1e-10) << p;
        EXPECT_NEAR(student_t(2, p) / two, 1.0, 1e-10) << p;
    }
}

TEST(StudentT, IsOddAboutTheMiddle) {
    for (const std::size_t degrees : {std::size_t{1}, std::size_t{6}, std::size_t{500}}) {
        EXPECT_EQ(student_t(degrees, 0.5), 0.0);
        EXPECT_DOUBLE_EQ(student_t(degrees, 0.125), -student_t(degrees, 0.875));
    }
}

TEST(NormalQuantile, MatchesTheTables) {
    EXPECT_NEAR(normal_quantile(0.8), 0.8416212335729143, 1e-12);
    EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
    EXPECT_NEAR(normal_quantile(0.001), -3.090232306167813, 1e-12);
    EXPECT_NEAR(normal_quantile(1e-20), -9.262340089798409, 1e-12);
    EXPECT_EQ(normal_quantile(0.5), 0.0);
}

TEST(NormalTail, MatchesTheTables) {
    EXPECT_NEAR(normal_tail(1.96), 0.024997895148220435, 1e-15);
    EXPECT_NEAR(normal_tail(5.0), 2.866515718791933e-07, 1e-20);
    EXPECT_NEAR(normal_tail(-1.0), 0.8413447460685429, 1e-15);
}

} // namespace
} // namespace kvprof::stats
