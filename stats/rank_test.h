#pragma once

#include <cstddef>
#include <span>

namespace kvprof::stats {

/// The answer of a two-sided rank test.
struct RankTest {
    /// Mann-Whitney: the smaller of U of the first and U of the second sample. Signed-rank: the sum
    /// of the ranks of the positive differences.
    double statistic = 0.0;
    double p = 1.0;
    bool is_exact = true; ///< false: normal approximation with tie and continuity correction
};

/// Mann-Whitney, exact conditional on the ties: the share of all splits of the pooled values whose
/// rank sum deviates from its mean at least as much. Exact up to kMostExact values, dynamic
/// programming over doubled mid-ranks. @pre neither side is empty
[[nodiscard]] RankTest rank_sum(std::span<const double> a, std::span<const double> b);

/// Wilcoxon signed-rank of differences, zeros dropped, mid-ranks for ties, exact up to kMostExact
/// differences that are not zero; p is 1 when none is left.
[[nodiscard]] RankTest signed_rank(std::span<const double> differences);

/// Values (of both samples together, or differences) up to which the tests are exact.
inline constexpr std::size_t kMostExact = 60;

/// The smallest p that the test can reach without ties: 2/C(a+b, a), and 2/2^n. At most 1.
[[nodiscard]] double least_rank_sum_p(std::size_t a, std::size_t b);
[[nodiscard]] double least_signed_rank_p(std::size_t n);

/// Where an interval is cut: with the M differences (or Walsh averages) sorted, it goes from the
/// c-th smallest to the c-th greatest.
struct Cut {
    std::size_t c = 0;  ///< the largest with 2 P(statistic <= c-1) <= alpha; 0: no finite interval
    double level = 1.0; ///< 1 - 2 P(statistic <= c-1), the coverage that it reaches; 1 when c is 0
};

[[nodiscard]] Cut rank_sum_cut(std::size_t a, std::size_t b, double alpha);
[[nodiscard]] Cut signed_rank_cut(std::size_t n, double alpha);

/// The smallest n a side (of pairs, with signed-rank) at which a lone row among `tests` can still
/// be significant: tests * least p <= alpha. @pre tests >= 1, 0 < alpha < 1
[[nodiscard]] std::size_t fewest_rank_sum(std::size_t tests, double alpha);
[[nodiscard]] std::size_t fewest_signed_rank(std::size_t tests, double alpha);

} // namespace kvprof::stats
