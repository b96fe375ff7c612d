#include "analyzers/gate.h"
#include "analyzers/sampled_test.h"
#include "stats/rank_test.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

constexpr std::size_t kMostRuns = 1000;

/// The smallest p-value that so many interleaved runs a side can reach, among so many tests.
double least_p(std::size_t runs, std::size_t tests) {
    const double one = runs >= kFewestPairs ? stats::least_signed_rank_p(runs)
                                            : stats::least_rank_sum_p(runs, runs);
    return std::min(1.0, one * static_cast<double>(tests));
}

} // namespace

std::size_t family_size(const Policy& policy, std::size_t cases) {
    const auto sampled =
        std::count_if(policy.primary.begin(), policy.primary.end(), [&](const std::string& name) {
            return is_sampled(policy, name);
        });
    return static_cast<std::size_t>(sampled) * cases;
}

std::string
unreachable(const Policy& policy, std::size_t cases, std::size_t runs, std::size_t looks) {
    const std::size_t tests = family_size(policy, cases);
    const double alpha = policy.alpha / static_cast<double>(std::max<std::size_t>(looks, 1));
    if (tests == 0 || least_p(runs, tests) <= alpha) {
        return {};
    }
    std::size_t enough = 2;
    while (enough < kMostRuns && least_p(enough, tests) > alpha) {
        enough += 2;
    }
    return fmt::format(
        "{} runs a side can not decide {} sampled row{}: the smallest p-value that they can reach "
        "is {:.3g}, over alpha {:.3g}; {} runs a side can",
        runs,
        tests,
        tests == 1 ? "" : "s",
        least_p(runs, tests),
        alpha,
        enough
    );
}

} // namespace kvprof::analyzers
