#pragma once

#include "analyzers/compare.h"
#include "analyzers/json_values.h"

#include <optional>

namespace kvprof::analyzers {

[[nodiscard]] Json verdict_or_null(const std::optional<Verdict>& verdict);

/// {"kind": "ratio", "estimate", "low", "high", "level", "method": "hl-signed-rank"}; the bounds
/// are null without an interval.
[[nodiscard]] Json change_object(const SampledTest& test);

/// One metric on both sides, with every value and the test.
[[nodiscard]] Json delta_object(const Delta& row);
/// One kernel on both sides, ns a step.
[[nodiscard]] Json kernel_object(const KernelDelta& kernel);

} // namespace kvprof::analyzers
