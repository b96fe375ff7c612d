#pragma once

#include "capture/executor.h"

#include <cstdint>

namespace kvprof {

/// Largest accepted error of the attention output, as a ratio of norms, against fp64.
inline constexpr double kAttentionTolerance = 1e-2;

/// Runs the first steps of a fresh `step` and proves them: every id that they produced equals the
/// host twin's, bit for bit, including a guard behind each output, and the attention output of a
/// sample of lanes and heads agrees with an fp64 reference that uses no index at all.
/// @throws VerifyError naming the buffer, the element and both values.
[[nodiscard]] Check
verify(PreparedStep& step, const workload::StepPlan& plan, const workload::InitialState& state);

} // namespace kvprof
