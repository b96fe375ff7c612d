#pragma once

#include "analyzers/json_values.h"
#include "analyzers/step_timeline.h"

#include <vector>

namespace kvprof::analyzers {

/// The member "timeline" of JSON documents: which step of each side is shown, and its figures. Bars
/// are not in it: `kvprof export` gives every record.
[[nodiscard]] Json timelines_object(const std::vector<StepTimeline>& timelines);

} // namespace kvprof::analyzers
