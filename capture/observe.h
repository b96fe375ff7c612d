#pragma once

#include "capture/executor.h"
#include "capture/recorder.h"

namespace kvprof {

/// Runs a step's steps under a recorder, or through its graph's life in memory, and returns a Run
/// that holds the facts of this pass alone. Never throws for what happens while observing: a pass
/// that gives no figures says why in its PassResult. What the driver did is compared with the plan;
/// a difference makes the returned run invalid, naming the op. `recorder` is null in the memory
/// pass. Outputs are not verified again: the timing pass did it for the same seed.
/// @throws UsageError when the options do not fit together.
[[nodiscard]] Run observe(
    Pass pass, Recorder* recorder, Executor& executor, const StepSpec& step, const MeasureSpec& how
);

/// A run that holds one pass which gave no figures, and why.
[[nodiscard]] Run failed_pass(Pass pass, std::string reason);

/// Adds what a pass observed to the run of its timing pass. A pass that contradicts the plan makes
/// the run invalid; one that failed leaves it as it is.
void add_pass(Run& run, Run&& observed);

} // namespace kvprof
