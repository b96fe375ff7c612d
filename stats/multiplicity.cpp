#include "stats/multiplicity.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace kvprof::stats {

namespace {

/// Places of the values, those of the smallest first.
std::vector<std::size_t> ascending(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return p[a] < p[b];
    });
    return order;
}

} // namespace

std::vector<double> holm(std::span<const double> p) {
    const std::vector<std::size_t> order = ascending(p);
    std::vector<double> adjusted(p.size());
    double greatest = 0.0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double tests_left = static_cast<double>(p.size() - i);
        greatest = std::max(greatest, std::min(tests_left * p[order[i]], 1.0));
        adjusted[order[i]] = greatest;
    }
    return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
    const std::vector<std::size_t> order = ascending(p);
    std::vector<double> adjusted(p.size());
    const double tests = static_cast<double>(p.size());
    double least = 1.0;
    for (std::size_t i = order.size(); i-- > 0;) {
        least = std::min(least, tests * p[order[i]] / static_cast<double>(i + 1));
        adjusted[order[i]] = least;
    }
    return adjusted;
}

} // namespace kvprof::stats
