#pragma once

#include "analyzers/case_facts.h"
#include "analyzers/kernel_deltas.h"

namespace kvprof::analyzers {

/// Judges a tested kernel by the three limits of kernels together; an unstable machine or a stored
/// baseline settle it before. @param controls null: there are none
void judge_kernel(
    KernelDelta& kernel, double step_ns, const CaseFacts& facts, const Controls* controls
);

} // namespace kvprof::analyzers
