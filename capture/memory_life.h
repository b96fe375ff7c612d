#pragma once

#include "capture/model/memory_stat.h"
#include "capture/model/units.h"

#include <optional>
#include <string>
#include <vector>

namespace kvprof {

/// What the memory pass read: every source at every mark of a graph's life, then device memory
/// against the number of executables held. docs/metrics.md, "Graph memory", has the protocol.
struct MemoryLife {
    std::vector<MarkReading> marks; ///< by mark, in time order; a source that is silent is absent
    std::vector<ExecutablePoint> executables; ///< by executables, ascending
    /// How much had to be allocated before free memory moved; absent when it did not move within
    /// the probe's bound.
    std::optional<Bytes> slack;
    std::vector<std::string> notes; ///< what was held back or cut short, with numbers
};

} // namespace kvprof
