#pragma once

#include "capture/workload/step_plan.h"

#include <array>
#include <cstdint>

namespace kvprof::workload {

/// Tokens per page that kernels take, smallest first.
inline constexpr std::array<std::int64_t, 8> kPageSizes{1, 2, 3, 4, 16, 32, 64, 128};

/// Single values and pairs of options. @throws UsageError naming the options and their values.
void check_values(const StepSpec& spec, const MeasureSpec& how);
/// An op that runs alone against the pool and the options that have no effect on it. `spec` is
/// resolved, here and below. @throws UsageError.
void check_micro_op(const StepSpec& spec, OpKind op);
/// An op that runs alone against the model. @throws UsageError when it has nothing to work on.
void check_micro_model(const ModelSpec& model, OpKind op);
/// Options against the model. @throws UsageError.
void check_model(const StepSpec& spec, const ModelSpec& model, bool is_micro);
/// Sizes once the plan's numbers are known. @throws UsageError with the numbers.
void check_sizes(const StepPlan& plan);

} // namespace kvprof::workload
