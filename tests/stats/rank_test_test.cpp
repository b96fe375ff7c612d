#include "stats/rank_test.h"

#include "tests/stats/reference_values.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace kvprof::stats {
namespace {

using namespace reference;

double p_of(const Sides& sides) {
    return rank_sum(sides.a, sides.b).p;
}

TEST(RankSum, CountsTheSplitsOfTheReferenceCases) {
    constexpr double kSplits = 1716.0; // of 14 values, each with its mirror image
    EXPECT_DOUBLE_EQ(p_of(kV1), 1.0 / 10.0);
    EXPECT_DOUBLE_EQ(p_of(kV2), 1.0 / 126.0);
    EXPECT_DOUBLE_EQ(p_of(kV3), 1.0 / kSplits);
    EXPECT_DOUBLE_EQ(p_of(kV4), 1381.0 / kSplits);
    EXPECT_DOUBLE_EQ(p_of(kV5), 1.0 / kSplits);
    EXPECT_DOUBLE_EQ(p_of(kV6), 445.0 / kSplits);
    EXPECT_DOUBLE_EQ(p_of(kV10), 1.0 / kSplits);
    EXPECT_DOUBLE_EQ(p_of(kV16), 1.0 / 6435.0);
    EXPECT_NEAR(p_of(kV9), 0.505361, 5e-7);
    EXPECT_NEAR(p_of(kV11), 0.007937, 5e-7);
}

TEST(RankSum, SaysTheSmallerU) {
    EXPECT_EQ(rank_sum(kV4.a, kV4.b).statistic, 22.0);
    EXPECT_EQ(rank_sum(kV4.b, kV4.a).statistic, 22.0);
    EXPECT_EQ(rank_sum(kV6.a, kV6.b).statistic, 15.0);
    EXPECT_EQ(rank_sum(kV7.a, kV7.b).statistic, 3.0);
}

TEST(RankSum, IsExactUnderTies) {
    EXPECT_DOUBLE_EQ(p_of(kV7), 5.0 / 63.0); // the usual approximation says 0.041250
    EXPECT_TRUE(rank_sum(kV7.a, kV7.b).is_exact);
}

TEST(RankSum, OfEqualValuesIsOne) {
    EXPECT_EQ(p_of(kV8), 1.0);
    EXPECT_EQ(p_of({{1.0}, {1.0}}), 1.0);
    EXPECT_EQ(p_of({Values(40, 2656.0), Values(40, 2656.0)}), 1.0); // by approximation
}

/// The second sample has the greater values, but for one of the first that exceeds `u` of them.
Sides with_u(std::size_t n, std::size_t u) {
    Sides sides;
    for (std::size_t i = 1; i < n; ++i) {
        sides.a.push_back(static_cast<double>(i));
    }
    for (std::size_t i = 0; i < n; ++i) {
        sides.b.push_back(static_cast<double>(n + i));
    }
    sides.a.push_back(static_cast<double>(n + u) - 0.5);
    return sides;
}

TEST(RankSum, HasTheTableOfItsUpperTail) {
    constexpr std::array kOfFive{0.007937, 0.015873, 0.031746, 0.055556, 0.095238};
    for (std::size_t u = 0; u < kOfFive.size(); ++u) {
        const RankTest test = rank_sum(with_u(5, u).a, with_u(5, u).b);
        EXPECT_EQ(test.statistic, static_cast<double>(u));
        EXPECT_NEAR(test.p, kOfFive[u], 5e-7) << u;
    }
    EXPECT_NEAR(p_of(with_u(7, 0)), 0.000583, 5e-7);
    EXPECT_NEAR(p_of(with_u(7, 4)), 0.006993, 5e-7);
    EXPECT_NEAR(p_of(with_u(7, 7)), 0.026224, 5e-7);
    // The greatest of a exceeds all seven of b, the next one or two.
    EXPECT_NEAR(p_of({{1, 2, 3, 4, 5, 7.5, 20}, {7, 8, 9, 10, 11, 12, 13}}), 0.037879, 5e-7);
    EXPECT_NEAR(p_of({{1, 2, 3, 4, 5, 8.5, 20}, {7, 8, 9, 10, 11, 12, 13}}), 0.053030, 5e-7);
}

TEST(RankSum, TakesSidesOfUnequalSize) {
    const auto least = [](std::size_t a, std::size_t b) {
        Values low;
        Values high;
        for (std::size_t i = 0; i < a + b; ++i) {
            (i < a ? low : high).push_back(static_cast<double>(i));
        }
        EXPECT_DOUBLE_EQ(rank_sum(high, low).p, rank_sum(low, high).p);
        EXPECT_DOUBLE_EQ(rank_sum(low, high).p, least_rank_sum_p(a, b));
        return rank_sum(low, high).p;
    };
    EXPECT_NEAR(least(10, 3), 0.006993, 5e-7);
    EXPECT_NEAR(least(10, 4), 0.001998, 5e-7);
    EXPECT_NEAR(least(20, 2), 0.008658, 5e-7);
    EXPECT_NEAR(least(19, 1), 0.1, 5e-7);
    EXPECT_NEAR(least(5, 2), 0.095, 5e-4);
    EXPECT_NEAR(least(10, 2), 0.030, 5e-4);
    EXPECT_NEAR(least(5, 4), 0.016, 5e-4);
}

TEST(RankSum, CancelsDriftOnlyInBlocks) {
    const Sides apart = drifting("AAAAAAAABBBBBBBB");
    EXPECT_NEAR(p_of(apart), 0.000155, 5e-7);
    EXPECT_EQ(p_of(drifting("ABBAABBAABBAABBA")), 1.0);
}

Sides interleaved(std::size_t n, double shift) {
    Sides sides;
    for (std::size_t i = 0; i < n; ++i) {
        sides.a.push_back(static_cast<double>(i));
        sides.b.push_back(static_cast<double>(i) + shift);
    }
    return sides;
}

TEST(RankSum, ApproximatesAboveSixtyValues) {
    EXPECT_TRUE(rank_sum(interleaved(30, 0.5).a, interleaved(30, 0.5).b).is_exact);
    EXPECT_FALSE(rank_sum(interleaved(31, 0.5).a, interleaved(31, 0.5).b).is_exact);
    // The two meet: both sides of the border, shifted by a quarter of the range.
    EXPECT_NEAR(p_of(interleaved(30, 7.25)), p_of(interleaved(31, 7.5)), 0.005);
    EXPECT_LT(p_of(interleaved(500, 250.0)), 1e-6);
    EXPECT_EQ(p_of(interleaved(500, 0.0)), 1.0);
}

TEST(SignedRank, HasTheReferenceCases) {
    const RankTest of_v9 = signed_rank(log_ratios(kV9));
    EXPECT_EQ(of_v9.statistic, 36.0);
    EXPECT_DOUBLE_EQ(of_v9.p, 1.0 / 128.0);
    const RankTest of_v16 = signed_rank(log_ratios(kV16));
    EXPECT_EQ(of_v16.statistic, 36.0);
    EXPECT_DOUBLE_EQ(of_v16.p, 1.0 / 128.0);
}

TEST(SignedRank, TellsADriftInBlocksFromAnEffect) {
    EXPECT_DOUBLE_EQ(signed_rank(log_ratios(drifting("ABABABABABABABAB"))).p, 0.0078125);
    EXPECT_DOUBLE_EQ(signed_rank(log_ratios(drifting("ABBAABBAABBAABBA"))).p, 0.84375);
}

TEST(SignedRank, DropsZeros) {
    const RankTest test = signed_rank(Values{0.0, 1.0, 2.0, -0.0, 3.0});
    EXPECT_EQ(test.statistic, 6.0);
    EXPECT_DOUBLE_EQ(test.p, 0.25);
    EXPECT_EQ(signed_rank(Values{0.0, 0.0}).p, 1.0);
    EXPECT_EQ(signed_rank({}).p, 1.0);
}

TEST(SignedRank, GivesTiesTheirMeanRank) {
    // Ranks 1.5 1.5 3; of the eight signs, 6 are reached by +++ alone, 0 by ---.
    EXPECT_EQ(signed_rank(Values{1.0, -1.0, 2.0}).statistic, 4.5);
    EXPECT_DOUBLE_EQ(signed_rank(Values{1.0, -1.0, 2.0}).p, 0.75);
}

TEST(SignedRank, ApproximatesAboveSixtyDifferences) {
    const auto p = [](int count, int step) {
        Values differences;
        for (int i = 1; i <= count; ++i) {
            differences.push_back(i % step == 0 ? -i : i);
        }
        const RankTest test = signed_rank(differences);
        EXPECT_EQ(test.is_exact, count <= 60);
        return test.p;
    };
    EXPECT_NEAR(p(60, 3), 0.035563173784766, 1e-12); // scipy: the approximation says 0.036226
    EXPECT_NEAR(p(61, 3), 0.023661941657942, 1e-12);
    EXPECT_LT(p(1000, 3), 1e-6);
}

TEST(LeastP, IsTheTable) {
    constexpr std::array kRankSum{
        0.333333, 0.1, 0.028571, 0.007937, 0.002165, 0.000583, 0.000155, 0.0000411, 0.0000108};
    constexpr std::array kSignedRank{
        0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.0039063, 0.0019531};
    for (std::size_t i = 0; i < kRankSum.size(); ++i) {
        EXPECT_NEAR(least_rank_sum_p(i + 2, i + 2), kRankSum[i], i < 7 ? 5e-7 : 5e-8) << i + 2;
        EXPECT_NEAR(least_signed_rank_p(i + 2), kSignedRank[i], 5e-8) << i + 2;
    }
}

TEST(LeastP, IsAtMostOne) {
    EXPECT_EQ(least_rank_sum_p(1, 1), 1.0);
    EXPECT_EQ(least_rank_sum_p(0, 5), 1.0);
    EXPECT_EQ(least_signed_rank_p(0), 1.0);
    EXPECT_EQ(least_signed_rank_p(1), 1.0);
}

TEST(LeastP, SurvivesManyRuns) {
    EXPECT_EQ(least_rank_sum_p(1000, 1000), 0.0); // 1e-600
    EXPECT_EQ(least_signed_rank_p(std::size_t{1} << 40U), 0.0);
}

TEST(Fewest, IsTheTable) {
    constexpr std::array<std::size_t, 5> kTests{1, 5, 20, 50, 200};
    constexpr std::array<std::size_t, 5> kRankSum{4, 5, 6, 7, 8};
    constexpr std::array<std::size_t, 5> kSignedRank{6, 8, 10, 11, 13};
    for (std::size_t i = 0; i < kTests.size(); ++i) {
        EXPECT_EQ(fewest_rank_sum(kTests[i], 0.05), kRankSum[i]);
        EXPECT_EQ(fewest_signed_rank(kTests[i], 0.05), kSignedRank[i]);
    }
}

TEST(LeastP, SaysWhatALoneKernelAmongFortyCanReach) {
    constexpr std::array kAdjusted{0.317, 0.087, 0.023, 0.006};
    for (std::size_t i = 0; i < kAdjusted.size(); ++i) {
        EXPECT_NEAR(40.0 * least_rank_sum_p(i + 5, i + 5), kAdjusted[i], 5e-4);
    }
    // At eight a side one kernel among 321 (of pairs, one among 6) can stand alone.
    EXPECT_LE(321.0 * least_rank_sum_p(8, 8), 0.05);
    EXPECT_LE(6.0 * least_signed_rank_p(8), 0.05);
    EXPECT_GT(7.0 * least_signed_rank_p(8), 0.05);
}

struct CutRow {
    std::size_t n;
    std::size_t c;
    double level;
    std::size_t paired_c;
    double paired_level;
};

TEST(Cut, IsTheTable) {
    constexpr std::array kRows{
        CutRow{3, 0, 1.0, 0, 1.0},
        CutRow{4, 1, 0.9714, 0, 1.0},
        CutRow{5, 3, 0.9683, 0, 1.0},
        CutRow{6, 6, 0.9589, 1, 0.9688},
        CutRow{7, 9, 0.9621, 3, 0.9531},
        CutRow{8, 14, 0.9501, 4, 0.9609},
        CutRow{10, 24, 0.9567, 9, 0.9512},
        CutRow{12, 38, 0.9551, 14, 0.9575}};
    for (const CutRow& row : kRows) {
        const Cut cut = rank_sum_cut(row.n, row.n, 0.05);
        EXPECT_EQ(cut.c, row.c) << row.n;
        EXPECT_NEAR(cut.level, row.level, 5e-5) << row.n;
        const Cut paired = signed_rank_cut(row.n, 0.05);
        EXPECT_EQ(paired.c, row.paired_c) << row.n;
        EXPECT_NEAR(paired.level, row.paired_level, 5.1e-5) << row.n; // 0.96875 is printed 0.9688
    }
}

TEST(Cut, IsCriticalForThreeLooks) {
    constexpr double kLook = 0.05 / 3.0;
    EXPECT_EQ(signed_rank_cut(8, kLook).c, 2U);
    EXPECT_EQ(signed_rank_cut(12, kLook).c, 10U);
    EXPECT_EQ(signed_rank_cut(16, kLook).c, 23U);
    EXPECT_EQ(rank_sum_cut(5, 5, kLook).c, 2U);
    EXPECT_EQ(rank_sum_cut(8, 8, kLook).c, 10U);
    EXPECT_EQ(rank_sum_cut(12, 12, kLook).c, 31U);
}

TEST(Cut, IsTheSameFromEitherSide) {
    EXPECT_EQ(rank_sum_cut(5, 9, 0.05).c, rank_sum_cut(9, 5, 0.05).c);
    EXPECT_EQ(rank_sum_cut(1, 39, 0.05).c, 1U); // 2/40 is just small enough
    EXPECT_EQ(rank_sum_cut(1, 38, 0.05).c, 0U);
}

TEST(Cut, GoesOnWithTheNormalApproximation) {
    for (const double alpha : {0.05, 0.05 / 3.0}) {
        const Cut last = rank_sum_cut(30, 30, alpha);
        const Cut next = rank_sum_cut(30, 31, alpha);
        EXPECT_NEAR(
            static_cast<double>(next.c) / 930.0, static_cast<double>(last.c) / 900.0, 0.005
        );
        EXPECT_GE(next.level, 1.0 - alpha);
        EXPECT_NEAR(next.level, last.level, 0.002);
    }
    // Mean 915, deviation 138.4 of 1830 averages, and 1.96 of those below.
    EXPECT_NEAR(static_cast<double>(signed_rank_cut(60, 0.05).c), 915.0 - 1.96 * 135.9, 2.0);
    EXPECT_NEAR(static_cast<double>(signed_rank_cut(61, 0.05).c), 945.5 - 1.96 * 139.3, 2.0);
}

TEST(Cut, IsSaneForAThousandASide) {
    const Cut cut = rank_sum_cut(1000, 1000, 0.05);
    // 500,000 - 1.96 sqrt(1e6 * 2001 / 12)
    EXPECT_NEAR(static_cast<double>(cut.c), 474'690.0, 2.0);
    EXPECT_GE(cut.level, 0.95);
    EXPECT_NEAR(cut.level, 0.95, 1e-5);
    EXPECT_EQ(rank_sum_cut(1, 1000, 0.001).c, 0U);
}

} // namespace
} // namespace kvprof::stats
