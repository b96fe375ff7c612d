#include "analyzers/sampled_test.h"

#include "stats/detectable.h"
#include "stats/rank_test.h"
#include "stats/shift.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <vector>

namespace kvprof::analyzers {

namespace {

/// Advice to measure more often than this helps nobody: a quieter machine is needed.
constexpr std::size_t kMostRuns = 1000;

bool are_positive(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return value > 0.0; });
}

std::vector<double> as_logs(std::span<const double> values) {
    std::vector<double> logs(values.size());
    std::transform(values.begin(), values.end(), logs.begin(), [](double value) {
        return std::log(value);
    });
    return logs;
}

/// Sides whose differences are tested: logs for a ratio.
struct Scaled {
    std::vector<double> base;
    std::vector<double> candidate;
};

/// Fills in all but p_adjusted and tests; estimate and interval are still differences.
void test_unpaired(const Scaled& sides, double alpha, SampledTest& test) {
    const stats::RankTest rank = stats::rank_sum(sides.base, sides.candidate);
    const stats::Shift shift = stats::shift_between(sides.base, sides.candidate, alpha);
    test.statistic = rank.statistic;
    test.p = rank.p;
    test.least_p = stats::least_rank_sum_p(sides.base.size(), sides.candidate.size());
    test.estimate = shift.estimate;
    test.low = shift.low;
    test.high = shift.high;
    test.level = shift.level;
    test.deviation = stats::pooled_deviation(sides.base, sides.candidate);
    test.detectable = stats::detectable_factor(sides.base.size(), sides.candidate.size());
}

void test_pairs(const Scaled& sides, double alpha, SampledTest& test) {
    std::vector<double> differences(sides.base.size());
    std::transform(
        sides.candidate.begin(),
        sides.candidate.end(),
        sides.base.begin(),
        differences.begin(),
        std::minus<>()
    );
    const stats::RankTest rank = stats::signed_rank(differences);
    const stats::Shift shift = stats::shift_of_pairs(differences, alpha);
    test.statistic = rank.statistic;
    test.p = rank.p;
    test.least_p = stats::least_signed_rank_p(differences.size());
    test.estimate = shift.estimate;
    test.low = shift.low;
    test.high = shift.high;
    test.level = shift.level;
    test.deviation = stats::deviation(differences);
    test.detectable = stats::paired_detectable_factor(differences.size());
}

/// The change, oriented so that more is worse, and as a logarithm when it is a ratio.
struct Oriented {
    double estimate = 0.0;
    double low = 0.0;
    double high = 0.0;
};

Oriented oriented(const SampledTest& test, Direction better) {
    Oriented change{test.estimate, test.low, test.high};
    if (better == Direction::higher) {
        change = test.is_ratio ? Oriented{1.0 / test.estimate, 1.0 / test.high, 1.0 / test.low}
                               : Oriented{-test.estimate, -test.high, -test.low};
    }
    return change;
}

double effect_seen(const SampledTest& test, double factor) {
    return test.is_ratio ? stats::detectable_effect(factor, test.deviation)
                         : factor * test.deviation;
}

Judgement undecided(const SampledTest& test, double threshold, double alpha) {
    Judgement judgement;
    if (test.least_p * static_cast<double>(test.tests) <= alpha) {
        judgement.reason = "too-noisy";
        judgement.runs = runs_to_see(test, threshold);
        return judgement;
    }
    judgement.reason = "too-few-runs";
    const std::size_t fewest = test.method == RankMethod::signed_rank
                                   ? stats::fewest_signed_rank(test.tests, alpha)
                                   : stats::fewest_rank_sum(test.tests, alpha);
    judgement.runs = std::max(fewest, kFewestPairs); // no advice to measure what is not paired
    return judgement;
}

} // namespace

SampledTest test_sampled(
    std::span<const double> base, std::span<const double> candidate, RankMethod method, double alpha
) {
    assert(!base.empty() && !candidate.empty());
    SampledTest test;
    test.method = method;
    test.is_ratio = are_positive(base) && are_positive(candidate);
    test.base_runs = base.size();
    test.candidate_runs = candidate.size();
    const Scaled sides =
        test.is_ratio ? Scaled{as_logs(base), as_logs(candidate)}
                      : Scaled{{base.begin(), base.end()}, {candidate.begin(), candidate.end()}};
    if (method == RankMethod::signed_rank) {
        assert(base.size() == candidate.size());
        test_pairs(sides, alpha, test);
    } else {
        test_unpaired(sides, alpha, test);
    }
    if (test.is_ratio) {
        test.estimate = std::exp(test.estimate);
        test.low = std::exp(test.low);
        test.high = std::exp(test.high);
    }
    if (test.detectable) {
        test.detectable = effect_seen(test, *test.detectable);
    }
    test.p_adjusted = test.p;
    return test;
}

std::optional<std::size_t> runs_to_see(const SampledTest& test, double effect) {
    if (effect <= 0.0) {
        return std::nullopt;
    }
    const std::size_t now = std::min(test.base_runs, test.candidate_runs);
    for (std::size_t n = std::max(now + 1, kFewestPairs); n <= kMostRuns; ++n) {
        const std::optional<double> factor = test.method == RankMethod::signed_rank
                                                 ? stats::paired_detectable_factor(n)
                                                 : stats::detectable_factor(n, n);
        if (factor && effect_seen(test, *factor) <= effect) {
            return n;
        }
    }
    return std::nullopt;
}

Judgement judge_sampled(const SampledTest& test, Direction better, double threshold, double alpha) {
    assert(better != Direction::neither);
    const Oriented change = oriented(test, better);
    const double none = test.is_ratio ? 1.0 : 0.0;
    const double worse = none + threshold;
    const double less = test.is_ratio ? 1.0 / worse : -threshold;
    const bool is_significant = test.p_adjusted <= alpha;
    Judgement judgement;
    if (is_significant && change.low > none && change.estimate >= worse) {
        judgement.verdict = Verdict::regressed;
        judgement.is_confirmed = change.low >= worse;
    } else if (is_significant && change.high < none && change.estimate <= less) {
        judgement.verdict = Verdict::improved;
        judgement.is_confirmed = change.high <= less;
    } else if (less <= change.low && change.high <= worse) {
        judgement.verdict = Verdict::same;
        judgement.is_below_threshold = is_significant && (change.low > none || change.high < none);
    } else {
        judgement = undecided(test, threshold, alpha);
    }
    return judgement;
}

} // namespace kvprof::analyzers
