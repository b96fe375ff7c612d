#pragma once

#include "capture/cuda/graph.h"
#include "capture/model/memory_stat.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::cuda {

/// How far the device's free memory lags behind allocations.
struct Slack {
    std::optional<Bytes> bytes; ///< absent when free memory did not move within 64 MiB
    std::string cut_short;      ///< why it could not be told, with numbers; empty otherwise
};

/// Bytes of small blocks that had to be allocated before the device's free memory moved: a change
/// below that can read 0. They are freed again. Does not throw on a device that is full.
[[nodiscard]] Slack probe_slack();

/// Device memory taken by executables of one graph, held at once: instantiated and uploaded.
struct HeldExecutables {
    std::vector<ExecutablePoint> points;
    std::string cut_short; ///< why fewer were held, with numbers; empty otherwise
};

/// Holds 1, 2, 4, 8, 16, 24, ... `most` executables, reads after each of these counts, then
/// destroys them all. Stops while some memory is left, so that what follows can run.
[[nodiscard]] HeldExecutables
hold_executables(const CapturedGraph& graph, const Stream& stream, std::int64_t most = 256);

} // namespace kvprof::cuda
