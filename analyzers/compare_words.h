#pragma once

#include "analyzers/compare.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// What the runs noted, and the runs that were left out.
[[nodiscard]] std::vector<std::string> notes_of(const Comparison& comparison);

/// What a comparison does not decide: rows without a decision, memory that a cached block may hide,
/// and what the runs did not measure.
[[nodiscard]] std::vector<std::string> not_measured(const Comparison& comparison);

} // namespace kvprof::analyzers
