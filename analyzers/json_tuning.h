#pragma once

#include "analyzers/json_values.h"
#include "analyzers/tuning.h"

namespace kvprof::analyzers {

/// "tuning" of an experiment's document: choices, times by shape, and the joint optimum. Choices
/// are named by their place in the list.
[[nodiscard]] Json tuning_object(const Tuning& tuning);

} // namespace kvprof::analyzers
