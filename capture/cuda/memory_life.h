#pragma once

#include "capture/memory_life.h"
#include "capture/model/measure_spec.h"
#include "capture/workload/contents.h"
#include "capture/workload/step_plan.h"

#include <string>

namespace kvprof::cuda {

/// Follows the memory of a step and of its graph on the current device, with no tracing tool
/// loaded: every source at every mark, then the slack and the cost of an executable.
/// `device_uuid` ("GPU-...") is how NVML knows the device.
///
/// Kernels are warmed by launching steps outside a graph, so that loading modules shows at no
/// mark, and the driver's memory for graphs, which outlives an executable, is still cold at the
/// first. With `--cached-block`, the block is held before that and is no part of the ledger.
/// @throws UnavailableError when the step does not fit.
[[nodiscard]] MemoryLife memory_life(
    const workload::StepPlan& plan,
    const workload::InitialState& state,
    const MeasureSpec& how,
    const std::string& device_uuid
);

} // namespace kvprof::cuda
