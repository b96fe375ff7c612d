#pragma once

#include "capture/workload/step_plan.h"

#include <string>
#include <vector>

namespace kvprof::workload {

/// The ops of the fixed part of the step in order: a compaction, inputs, write, metadata, model.
/// What the scheduler does under churn differs from step to step and is not listed. With micro_op:
/// that op alone.
/// @throws UsageError for a --delay-op that is not among them, listing them.
[[nodiscard]] std::vector<PlannedOp> plan_ops(const StepPlan& plan);

/// Whether the plan has the op, in any pool.
[[nodiscard]] bool has_op(const StepPlan& plan, OpKind op);

/// Whether --op takes it.
[[nodiscard]] bool can_run_alone(OpKind op);
/// Whether it binds, frees or hands out pages of the full pool.
[[nodiscard]] bool works_on_pages(OpKind op);
/// "page-table, repack, ..." for messages.
[[nodiscard]] std::string ops_that_run_alone();

} // namespace kvprof::workload
