#include "stats/rank_test.h"

#include "stats/quantiles.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace kvprof::stats {

namespace {

/// Ways to reach each sum. C(60, 30) and 2^60 fit, so that every count is exact.
using Counts = std::vector<std::uint64_t>;

/// Twice the mid-rank of each value, an integer also where values tie, in the order given.
struct Ranks {
    std::vector<std::size_t> doubled;
    double ties = 0.0; ///< sum of t^3 - t over groups of t equal values
};

Ranks rank(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return values[a] < values[b];
    });
    Ranks ranks{.doubled = std::vector<std::size_t>(values.size())};
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() && values[order[end]] == values[order[first]]) {
            ++end;
        }
        for (std::size_t i = first; i < end; ++i) {
            ranks.doubled[order[i]] = first + 1 + end;
        }
        const double equal = static_cast<double>(end - first);
        ranks.ties += equal * equal * equal - equal;
        first = end;
    }
    return ranks;
}

/// How many subsets of `size` of the weights have each sum.
Counts subset_sums(const std::vector<std::size_t>& weights, std::size_t size) {
    const std::size_t most = std::accumulate(weights.begin(), weights.end(), std::size_t{0});
    std::vector<Counts> counts(size + 1, Counts(most + 1, 0));
    counts[0][0] = 1;
    std::size_t reached = 0;
    for (const std::size_t weight : weights) {
        for (std::size_t k = size; k > 0; --k) {
            for (std::size_t sum = 0; sum <= reached; ++sum) {
                counts[k][sum + weight] += counts[k - 1][sum];
            }
        }
        reached += weight;
    }
    return counts[size];
}

/// How many subsets of any size of the weights have each sum.
Counts all_sums(const std::vector<std::size_t>& weights) {
    const std::size_t most = std::accumulate(weights.begin(), weights.end(), std::size_t{0});
    Counts counts(most + 1, 0);
    counts[0] = 1;
    for (const std::size_t weight : weights) {
        for (std::size_t sum = most; sum >= weight; --sum) {
            counts[sum] += counts[sum - weight];
        }
    }
    return counts;
}

/// The share of the sums that are at least as far from `centre` as `observed`, all of them twice
/// what `counts` is indexed by.
double share_as_far(const Counts& counts, std::size_t centre, std::size_t observed) {
    const auto distance = [&](std::size_t doubled) {
        return doubled > centre ? doubled - centre : centre - doubled;
    };
    std::uint64_t far = 0;
    std::uint64_t all = 0;
    for (std::size_t sum = 0; sum < counts.size(); ++sum) {
        all += counts[sum];
        far += distance(2 * sum) >= distance(observed) ? counts[sum] : 0;
    }
    return static_cast<double>(far) / static_cast<double>(all);
}

/// Two-sided p of a statistic in units in which it moves by 1, with continuity correction.
double normal_p(double distance, double variance) {
    if (variance <= 0.0) {
        return 1.0;
    }
    const double z = std::max(std::abs(distance) - 0.5, 0.0) / std::sqrt(variance);
    return std::min(2.0 * normal_tail(z), 1.0);
}

/// Ways to get each U of samples of `a` and `b` values: the coefficients of the Gaussian binomial
/// (a+b over a), the product of (1 - q^(b+i)) / (1 - q^i). Unsigned arithmetic may wrap on the way.
Counts rank_sum_counts(std::size_t a, std::size_t b) {
    Counts counts(a * b + 1, 0);
    counts[0] = 1;
    for (std::size_t i = 1; i <= a; ++i) {
        for (std::size_t u = counts.size(); u-- > b + i;) {
            counts[u] -= counts[u - b - i];
        }
        for (std::size_t u = i; u < counts.size(); ++u) {
            counts[u] += counts[u - i];
        }
    }
    return counts;
}

Counts signed_rank_counts(std::size_t n) {
    std::vector<std::size_t> ranks(n);
    std::iota(ranks.begin(), ranks.end(), std::size_t{1});
    return all_sums(ranks);
}

Cut cut_of(const Counts& counts, double alpha) {
    const double all =
        static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    Cut cut;
    std::uint64_t below = 0;
    for (const std::uint64_t count : counts) {
        below += count;
        const double both_tails = 2.0 * static_cast<double>(below) / all;
        if (both_tails > alpha) {
            break;
        }
        ++cut.c;
        cut.level = 1.0 - both_tails;
    }
    return cut;
}

