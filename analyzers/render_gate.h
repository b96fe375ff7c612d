#pragma once

#include "analyzers/gate.h"

#include <string>

namespace kvprof::analyzers {

// The answer of `kvprof gate`: the answer first, the gated rows with their limits, what was
// accepted, then each comparison.

[[nodiscard]] std::string gate_text(const GateResult& result);
[[nodiscard]] std::string gate_markdown(const GateResult& result);
/// kvprof.gate/1
[[nodiscard]] std::string gate_json(const GateResult& result);

} // namespace kvprof::analyzers
