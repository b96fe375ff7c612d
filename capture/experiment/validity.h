#pragma once

#include "capture/model/run.h"

#include <cstdint>
#include <string>

namespace kvprof::experiment {

/// Why a run's times may not be used and another run has to take its place: what the device or
/// other processes did meanwhile, or, the first time, that it did not become steady. Decided on
/// outside evidence alone, never on the times. Empty when the run stands. Whoever gave it less
/// warm-up than the method asks for (--warmup-max below its default) has an unsteady run kept.
/// @param attempt of the run's place in the design: an unsteady run is kept the second time
[[nodiscard]] std::string void_reason(const Run& run, std::int64_t attempt);

} // namespace kvprof::experiment
