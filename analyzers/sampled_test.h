#pragma once

#include "analyzers/metric.h"
#include "capture/model/enum_names.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace kvprof::analyzers {

enum class Verdict : std::uint8_t { regressed, improved, same, inconclusive, not_comparable };

/// From so many pairs on a design is tested by signed ranks: fewer can not reach 5 %.
inline constexpr std::size_t kFewestPairs = 6;

/// Chosen by the design of the runs, never by their values.
enum class RankMethod : std::uint8_t { rank_sum, signed_rank };

/// What two sides of runs say about one sampled metric. The change is candidate against base: a
/// ratio where all values are positive, else a difference in the metric's unit.
struct SampledTest {
    RankMethod method{};
    bool is_ratio = true;
    double estimate = 1.0; ///< Hodges and Lehmann's
    double low = 1.0;      ///< 0 or -infinity without an interval
    double high = 1.0;     ///< infinity without an interval
    double level = 0.95;   ///< coverage that the interval reaches
    double statistic = 0.0;
    double p = 1.0;
    double least_p = 1.0;  ///< that this many runs can reach
    std::size_t tests = 1; ///< rows of its family
    double p_adjusted = 1.0;
    /// What would have been seen with power 80 %: a ratio less 1, or a difference.
    std::optional<double> detectable;
    double deviation = 0.0; ///< of a run (of a pair's difference, paired), in logs for a ratio
    std::size_t base_runs = 0;
    std::size_t candidate_runs = 0;

    friend bool operator==(const SampledTest&, const SampledTest&) = default;
};

/// @param base, candidate one value a run; with RankMethod::signed_rank those at the same place are
/// a pair. @param alpha of the interval. @pre neither side is empty; pairs: equal sizes
[[nodiscard]] SampledTest test_sampled(
    std::span<const double> base, std::span<const double> candidate, RankMethod method, double alpha
);

/// More runs a side than there are, the fewest that would see a change of `effect` (a ratio less 1,
/// or a difference); nothing when no reasonable number would do.
[[nodiscard]] std::optional<std::size_t> runs_to_see(const SampledTest& test, double effect);

/// A verdict in words that stay the same: docs/methodology.md lists the reasons.
struct Judgement {
    Verdict verdict = Verdict::inconclusive;
    bool is_confirmed = false;       ///< the whole interval is beyond the threshold
    bool is_below_threshold = false; ///< `same`, and yet significant
    std::string reason;              ///< "too-few-runs", "too-noisy", ... ; empty when decided
    std::optional<std::size_t> runs; ///< a side that would decide it, where that is known

    friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// The last four rows of the verdict table: what the numbers decide by themselves.
/// @param threshold as `test`: 0.01 for a ratio, or a difference. @pre better is not `neither`
[[nodiscard]] Judgement
judge_sampled(const SampledTest& test, Direction better, double threshold, double alpha);

} // namespace kvprof::analyzers

template<>
struct kvprof::EnumNames<kvprof::analyzers::Verdict> {
    using enum kvprof::analyzers::Verdict;
    static constexpr std::array values{
        std::pair{regressed, "regressed"},
        std::pair{improved, "improved"},
        std::pair{same, "same"},
        std::pair{inconclusive, "inconclusive"},
        std::pair{not_comparable, "not comparable"}};
};

template<>
struct kvprof::EnumNames<kvprof::analyzers::RankMethod> {
    using enum kvprof::analyzers::RankMethod;
    static constexpr std::array values{
        std::pair{rank_sum, "mann-whitney"}, std::pair{signed_rank, "signed-rank"}};
};
