#pragma once

#include "analyzers/side.h"
#include "capture/model/run.h"

#include <cstdint>
#include <vector>

namespace kvprof::test {

/// The step times of a side, us: one run each.
using StepTimes = std::vector<double>;

/// Case V16 of the method: eight pairs, the candidate 1.49 % slower.
[[nodiscard]] StepTimes v16_base();
[[nodiscard]] StepTimes v16_candidate();

/// Runs of an A/B experiment in blocks A B B A, one a step time: step_run() of a stream whose
/// candidate is slowed down by `delay-us`. Run i is in pair i.
[[nodiscard]] analyzers::Side ab_side(AbSide side, const StepTimes& step_us);

/// As ab_side() with a nodes pass in each run: attention takes what it did, page-table (candidate:
/// token-stream) the rest of the step.
[[nodiscard]] analyzers::Side traced_ab_side(AbSide side, const StepTimes& step_us);

/// ab_side() as an experiment: both sides' runs in the order of their places, and one void run.
[[nodiscard]] Experiment ab_experiment(const StepTimes& base, const StepTimes& candidate);

} // namespace kvprof::test
