#pragma once

#include "analyzers/gate.h"
#include "analyzers/json_values.h"

namespace kvprof::analyzers {

/// kvprof.gate/1 without the name of its schema.
[[nodiscard]] Json gate_object(const GateResult& result);
/// What decides one row; all its figures stand in its comparison.
[[nodiscard]] Json gated_object(const GateResult& result, const GatedRow& gated);

} // namespace kvprof::analyzers