Cut normal_cut(double mean, double variance, double alpha) {
    const double deviation = std::sqrt(variance);
    const double c = std::floor(mean + 0.5 + normal_quantile(alpha / 2.0) * deviation);
    if (c < 1.0) {
        return {};
    }
    const double level = 1.0 - 2.0 * normal_tail((mean + 0.5 - c) / deviation);
    return {.c = static_cast<std::size_t>(c), .level = level};
}

template<class LeastP>
std::size_t fewest(std::size_t tests, double alpha, LeastP&& least_p) {
    assert(tests >= 1 && alpha > 0.0 && alpha < 1.0);
    std::size_t n = 1;
    while (static_cast<double>(tests) * least_p(n) > alpha) {
        ++n;
    }
    return n;
}

} // namespace

RankTest rank_sum(std::span<const double> a, std::span<const double> b) {
    assert(!a.empty() && !b.empty());
    std::vector<double> pooled(a.begin(), a.end());
    pooled.insert(pooled.end(), b.begin(), b.end());
    Ranks ranks = rank(pooled);
    const std::size_t n = pooled.size();
    const auto a_end = ranks.doubled.begin() + std::ssize(a);
    const std::size_t of_a = std::accumulate(ranks.doubled.begin(), a_end, std::size_t{0});

    const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
    const double u = static_cast<double>(of_a - a.size() * (a.size() + 1)) / 2.0;
    RankTest test{.statistic = std::min(u, pairs - u)};
    if (n > kMostExact) {
        const double count = static_cast<double>(n);
        const double variance = pairs / 12.0 * (count + 1.0 - ranks.ties / (count * (count - 1.0)));
        test.p = normal_p(u - pairs / 2.0, variance);
        test.is_exact = false;
        return test;
    }
    // The sums of the smaller sample are as far from their mean as those of the other one.
    const std::size_t size = std::min(a.size(), b.size());
    const std::size_t observed = a.size() == size ? of_a : n * (n + 1) - of_a;
    test.p = share_as_far(subset_sums(ranks.doubled, size), 2 * size * (n + 1), 2 * observed);
    return test;
}

RankTest signed_rank(std::span<const double> differences) {
    std::vector<double> kept;
    std::vector<double> distances;
    for (const double difference : differences) {
        if (difference != 0.0) {
            kept.push_back(difference);
            distances.push_back(std::abs(difference));
        }
    }
    const Ranks ranks = rank(distances);
    std::size_t positive = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        positive += kept[i] > 0.0 ? ranks.doubled[i] : 0;
    }
    RankTest test{.statistic = static_cast<double>(positive) / 2.0};
    const std::size_t n = kept.size();
    if (n > kMostExact) {
        const double count = static_cast<double>(n);
        const double squares = count * (count + 1.0) * (2.0 * count + 1.0);
        const double mean = count * (count + 1.0) / 4.0;
        test.p = normal_p(test.statistic - mean, squares / 24.0 - ranks.ties / 48.0);
        test.is_exact = false;
    } else if (n > 0) {
        test.p = share_as_far(all_sums(ranks.doubled), n * (n + 1), 2 * positive);
    }
    return test;
}

double least_rank_sum_p(std::size_t a, std::size_t b) {
    double splits = 1.0;
    const std::size_t fewer = std::min(a, b);
    for (std::size_t i = 1; i <= fewer; ++i) {
        splits *= static_cast<double>(a + b - fewer + i);
        splits /= static_cast<double>(i);
    }
    return std::min(2.0 / splits, 1.0);
}

double least_signed_rank_p(std::size_t n) {
    return std::min(std::ldexp(2.0, -static_cast<int>(std::min<std::size_t>(n, 2000))), 1.0);
}

Cut rank_sum_cut(std::size_t a, std::size_t b, double alpha) {
    if (a + b <= kMostExact) {
        return cut_of(rank_sum_counts(a, b), alpha);
    }
    const double pairs = static_cast<double>(a) * static_cast<double>(b);
    return normal_cut(pairs / 2.0, pairs * static_cast<double>(a + b + 1) / 12.0, alpha);
}

Cut signed_rank_cut(std::size_t n, double alpha) {
    if (n <= kMostExact) {
        return cut_of(signed_rank_counts(n), alpha);
    }
    const double count = static_cast<double>(n);
    const double averages = count * (count + 1.0) / 2.0;
    return normal_cut(averages / 2.0, averages * (2.0 * count + 1.0) / 12.0, alpha);
}

std::size_t fewest_rank_sum(std::size_t tests, double alpha) {
    return fewest(tests, alpha, [](std::size_t n) { return least_rank_sum_p(n, n); });
}

std::size_t fewest_signed_rank(std::size_t tests, double alpha) {
    return fewest(tests, alpha, &least_signed_rank_p);
}

} // namespace kvprof::stats
