#pragma once

#include "capture/model/memory_stat.h"
#include "capture/workload/step_plan.h"

#include <vector>

namespace kvprof::workload {

/// Bytes that the step's attention backend allocates for graph capture, by the formulas of
/// docs/metrics.md ("Graph memory") and not by the plan's buffers: a term each, group "always" (any
/// pool) or "added" (by the unified pool). A term is named as the buffer of the ledger that
/// implements it; "logits" and "lse" together are "attention_partials".
///
/// A step decodes one token a lane, so the tokens of a step are the largest captured batch. Terms
/// of what steps do not do yet are left out: masks and tables of speculative verification, and
/// window streams of flashinfer_mla. Empty for an op that runs alone, which has no backend.
[[nodiscard]] std::vector<MemoryStat> graph_model(const StepPlan& plan);

} // namespace kvprof::workload
