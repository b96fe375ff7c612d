#pragma once

#include "capture/model/enum_names.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof {

/// What one measuring process observes. A process holds at most one CUPTI session, and levels of
/// tracing exclude each other, so a run is made of several processes, one a pass.
enum class Pass : std::uint8_t {
    timing, ///< CUPTI not loaded: the times that are reported
    counts, ///< API callbacks alone: launch calls, captured nodes
    graph,  ///< graph-level trace: one span a replay
    nodes,  ///< one record a node: kernel times, grids, gaps
    memory  ///< CUPTI not loaded: memory at every mark of a graph's life
};

template<>
struct EnumNames<Pass> {
    static constexpr std::array values{
        std::pair{Pass::timing, "timing"},
        std::pair{Pass::counts, "counts"},
        std::pair{Pass::graph, "graph"},
        std::pair{Pass::nodes, "nodes"},
        std::pair{Pass::memory, "memory"}};
};

/// One batch of steps of a traced pass, timed as a Sample is (Run::samples holds the timing pass).
struct TracedBatch {
    std::int64_t ordinal = 0;
    std::int64_t steps = 0;
    std::chrono::nanoseconds gpu_time{0};  ///< between two device events
    std::chrono::nanoseconds wall_time{0}; ///< host clock
    /// From the first record's start to the last one's end; with L2 flushes or restores between
    /// steps, the sum over steps of it. Absent when the pass has no records.
    std::optional<std::chrono::nanoseconds> recorded;

    friend bool operator==(const TracedBatch&, const TracedBatch&) = default;
};

/// What a traced pass saw and missed. `failure` says why the pass gave no figures, with its remedy;
/// what it then holds are counts of evidence, no measurements.
struct PassResult {
    Pass pass{};
    std::string failure; ///< empty when the pass counts
    std::int64_t steps = 0;
    std::int64_t graphs = 1; ///< captured: several when steps take turns over sets of buffers
    std::vector<TracedBatch> batches;

    std::int64_t records = 0;             ///< activity records of steps
    std::int64_t dropped = 0;             ///< that CUPTI says it lost
    std::int64_t untimed = 0;             ///< start or end missing, or end before start
    std::int64_t orphans = 0;             ///< records of no known launch
    std::int64_t by_node = 0;             ///< attributed by graph node id
    std::int64_t by_launch = 0;           ///< attributed by the launch callback (eager kernels)
    std::int64_t unattributed = 0;        ///< of a known replay, of no known op
    std::int64_t nodes_cross_checked = 0; ///< node ids that the executable's own ids confirm

    friend bool operator==(const PassResult&, const PassResult&) = default;
};

} // namespace kvprof
