#pragma once

#include "analyzers/compare.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// Why the sides can not be compared as a whole; empty when they can.
[[nodiscard]] std::vector<std::string> blocking_texts(const Comparison& comparison);
/// What the runs noted, and the runs that were left out.
[[nodiscard]] std::vector<std::string> notes_of(const Comparison& comparison);

/// What a comparison does not decide: rows without a decision, memory that a cached block may hide,
/// and what the runs did not measure.
[[nodiscard]] std::vector<std::string> not_measured(const Comparison& comparison);

} // namespace kvprof::analyzers
