#pragma once

#include "capture/workload/step_plan.h"

#include <vector>

namespace kvprof::workload {

/// Every allocation of the plan with its exact size and ledger group. The `graph` group holds what
/// an attention backend allocates for graph capture (docs/metrics.md lists the formulas).
[[nodiscard]] std::vector<BufferSpec> plan_buffers(const StepPlan& plan);

/// Addresses where nothing lies, one a buffer of the plan: for commands that are counted and never
/// run. They are not null, so that what is derived from them is an address too.
[[nodiscard]] BufferTable imagined_places(const StepPlan& plan);

} // namespace kvprof::workload
