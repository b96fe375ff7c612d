#pragma once

#include "capture/activity/graph_registry.h"
#include "capture/activity/launch_counter.h"
#include "capture/activity/records.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::activity {

/// A named count: what a CallCount is, with the function's name.
struct NamedCall {
    std::string function;
    CallCount count;

    friend bool operator==(const NamedCall&, const NamedCall&) = default;
};

/// Everything that one pass recorded between start and stop. Facts of the recorder, not yet joined.
struct Recording {
    std::vector<Shape> shapes;
    RecordTable records; ///< in no order
    std::vector<Span> spans;
    std::vector<Launch> launches;
    std::vector<NamedCall> calls;
    std::vector<Executable> executables;
    /// Tags of each executable's nodes by index, in the order of `executables`.
    std::vector<std::vector<Tag>> node_tags;
    std::int64_t dropped = 0;         ///< records that CUPTI says it lost
    std::int64_t refused_buffers = 0; ///< times that CUPTI asked for a buffer and got none
    std::int64_t unknown_kinds = 0;   ///< records that this program can not read
    std::int64_t nodes_cross_checked = 0;
    /// Why the recording can not be trusted as a whole; empty otherwise.
    std::string failure;
};

} // namespace kvprof::activity
