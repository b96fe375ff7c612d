#include "stats/line_fit.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace kvprof::stats {
namespace {

using Values = std::vector<double>;

/// NIST's reference data set Norris, whose fit is certified to 15 digits.
constexpr std::array kNorrisX{0.2,   337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6,
                              777.0, 558.2, 0.4,   0.6,   775.5, 666.9, 338.0, 447.5, 11.6,
                              556.0, 228.1, 995.8, 887.6, 120.2, 0.3,   0.3,   556.8, 339.1,
                              887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5};
constexpr std::array kNorrisY{0.1,   338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1,
                              778.9, 559.2, 0.3,   0.1,   778.1, 668.8, 339.3, 448.9, 10.8,
                              557.7, 228.3, 998.0, 888.8, 119.6, 0.3,   0.6,   557.6, 339.3,
                              888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2};

TEST(LineFit, HasTheCertifiedCoefficientsAndErrorsOfNorris) {
    const auto fit = fit_line(kNorrisX, kNorrisY);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->intercept.value, -0.262323073774029, 1e-10);
    EXPECT_NEAR(fit->intercept.error, 0.232818234301152, 1e-10);
    EXPECT_NEAR(fit->slope.value, 1.00211681802045, 1e-12);
    EXPECT_NEAR(fit->slope.error, 0.429796848199937e-3, 1e-13);
    EXPECT_EQ(fit->slope.degrees, 34U);
}

/// y = 1, 3, 2 at x = 0, 1, 2: slope 1/2, intercept 3/2, residuals -1/2, 1, -1/2 of variance 3/2.
TEST(LineFit, HasAnIntervalByStudentsTOfTheResiduals) {
    const auto fit = fit_line(Values{0.0, 1.0, 2.0}, Values{1.0, 3.0, 2.0});
    ASSERT_TRUE(fit);
    EXPECT_DOUBLE_EQ(fit->slope.value, 0.5);
    EXPECT_DOUBLE_EQ(fit->intercept.value, 1.5);
    EXPECT_DOUBLE_EQ(fit->slope.error, std::sqrt(1.5 / 2.0));
    EXPECT_DOUBLE_EQ(fit->intercept.error, std::sqrt(1.5 * (1.0 / 3.0 + 1.0 / 2.0)));
    const Bounds bounds = bounds_of(fit->slope);
    EXPECT_NEAR(bounds.high, 0.5 + 12.7062047 * std::sqrt(0.75), 1e-6);
    EXPECT_NEAR(bounds.low, 0.5 - 12.7062047 * std::sqrt(0.75), 1e-6);
}

TEST(LineFit, OfPointsOnALineHasNoError) {
    const auto fit = fit_line(Values{1.0, 2.0, 4.0}, Values{5.0, 7.0, 11.0});
    ASSERT_TRUE(fit);
    EXPECT_DOUBLE_EQ(fit->intercept.value, 3.0);
    EXPECT_DOUBLE_EQ(fit->slope.value, 2.0);
    EXPECT_NEAR(bounds_of(fit->slope).high, 2.0, 1e-12);
}

TEST(LineFit, NeedsThreeDifferentPlaces) {
    EXPECT_FALSE(fit_line(Values{}, Values{}));
    EXPECT_FALSE(fit_line(Values{1.0, 2.0}, Values{1.0, 2.0}));
    EXPECT_FALSE(fit_line(Values{1.0, 1.0, 2.0, 2.0}, Values{1.0, 1.1, 2.0, 2.1}));
}

/// The elasticity of t = 7 x^1.5 is 1.5, in whatever unit.
TEST(PowerFit, FindsTheExponentOfAPowerLaw) {
    const Values x{1.0, 10.0, 100.0, 1000.0};
    Values y;
    for (const double each : x) {
        y.push_back(7.0 * std::pow(each, 1.5));
    }
    const auto fit = fit_power(x, y);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->slope.value, 1.5, 1e-12);
    EXPECT_NEAR(std::exp(fit->intercept.value), 7.0, 1e-9);
}

/// Between two ends whose middle lies on their line: ln(160.2 / 158.5) / ln(128).
TEST(PowerFit, HasTheElasticityOfAGridThatIsBakedFromTheContext) {
    const Values seq_len{1024.0, 11585.24, 131072.0};
    const Values us{158.5, std::sqrt(158.5 * 160.2), 160.2};
    const auto fit = fit_power(seq_len, us);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->slope.value, 0.0022, 5e-5);
}

TEST(PowerFit, HasNoneOfWhatIsNotAboveZero) {
    EXPECT_FALSE(fit_power(Values{0.0, 1.0, 2.0}, Values{1.0, 2.0, 3.0}));
    EXPECT_FALSE(fit_power(Values{1.0, 2.0, 3.0}, Values{1.0, 0.0, 3.0}));
}

/// Equal errors and degrees: the degrees add up. One error of none: those of the other count.
TEST(Difference, IsOfTwoIndependentFitsWithWelchsDegrees) {
    const Coefficient a{1.0, 0.3, 4};
    const Coefficient both = difference_of(a, {2.5, 0.3, 4});
    EXPECT_DOUBLE_EQ(both.value, 1.5);
    EXPECT_DOUBLE_EQ(both.error, std::sqrt(0.18));
    EXPECT_EQ(both.degrees, 8U);
    EXPECT_EQ(difference_of(a, {2.5, 0.0, 2}).degrees, 4U);
    EXPECT_EQ(difference_of({1.0, 0.0, 3}, {1.0, 0.0, 5}).degrees, 3U);
}

} // namespace
} // namespace kvprof::stats
