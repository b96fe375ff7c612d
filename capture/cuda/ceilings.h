#pragma once

#include "capture/model/ceilings.h"

namespace kvprof::cuda {

/// As kvprof::measure_ceilings. Everything is timed by events around replays of graphs of equal
/// nodes, the median of 15 stretches after a warm-up; of a copy the better of our kernel and of
/// cudaMemcpyAsync.
[[nodiscard]] Ceilings measure_ceilings(int device);

} // namespace kvprof::cuda
