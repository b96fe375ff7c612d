#include "analyzers/gate.h"
#include "analyzers/judge_exact.h"
#include "analyzers/metric_names.h"
#include "analyzers/sampled_test.h"
#include "stats/rank_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

namespace {

constexpr std::size_t kMostRuns = 1000;

/// The smallest p-value that so many interleaved runs a side can reach, among so many tests.
double least_p(std::size_t runs, std::size_t tests) {
    const double one = runs >= kFewestPairs ? stats::least_signed_rank_p(runs)
                                            : stats::least_rank_sum_p(runs, runs);
    return std::min(1.0, one * static_cast<double>(tests));
}

/// Whether a rank test decides the row: not so of a reading of the whole device's memory.
bool is_tested(const Policy& policy, std::string_view name) {
    if (!is_sampled(policy, name)) {
        return false;
    }
    const std::vector<std::string> ids = ids_of(policy, name);
    return ids.empty() || !is_device_wide(*find_metric(ids.front()));
}

} // namespace

std::size_t family_size(const Policy& policy, std::size_t cases) {
    std::size_t rows = 0;
    std::set<std::string> counted; // an id and the word that stands for it are one row
    for (const std::string& name : policy.primary) {
        if (!is_tested(policy, name)) {
            continue;
        }
        std::vector<std::string> ids = ids_of(policy, name);
        const bool is_counted = std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
            return counted.count(id) > 0;
        });
        rows += is_counted ? 0 : 1;
        counted.insert(ids.begin(), ids.end());
    }
    return rows * cases;
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
        "is {:.3g}, over alpha {:.3g}; {} a side can",
        runs,
        tests,
        tests == 1 ? "" : "s",
        least_p(runs, tests),
        alpha,
        least_p(enough, tests) <= alpha ? fmt::format("{} runs", enough)
                                        : std::string("no number of runs up to 1,000")
    );
}

} // namespace kvprof::analyzers
