#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace kvprof::bench {

using Launch = std::function<cudaError_t(cudaStream_t)>;

/// Median time of one call of `launch`, in us: 20 calls are captured into a graph, which is
/// replayed back to back. A sample is at least one replay and at least about 200 us, between two
/// events; so a figure includes the gap between nodes and a share of the gap between replays.
[[nodiscard]] double median_us(const Launch& launch, int samples);

/// Bytes a microsecond, read and written, of the device's own copy of 192 MiB.
[[nodiscard]] double copy_bytes_per_us(int samples);

/// Runs `launch` back to back until the clocks have had `milliseconds` to rise.
void warm_up(const Launch& launch, double milliseconds);

} // namespace kvprof::bench
