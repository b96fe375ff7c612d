#pragma once

#include "analyzers/section.h"
#include "analyzers/step_timeline.h"

#include <vector>

namespace kvprof::analyzers {

/// Wall, kernel time, gaps and kernels of the step of each side, with the difference of two; then
/// which steps they are. Empty without timelines.
[[nodiscard]] Section timeline_section(const std::vector<StepTimeline>& timelines);

} // namespace kvprof::analyzers
