#include "analyzers/estimate.h"

#include "analyzers/student_t.h"
#include "analyzers/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace kvprof::analyzers {

namespace {

constexpr double kTwoSided = 0.05;

/// How many values may be cut off at each end so that the median stays inside with 95 %.
std::size_t rank_of_bound(std::size_t n) {
    const double count = static_cast<double>(n);
    double tail = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
        const double i = static_cast<double>(k);
        const double log_choose =
            std::lgamma(count + 1.0) - std::lgamma(i + 1.0) - std::lgamma(count - i + 1.0);
        tail += std::exp(log_choose - count * std::log(2.0));
        if (2.0 * tail > kTwoSided) {
            return k;
        }
    }
    return 0;
}

} // namespace

Estimate mean_per_step(const std::vector<StepGroup>& groups) {
    double total = 0.0;
    double steps = 0.0;
    for (const StepGroup& group : groups) {
        total += group.total;
        steps += group.steps;
    }
    assert(steps > 0.0);
    Estimate estimate{.value = total / steps, .interval = std::nullopt};
    constexpr std::size_t kFewest = 3;
    if (groups.size() < kFewest) {
        return estimate;
    }
    double deviation = 0.0;
    for (const StepGroup& group : groups) {
        if (group.steps > 0.0) {
            deviation += group.steps * std::pow(group.total / group.steps - estimate.value, 2);
        }
    }
    const std::size_t degrees = groups.size() - 1;
    const double margin =
        student_t(degrees) * std::sqrt(deviation / steps / static_cast<double>(degrees));
    estimate.interval = Interval{estimate.value - margin, estimate.value + margin};
    return estimate;
}

Estimate median_with_interval(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    Estimate estimate{.value = median(values), .interval = std::nullopt};
    if (const std::size_t rank = rank_of_bound(values.size()); rank > 0) {
        estimate.interval = Interval{values[rank - 1], values[values.size() - rank]};
    }
    return estimate;
}

double margin_of(const Estimate& estimate) {
    return estimate.interval ? (estimate.interval->high - estimate.interval->low) / 2.0 : 0.0;
}

} // namespace kvprof::analyzers
