#pragma once

#include "capture/model/memory_stat.h"
#include "capture/model/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// Bytes with a 95 % interval.
struct BytesEstimate {
    double value = 0.0;
    double low = 0.0;
    double high = 0.0;

    friend bool operator==(const BytesEstimate&, const BytesEstimate&) = default;
};

/// What one more executable of a graph takes on the device, by slope: a single delta can read 0
/// because the driver serves it from what it holds, a line through many can not.
struct ExecutableCost {
    std::int64_t kernel_nodes = 0; ///< of each executable
    std::int64_t most = 0;         ///< executables held at once
    Bytes taken;                   ///< by them all
    std::int64_t served = 0; ///< executables that the driver served from what it held; 0: none
    std::int64_t points = 0; ///< of the line
    /// Of an executable; absent (unresolved) when nothing moved, or fewer than three points did.
    std::optional<BytesEstimate> each;
    /// Of a kernel node, fixed costs spread over the nodes; absent with `each` and without nodes.
    std::optional<BytesEstimate> each_node;

    friend bool operator==(const ExecutableCost&, const ExecutableCost&) = default;
};

/// Least squares of the bytes taken over the executables held. The line starts at the last point
/// that still shows the first point's bytes: until there, slack absorbed what was asked for. The
/// interval is the slope's standard error times Student's t. Memory comes in blocks, so the
/// residuals are steps and the interval is a guide to their size, not a coverage promise.
/// @pre points ascend by executables and are of one graph
[[nodiscard]] ExecutableCost executable_cost(const std::vector<ExecutablePoint>& points);

/// "256.0 KiB each (252.1 KiB .. 259.9 KiB), 4.0 KiB a node; ...", or what is unresolved and below
/// which slack. Never that nothing was taken.
[[nodiscard]] std::string describe(const ExecutableCost& cost, std::optional<Bytes> slack);

} // namespace kvprof::analyzers
