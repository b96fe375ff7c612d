#include "stats/trend.h"

#include "stats/median.h"
#include "stats/quantiles.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace kvprof::stats {

namespace {

/// n (n - 1) (2n + 5): 18 times the variance of s without ties, and what a group of n ties takes.
double weight_of(std::size_t n) {
    const double count = static_cast<double>(n);
    return count * (count - 1.0) * (2.0 * count + 5.0);
}

double variance_of(std::span<const double> values) {
    std::vector<double> ordered(values.begin(), values.end());
    std::sort(ordered.begin(), ordered.end());
    double weight = weight_of(ordered.size());
    for (auto first = ordered.begin(); first != ordered.end();) {
        const auto end = std::upper_bound(first, ordered.end(), *first);
        weight -= weight_of(static_cast<std::size_t>(end - first));
        first = end;
    }
    return weight / 18.0;
}

} // namespace

Trend trend_of(std::span<const double> values) {
    assert(!values.empty());
    Trend trend;
    std::vector<double> slopes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t j = i + 1; j < values.size(); ++j) {
            const double rise = values[j] - values[i];
            trend.s += (rise > 0.0 ? 1 : 0) - (rise < 0.0 ? 1 : 0);
            slopes.push_back(rise / static_cast<double>(j - i));
        }
    }
    trend.slope = slopes.empty() ? 0.0 : median(std::move(slopes));
    trend.variance = variance_of(values);
    if (trend.s != 0) { // then not all are equal, and the variance is not 0
        const double s = static_cast<double>(trend.s);
        trend.z = (s > 0.0 ? s - 1.0 : s + 1.0) / std::sqrt(trend.variance);
        trend.p = std::min(2.0 * normal_tail(std::abs(trend.z)), 1.0);
    }
    return trend;
}

} // namespace kvprof::stats
