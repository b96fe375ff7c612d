#pragma once

#include "capture/executor.h"

#include <cstdint>

namespace kvprof {

/// Compares what the step read from each lane's state slot, after `steps` steps, with what the
/// lane's request left there. The host twin holds no states, so the words are proven by what they
/// are: a step that looked up a wrong slot disagrees. Nothing to do without state layers.
/// @throws VerifyError naming the lane and both words.
void verify_state(
    const PreparedStep& step, const workload::StepPlan& plan, std::int64_t steps, Check& check
);

} // namespace kvprof
