#include "stats/shift.h"

#include "stats/split_mix.h"
#include "tests/stats/reference_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace kvprof::stats {
namespace {

using namespace reference;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Wanted {
    double estimate;
    double low;
    double high;
    double level;
};

void expect_ratio(const Shift& shift, const Wanted& wanted) {
    EXPECT_NEAR(std::exp(shift.estimate), wanted.estimate, 5e-7);
    EXPECT_NEAR(std::exp(shift.low), wanted.low, 5e-7);
    EXPECT_NEAR(std::exp(shift.high), wanted.high, 5e-7);
    EXPECT_NEAR(shift.level, wanted.level, 5e-6);
}

Shift ratio_of(const Sides& sides) {
    return shift_between(logs_of(sides.a), logs_of(sides.b));
}

TEST(ShiftBetween, HasTheReferenceCases) {
    expect_ratio(ratio_of(kV2), {1.016000, 1.012987, 1.019019, 0.96825});
    expect_ratio(ratio_of(kV3), {1.014723, 1.012782, 1.016878, 0.96212});
    expect_ratio(ratio_of(kV4), {1.000210, 0.998857, 1.001548, 0.96212});
    expect_ratio(ratio_of(kV5), {1.003499, 1.002168, 1.004835, 0.96212});
    expect_ratio(ratio_of(kV6), {1.079186, 0.912046, 1.322222, 0.96212});
    expect_ratio(ratio_of(kV7), {1.012048, 1.000000, 1.024096, 0.96825});
    expect_ratio(ratio_of(kV8), {1.0, 1.0, 1.0, 0.95887});
    expect_ratio(ratio_of(kV9), {1.006448, 0.989120, 1.024588, 0.95012});
    expect_ratio(ratio_of(kV10), {1.012151, 1.006418, 1.015110, 0.96212});
    expect_ratio(ratio_of(kV11), {1.037512, 1.034517, 1.040554, 0.96825});
    expect_ratio(ratio_of(kV16), {1.014898, 1.013189, 1.016289, 0.95012});
}

TEST(ShiftBetween, GivesNoIntervalOfThreeASide) {
    const Shift shift = ratio_of(kV1);
    EXPECT_NEAR(std::exp(shift.estimate), 0.985640, 5e-7);
    EXPECT_EQ(std::exp(shift.low), 0.0);
    EXPECT_EQ(shift.high, kInfinity);
    EXPECT_EQ(shift.level, 1.0);
}

TEST(ShiftBetween, SeesNothingInTheCyclesOfAThrottledDevice) {
    Sides cycles = kV11;
    for (std::size_t i = 0; i < cycles.a.size(); ++i) {
        cycles.a[i] *= 1.755;
        cycles.b[i] *= kV11ClocksB[i];
    }
    EXPECT_NEAR(rank_sum(cycles.a, cycles.b).p, 0.841270, 5e-7);
    expect_ratio(ratio_of(cycles), {0.999351, 0.997380, 1.001330, 0.96825});
}

TEST(ShiftBetween, CancelsDriftInBlocksOnly) {
    EXPECT_NEAR(std::exp(ratio_of(drifting("AAAAAAAABBBBBBBB")).estimate), 1.011937, 5e-7);
    EXPECT_NEAR(ratio_of(drifting("ABBAABBAABBAABBA")).estimate, 0.0, 5e-6);
}

TEST(ShiftOfPairs, HasTheReferenceCases) {
    expect_ratio(shift_of_pairs(log_ratios(kV9)), {1.006096, 1.005095, 1.006804, 0.96094});
    expect_ratio(shift_of_pairs(log_ratios(kV16)), {1.014943, 1.014140, 1.015658, 0.96094});
}

TEST(ShiftOfPairs, CancelsDriftInBlocks) {
    const Shift shift = shift_of_pairs(log_ratios(drifting("ABBAABBAABBAABBA")));
    EXPECT_NEAR(std::exp(shift.estimate), 1.000002, 5e-7);
}

TEST(ShiftOfPairs, GivesNoIntervalOfFive) {
    const Shift shift = shift_of_pairs(Values{1.0, 2.0, 3.0, 4.0, 5.0});
    EXPECT_EQ(shift.estimate, 3.0);
    EXPECT_EQ(shift.low, -kInfinity);
    EXPECT_EQ(shift.high, kInfinity);
}

/// Values with many ties, of both signs, zero among them.
Values drawn(SplitMix64& random, std::size_t n) {
    Values values;
    for (std::size_t i = 0; i < n; ++i) {
        values.push_back(static_cast<double>(random.below(41)) / 10.0 - 2.0);
    }
    return values;
}

Shift of_sorted(Values all, const Cut& cut) {
    std::sort(all.begin(), all.end());
    const std::size_t middle = all.size() / 2;
    Shift shift{
        .estimate = all.size() % 2 == 1 ? all[middle] : (all[middle - 1] + all[middle]) / 2};
    shift.low = cut.c > 0 ? all[cut.c - 1] : -kInfinity;
    shift.high = cut.c > 0 ? all[all.size() - cut.c] : kInfinity;
    return shift;
}

void expect_equal(const Shift& found, const Shift& wanted) {
    EXPECT_EQ(found.estimate, wanted.estimate);
    EXPECT_EQ(found.low, wanted.low);
    EXPECT_EQ(found.high, wanted.high);
}

// The selection gives the very values that sorting would give, bit for bit.
TEST(Shift, SelectsWhatSortingFinds) {
    SplitMix64 random(7);
    for (int round = 0; round < 200; ++round) {
        const Values a = drawn(random, 1 + random.below(12));
        const Values b = drawn(random, 1 + random.below(12));
        Values differences;
        for (const double x : a) {
            for (const double y : b) {
                differences.push_back(y - x);
            }
        }
        expect_equal(
            shift_between(a, b), of_sorted(differences, rank_sum_cut(a.size(), b.size(), 0.05))
        );
        EXPECT_EQ(median_difference(a, b), shift_between(a, b).estimate);
        Values averages;
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t j = i; j < a.size(); ++j) {
                averages.push_back((a[i] + a[j]) / 2.0);
            }
        }
        expect_equal(shift_of_pairs(a), of_sorted(averages, signed_rank_cut(a.size(), 0.05)));
    }
}

TEST(Shift, TakesOtherLevels) {
    const Shift wide = shift_between(kV3.a, kV3.b, 0.01);
    const Shift narrow = shift_between(kV3.a, kV3.b, 0.2);
    EXPECT_LT(wide.low, narrow.low);
    EXPECT_GT(wide.high, narrow.high);
    EXPECT_GE(wide.level, 0.99);
    EXPECT_GE(narrow.level, 0.8);
}

TEST(Shift, OfAThousandASideIsThatOfItsSamples) {
    SplitMix64 random(1);
    Values a;
    Values b;
    for (int i = 0; i < 1000; ++i) {
        a.push_back(static_cast<double>(random.below(1'000'000)));
        b.push_back(static_cast<double>(random.below(1'000'000)) + 30'000.0);
    }
    const Shift shift = shift_between(a, b);
    // Uniform over 1e6: the estimate has a deviation of 1e6/sqrt(12) * sqrt(2/1000).
    EXPECT_NEAR(shift.estimate, 30'000.0, 3.0 * 12'910.0);
    EXPECT_NEAR(shift.high - shift.low, 2.0 * 1.96 * 12'910.0, 3'000.0);
}

} // namespace
} // namespace kvprof::stats
