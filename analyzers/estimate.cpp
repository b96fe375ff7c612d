#include "analyzers/estimate.h"

#include "stats/median.h"
#include "stats/quantiles.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace kvprof::analyzers {

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
    const double margin = stats::student_t(degrees, 0.975)
                          * std::sqrt(deviation / steps / static_cast<double>(degrees));
    estimate.interval = Interval{estimate.value - margin, estimate.value + margin};
    return estimate;
}

Estimate median_with_interval(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    Estimate estimate{.value = stats::median(values), .interval = std::nullopt};
    if (const std::size_t rank = stats::median_cut(values.size()); rank > 0) {
        estimate.interval = Interval{values[rank - 1], values[values.size() - rank]};
    }
    return estimate;
}

double margin_of(const Estimate& estimate) {
    return estimate.interval ? (estimate.interval->high - estimate.interval->low) / 2.0 : 0.0;
}

} // namespace kvprof::analyzers
