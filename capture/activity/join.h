#pragma once

#include "capture/activity/recording.h"
#include "capture/model/device_state.h"
#include "capture/model/pass.h"
#include "capture/model/trace.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace kvprof::activity {

/// Blocks of the command `tag` in step `step` that have work; absent where no rule says.
using LiveBlocks = std::function<std::optional<std::int64_t>(std::int64_t step, const Tag& tag)>;

/// How the recorded steps were run.
struct StepsRun {
    Pass pass = Pass::nodes;     ///< nodes, or graph: what was traced
    std::int64_t first_step = 0; ///< Scope::step of the first recorded step
    std::int64_t steps = 0;
    std::int64_t steps_per_batch = 1;
    /// Something else runs on the device between steps (L2 flush, restore): a step's time is its
    /// span, and the time to the next step says nothing.
    bool is_apart = false;
    std::int64_t keep_events = 0;
    LiveBlocks live_blocks;
};

/// A recording, read as steps of ops.
struct Joined {
    std::vector<KernelStat> kernels;
    std::vector<OpSample> op_samples;
    std::vector<StepRecord> steps;
    std::vector<KernelEvent> events;
    std::vector<std::optional<std::chrono::nanoseconds>>
        recorded; ///< TracedBatch::recorded, by batch
    std::vector<std::chrono::nanoseconds> graph_spans;
    PassResult evidence; ///< records, dropped, untimed, orphans, by_node, by_launch, ...
    std::vector<Condition> conditions; ///< why the figures must not be used
};

/// Attributes every record of a tracing pass: a graph node by its id, an eager kernel by the launch
/// of its correlation id; then checks what statistics can not: each replay has the nodes of its
/// executable and the kernels of its other replays, each eager launch and each step has a record,
/// no record without times, none lost, none of unknown origin. Records come in no order; a launch
/// may be listed after its records. Steps of the result count from 0, the first recorded one.
/// Of the graph pass, spans of replays are all that is read: each replay has one, and there is one.
/// When a condition is found or the recording has failed, evidence.failure says so and there are no
/// figures.
[[nodiscard]] Joined join(const Recording& recording, const StepsRun& how);

/// Calls inside steps, and captured calls beside them, in the order of their first call. Calls
/// outside steps (set-up, verification, the clock around a batch) are left out.
[[nodiscard]] std::vector<ApiStat> api_stats(const Recording& recording);

} // namespace kvprof::activity
