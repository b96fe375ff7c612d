#pragma once

#include "capture/executor.h"
#include "capture/model/run.h"

namespace kvprof {

/// Measures one variant: plan, prepare, verify, warm up, time. Never throws for what happens while
/// measuring: a run that can not be had comes back as `not_run` or `invalid` with its reason and
/// the exit code of its kind. Identity fields (uuid, position, ...) are the caller's.
/// @throws UsageError when the options do not fit together.
[[nodiscard]] Run measure(Executor& executor, const StepSpec& step, const MeasureSpec& how);

/// The checks of `measure` that need no device: option combinations, sizes, names.
/// @throws UsageError with the numbers that do not fit.
void check_options(const StepSpec& step, const MeasureSpec& how);

} // namespace kvprof
