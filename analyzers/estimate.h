#pragma once

#include <optional>
#include <vector>

namespace kvprof::analyzers {

/// A 95 % interval.
struct Interval {
    double low = 0.0;
    double high = 0.0;

    friend bool operator==(const Interval&, const Interval&) = default;
};

/// A figure, with its interval where there are enough values for one.
struct Estimate {
    double value = 0.0;
    std::optional<Interval> interval;

    friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// A figure summed up over neighbouring steps: one batch, or one step.
struct StepGroup {
    double total = 0.0;
    double steps = 1.0;

    friend bool operator==(const StepGroup&, const StepGroup&) = default;
};

/// All totals over all steps. Means add up where medians do not: the parts of a step are its sum.
/// The interval is Student's, of the groups' means weighted by their steps; it needs three groups.
/// @pre some group has steps
[[nodiscard]] Estimate mean_per_step(const std::vector<StepGroup>& groups);

/// The median between the order statistics that enclose it in at least 95 % of samples, whatever
/// the values' distribution (binomial, p = 1/2); that needs six values.
/// @pre values is not empty
[[nodiscard]] Estimate median_with_interval(std::vector<double> values);

/// Half the width of the interval; 0 without one.
[[nodiscard]] double margin_of(const Estimate& estimate);

} // namespace kvprof::analyzers
