#pragma once

#include "capture/model/run.h"
#include "capture/workload/step_program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof {

/// Compares API calls (counts pass) with what the plan issues: launches and copies of each op,
/// outside the graph per step and captured once a graph. `graphs` graphs were captured.
/// Returns what differs, naming the op; empty when all agree.
[[nodiscard]] std::string compare_calls(
    const std::vector<ApiStat>& calls,
    std::int64_t steps,
    std::int64_t graphs,
    const workload::StepCounts& planned
);

/// Compares device records (nodes pass) with what the plan issues, for each op.
[[nodiscard]] std::string compare_records(
    const std::vector<OpSample>& samples, std::int64_t steps, const workload::StepCounts& planned
);

} // namespace kvprof
