#pragma once

#include "capture/workload/buffers.h"
#include "capture/workload/step_plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kvprof::workload {

/// What a buffer holds before the first step: `region.rows` rows, densely in `data`.
struct InitialBuffer {
    BufferId id{};
    Region region;
    std::vector<std::byte> data;
};

/// What the scheduler must know beside the buffers' contents.
struct InitialState {
    std::vector<InitialBuffer> buffers; ///< buffers that are not named start as zeroes
    std::int64_t free_pages = 0;        ///< entries of full_free
    std::int64_t next_page = 0;         ///< where the next run of physical pages starts or ends
    std::int64_t swa_free = 0;          ///< entries of swa_free (static pool)
    std::int64_t swa_next = 0;
    std::int64_t state_free = 0;
    std::int64_t state_next = 0;
};

/// Generates the seeded inputs of the plan: req_to_token, tables, lists, lengths. Every executor
/// starts from the same state.
[[nodiscard]] InitialState make_state(const StepPlan& plan);

} // namespace kvprof::workload
