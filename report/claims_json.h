#pragma once

#include "analyzers/json_values.h"
#include "report/claims.h"

namespace kvprof::report {

/// {"origin", "title", "exit_code", "claims": [{"claim", "text", "metric", "kind", "case", "line",
/// "cell", "verdict", "measured", "why", "runs_needed"}]}; what is not given is null.
[[nodiscard]] analyzers::Json claims_object(const CheckedClaims& claims);

} // namespace kvprof::report
