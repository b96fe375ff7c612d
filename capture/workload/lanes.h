#pragma once

#include "capture/workload/step_plan.h"

#include <cstdint>
#include <vector>

namespace kvprof::workload {

/// Shortest length of each lane by the length law, `[batch]`; never above seq_len, so that one
/// option bounds the context. constant: all seq_len. uniform: 1..seq_len. ragged: a fixed cycle of
/// page edges and fractions of seq_len. long-tail: lane 0 has seq_len, the others halve it k times
/// with probability 2^-k.
[[nodiscard]] std::vector<std::int64_t> lane_lengths(const StepSpec& spec);

/// Length of a lane in a phase of the churn cycle: it grows by one token a step and falls back to
/// its base when the request is replaced. Lanes are staggered over the cycle.
[[nodiscard]] std::int64_t
length_in_phase(const StepPlan& plan, std::int64_t lane, std::int64_t phase);

/// Content owner of the lane's request in step `step`: it changes with every replacement, so rows
/// that a predecessor left read as wrong. Owner 0 is the shared prefix and the padded lanes.
[[nodiscard]] std::int64_t
owner_in_step(const StepPlan& plan, std::int64_t lane, std::int64_t step);

/// Steps after which lengths and owners repeat.
[[nodiscard]] std::int64_t steps_in_cycle(const StepPlan& plan);

/// Whether the lane's request is replaced when `phase` begins (never in the first step).
[[nodiscard]] bool is_replaced(const StepPlan& plan, std::int64_t lane, std::int64_t phase);

/// Which pages the lanes hold before the first step.
struct LanePages {
    std::vector<std::vector<std::int64_t>> vpages; ///< per lane, in position order
    std::vector<std::int64_t> bound;               ///< every held page once, in lane order
    std::vector<std::int64_t> homes;               ///< physical page of bound[i]
    std::vector<std::int64_t> free;                ///< free list, head first
    std::int64_t next_page = 0; ///< where the next ascending run starts (grow-up) or ends (down)
};

/// Draws pages by the fragmentation: identity gives consecutive pages at ascending homes, random
/// gives distinct random pages at randomly permuted homes, compacted gives random pages at homes
/// packed in lane order. Homes always fill one band at the sub-pool's end. A static pool's homes
/// are the pages themselves.
[[nodiscard]] LanePages draw_pages(const StepPlan& plan);

/// Pages that a lane's longest length needs, shared prefix included.
[[nodiscard]] std::int64_t peak_pages(const StepPlan& plan);

} // namespace kvprof::workload
