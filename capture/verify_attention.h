#pragma once

#include "capture/executor.h"

namespace kvprof {

/// Compares a sample of the attention output's rows with an fp64 reference, within a budget of
/// tokens, and records error and rows in `check`. Workloads with holes or tombstones read the
/// padding page on purpose: their attention is not compared.
/// @throws VerifyError when a row is off by more than kAttentionTolerance.
void verify_attention(const PreparedStep& step, const workload::StepPlan& plan, Check& check);

} // namespace kvprof
