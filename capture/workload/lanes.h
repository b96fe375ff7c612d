#pragma once

#include "capture/workload/step_plan.h"

#include <cstdint>
#include <vector>

namespace kvprof::workload {

/// Shortest length of each lane by the length law, `[batch]`. constant: all seq_len. uniform:
/// 1..seq_len. ragged: a fixed cycle of page edges and fractions of seq_len. long-tail: lane 0 has
/// seq_len, the others halve it k times with probability 2^-k. one-long: the last has long_len, the
/// others seq_len; all other laws never exceed seq_len.
[[nodiscard]] std::vector<std::int64_t> lane_lengths(const StepSpec& spec);

/// Tokens by which the readers of each lane exceed its length, `[batch]`: delta, or in a ragged
/// verification 1 to delta of them, drawn by the seed.
[[nodiscard]] std::vector<std::int64_t> lane_drafts(const StepSpec& spec);

/// That of lane `lane` of the bucket. A padded lane has delta, or 1 in a ragged verification.
[[nodiscard]] std::int64_t draft_of(const StepPlan& plan, std::int64_t lane);

/// Length of a lane in a phase of the churn cycle: it grows by one token a step and falls back to
/// its base when the request is replaced. Lanes are staggered over the cycle.
[[nodiscard]] std::int64_t
length_in_phase(const StepPlan& plan, std::int64_t lane, std::int64_t phase);

/// Content owner of the lane's request in step `step`: it changes with every replacement, so rows
/// that a predecessor left read as wrong. Owner 0 is the shared prefix and the padded lanes.
[[nodiscard]] std::int64_t
owner_in_step(const StepPlan& plan, std::int64_t lane, std::int64_t step);

/// Number of the step that runs as the `steps`-th: without churn every one is step 0, under it the
/// first already moves on.
[[nodiscard]] std::int64_t step_after(const StepPlan& plan, std::int64_t steps);

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
    /// With compact_pages K: the K bound pages that lie farthest out, and K free ones inside the
    /// band, which a compaction moves them to.
    std::vector<std::int64_t> outermost;
    std::vector<std::int64_t> holes;
};

/// Draws pages by the fragmentation: identity gives consecutive pages at ascending homes, random
/// gives distinct random pages at randomly permuted homes, compacted gives random pages at homes
/// packed in lane order. Homes fill one band at the sub-pool's end, with holes in it only where a
/// compaction is to fill them. A static pool's homes are the pages themselves.
[[nodiscard]] LanePages draw_pages(const StepPlan& plan);

/// Pages of a sliding-window sub-pool before the first step.
struct WindowPages {
    std::vector<std::int64_t> vpages; ///< pages that a window covers, each once, in lane order
    std::vector<std::int64_t> homes;  ///< the window sub-pool's own page of vpages[i]
    std::int64_t next_page = 0;       ///< where the next run of its pages starts or ends
};

/// Binds only pages that a lane's window still covers; the others have left it. Homes fill one
/// band, permuted where the fragmentation is random.
[[nodiscard]] WindowPages draw_window_pages(const StepPlan& plan, const LanePages& lanes);

/// Pages that the lanes hold at their longest, a shared prefix counted once; of one rank under
/// context parallelism.
[[nodiscard]] std::int64_t peak_pages(const StepPlan& plan);

} // namespace kvprof::workload
