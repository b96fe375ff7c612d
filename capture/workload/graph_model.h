#pragma once

#include "capture/model/memory_stat.h"
#include "capture/workload/step_plan.h"

#include <vector>

namespace kvprof::workload {

/// Bytes that the step's attention backend allocates for graph capture, by its formulas and not by
/// the plan's buffers: a term each, named as the buffer of the ledger that it is. Group "always"
/// (any pool) or "added": by the unified pool, which is what a condition unified or rectangle says.
///
/// Beside the formulas there are the tables that a static pool's stream reader reads in place
/// (--index-mode rectangle), and what each further consumer holds. Empty for an op that runs alone,
/// which has no backend.
[[nodiscard]] std::vector<MemoryStat> graph_model(const StepPlan& plan);

} // namespace kvprof::workload
