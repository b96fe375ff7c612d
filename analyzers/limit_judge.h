#pragma once

#include "analyzers/policy.h"
#include "analyzers/sampled_test.h"

namespace kvprof::analyzers {

/// What the parts of a metric's limits are measured against.
struct Scale {
    double base = 0.0;    ///< the base's median, in the metric's unit
    double pieces = 1.0;  ///< an absolute limit holds for each of so many (launches of a kernel)
    double step_ns = 0.0; ///< the base's step; 0: unknown, and no share of it limits anything
};

/// By all limits together: regressed and improved pass each of them, and are confirmed when they
/// are so by each; same is inside any one. @pre better is not `neither`
[[nodiscard]] Judgement judge_within(
    const SampledTest& test,
    Direction better,
    const Limits& limits,
    const Scale& scale,
    double alpha
);

/// The widest of the limits as the test's change: a ratio less 1, or a difference.
[[nodiscard]] double widest(const SampledTest& test, const Limits& limits, const Scale& scale);

} // namespace kvprof::analyzers
