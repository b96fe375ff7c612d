#pragma once

#include "analyzers/json_values.h"
#include "capture/model/run.h"

namespace kvprof::analyzers {

/// What the passes beside the timing pass found, and the circumstances of a run: members of a run's
/// object. Times and bytes as stored; `ledger` is derived and null when it can not be.
[[nodiscard]] Json traces(const Run& run);

} // namespace kvprof::analyzers
