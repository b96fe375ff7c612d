#pragma once

#include "capture/executor.h"

#include <cstdint>

namespace kvprof {

/// Compares a sample of the attention output's rows after `steps` steps with an fp64 reference,
/// within a budget of tokens, and records error and rows in `check`. Workloads with holes or
/// tombstones read the padding page on purpose: their attention is not compared.
/// @throws VerifyError when a row is off by more than kAttentionTolerance.
void verify_attention(
    const PreparedStep& step, const workload::StepPlan& plan, std::int64_t steps, Check& check
);

} // namespace kvprof
