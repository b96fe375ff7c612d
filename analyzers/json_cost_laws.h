#pragma once

#include "analyzers/json_values.h"
#include "capture/model/run.h"

namespace kvprof::analyzers {

/// Of a sweep: {"sides": [...], "changes": [...] or null}. Each law has its points, its fits with
/// intervals, and its flag.
[[nodiscard]] Json cost_laws_object(const Experiment& experiment);

} // namespace kvprof::analyzers
