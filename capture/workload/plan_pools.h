#pragma once

#include "capture/workload/step_plan.h"

namespace kvprof::workload {

/// Sets plan.full and plan.swa to what one layer's rows and one page of each kind take on a rank.
/// Their grids are left empty. @throws UsageError for heads that attention can not take.
void add_token_pools(StepPlan& plan);

/// Sets plan.pool_tokens, the grids of the token pools, plan.state and plan.kv_bytes: the lanes at
/// their longest fit, all at the same time. Needs base_lens, drafts, phases and scheduler_page.
/// @throws UsageError when --pool-tokens is too few, and what plan_buffer throws.
void size_pools(StepPlan& plan);

} // namespace kvprof::workload
