#pragma once

#include "analyzers/table.h"
#include "report/claims.h"

#include <string>

namespace kvprof::report {

/// One row an answer: the claim (in the author's words where there are any), its case where cases
/// have names, what was measured, the answer, and why.
[[nodiscard]] analyzers::Table claims_table(const CheckedClaims& claims);

/// "3 claims: 2 supported, 1 cannot be decided"; of several cases one claim counts once for each.
[[nodiscard]] std::string describe_claims(const CheckedClaims& claims);

/// "the interval reaches beyond 1 %; 16 runs a side would decide".
[[nodiscard]] std::string reason_words(const ClaimAnswer& answer);

} // namespace kvprof::report
