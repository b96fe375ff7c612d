#pragma once

#include "analyzers/policy.h"
#include "analyzers/sampled_test.h"
#include "analyzers/side.h"

#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// The first that is there of not-comparable, regressed, inconclusive, improved; else same. Rows
/// make a case by it, and cases the whole.
[[nodiscard]] Verdict worst_of(const std::vector<Verdict>& verdicts);

/// What a primary metric without a row says: same where it is exact and both sides had the pass
/// that shows it, so that it is 0 on both; else inconclusive, since nobody measured it.
[[nodiscard]] Verdict verdict_without_row(
    const Policy& policy, std::string_view name, const Side& base, const Side& candidate
);

} // namespace kvprof::analyzers
