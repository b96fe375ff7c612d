#include "stats/detectable.h"

#include "tests/stats/reference_values.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace kvprof::stats {
namespace {

using namespace reference;

TEST(DetectableFactor, IsSimulatedUpToEightRuns) {
    EXPECT_EQ(detectable_factor(1, 1), std::nullopt);
    EXPECT_EQ(detectable_factor(3, 3), std::nullopt);
    EXPECT_EQ(detectable_factor(4, 4), 2.90);
    EXPECT_EQ(detectable_factor(5, 5), 2.31);
    EXPECT_EQ(detectable_factor(6, 6), 1.92);
    EXPECT_EQ(detectable_factor(7, 7), 1.77);
    EXPECT_EQ(detectable_factor(8, 8), 1.55);
    EXPECT_EQ(detectable_factor(9, 9), detectable_formula(9, 9));
    EXPECT_EQ(detectable_factor(100, 100), detectable_formula(100, 100));
}

TEST(DetectableFactor, OfPairsIsSimulatedUpToEight) {
    EXPECT_EQ(paired_detectable_factor(0), std::nullopt);
    EXPECT_EQ(paired_detectable_factor(5), std::nullopt);
    EXPECT_EQ(paired_detectable_factor(6), 1.79);
    EXPECT_EQ(paired_detectable_factor(7), 1.33);
    EXPECT_EQ(paired_detectable_factor(8), 1.25);
    EXPECT_EQ(paired_detectable_factor(9), paired_detectable_formula(9));
}

TEST(DetectableFactor, OfUnequalSidesIsTheFormulaWhereTheTestCanReachIt) {
    EXPECT_EQ(detectable_factor(10, 3), detectable_formula(10, 3));
    EXPECT_EQ(detectable_factor(5, 2), std::nullopt); // 2/21
    EXPECT_EQ(detectable_factor(19, 1), std::nullopt);
    EXPECT_EQ(detectable_formula(3, 10), detectable_formula(10, 3));
}

TEST(DetectableFormula, IsTheTable) {
    constexpr std::array<std::size_t, 11> kRuns{3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30};
    constexpr std::array kFactors{
        3.106, 2.426, 2.068, 1.836, 1.669, 1.542, 1.356, 1.225, 1.085, 0.931, 0.753};
    for (std::size_t i = 0; i < kRuns.size(); ++i) {
        EXPECT_NEAR(detectable_formula(kRuns[i], kRuns[i]), kFactors[i], 5e-4) << kRuns[i];
    }
    constexpr std::array<std::size_t, 7> kPairs{6, 7, 8, 10, 12, 15, 20};
    constexpr std::array kPaired{1.458, 1.297, 1.180, 1.018, 0.909, 0.796, 0.676};
    for (std::size_t i = 0; i < kPairs.size(); ++i) {
        EXPECT_NEAR(paired_detectable_formula(kPairs[i]), kPaired[i], 5e-4) << kPairs[i];
    }
}

TEST(DetectableFormula, SeesNothingWithoutDegreesOfFreedom) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(detectable_formula(1, 1), kInfinity);
    EXPECT_EQ(detectable_formula(0, 5), kInfinity);
    EXPECT_EQ(paired_detectable_formula(1), kInfinity);
}

TEST(DetectableEffect, HasTheWorkedNumbers) {
    constexpr double kSigma = 0.004;
    EXPECT_NEAR(detectable_effect(detectable_formula(5, 5), kSigma), 0.008305, 5e-7);
    EXPECT_NEAR(detectable_effect(detectable_formula(7, 7), kSigma), 0.006699, 5e-7);
    EXPECT_NEAR(detectable_effect(detectable_formula(10, 10), kSigma), 0.005439, 5e-7);
}

TEST(DetectableEffect, HasTheReferenceCases) {
    const double of_v3 = pooled_deviation(logs_of(kV3.a), logs_of(kV3.b));
    EXPECT_NEAR(of_v3, 0.001581, 5e-7);
    EXPECT_NEAR(detectable_effect(detectable_formula(7, 7), of_v3), 0.00264, 5e-6);
    const double of_v6 = pooled_deviation(logs_of(kV6.a), logs_of(kV6.b));
    EXPECT_NEAR(detectable_effect(detectable_formula(7, 7), of_v6), 0.251, 5e-4);
    EXPECT_NEAR(detectable_effect(detectable_factor(7, 7).value(), of_v6), 0.268, 5e-4);
    const double of_v16 = deviation(log_ratios(kV16));
    EXPECT_NEAR(of_v16, 0.0007486, 5e-8);
    EXPECT_NEAR(detectable_effect(paired_detectable_factor(8).value(), of_v16), 0.00094, 5e-6);
}

TEST(RunsToDetect, IsTheTable) {
    constexpr std::array kEffects{0.005, 0.01, 0.02, 0.05};
    constexpr std::array kSigmas{0.002, 0.005, 0.01, 0.02};
    constexpr std::array<std::array<std::size_t, 4>, 4> kRuns{
        {{4, 4, 4, 4}, {18, 6, 4, 4}, {68, 18, 6, 4}, {266, 68, 18, 4}}};
    for (std::size_t i = 0; i < kSigmas.size(); ++i) {
        for (std::size_t j = 0; j < kEffects.size(); ++j) {
            EXPECT_EQ(runs_to_detect(kEffects[j], kSigmas[i]), kRuns[i][j]) << i << ' ' << j;
        }
    }
}

TEST(RunsToDetect, IsTheFewestThatDo) {
    for (const double sigma : {0.003, 0.0071, 0.013, 0.05, 0.4}) {
        const std::size_t n = runs_to_detect(0.01, sigma);
        EXPECT_LE(detectable_effect(detectable_formula(n, n), sigma), 0.01) << n;
        EXPECT_GT(detectable_effect(detectable_formula(n - 1, n - 1), sigma), n == 4 ? 0.0 : 0.01);
    }
}

TEST(RunsToDetect, EndsWithoutNoiseAndWithTooMuch) {
    EXPECT_EQ(runs_to_detect(0.01, 0.0), 4U);
    EXPECT_EQ(runs_to_detect(1e-12, 1.0), 1'000'000'000U);
}

TEST(Deviation, TakesTheMeanOutOfEachSide) {
    EXPECT_DOUBLE_EQ(deviation(Values{1.0, 2.0, 3.0}), 1.0);
    EXPECT_DOUBLE_EQ(pooled_deviation(Values{1.0, 2.0, 3.0}, Values{11.0, 12.0, 13.0}), 1.0);
    EXPECT_DOUBLE_EQ(pooled_deviation(Values{1.0, 2.0, 3.0}, Values{50.0}), 1.0);
}

TEST(Deviation, OfOneValueIsZero) {
    EXPECT_EQ(deviation(Values{5.0}), 0.0);
    EXPECT_EQ(deviation({}), 0.0);
    EXPECT_EQ(pooled_deviation(Values{5.0}, Values{6.0}), 0.0);
}

} // namespace
} // namespace kvprof::stats
