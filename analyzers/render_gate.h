#pragma once

#include "analyzers/gate.h"

#include <string>

namespace kvprof::analyzers {

/// kvprof.gate/1
[[nodiscard]] std::string gate_json(const GateResult& result);

} // namespace kvprof::analyzers
