#pragma once

#include "analyzers/compare.h"
#include "analyzers/json_values.h"

#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// kvprof.comparison/1 without the name of its schema.
[[nodiscard]] Json comparison_object(const Comparison& comparison);
/// [{"cell", "comparison"}, ...]
[[nodiscard]] Json case_list(const std::vector<Comparison>& cases);

[[nodiscard]] Json verdict_or_null(const std::optional<Verdict>& verdict);

/// {"kind": "ratio", "estimate", "low", "high", "level", "method": "hl-signed-rank"}; the bounds
/// are null without an interval.
[[nodiscard]] Json change_object(const SampledTest& test);

} // namespace kvprof::analyzers
