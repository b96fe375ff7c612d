#pragma once

#include "analyzers/metric.h"
#include "analyzers/policy.h"

#include <string>
#include <string_view>

namespace kvprof::analyzers {

/// Reads one limit of a metric into `limits`: "1%", "0.5 %", "0.1% of step", "200ns", "2 us",
/// "1.5ms", "2MiB", "3" (a count). A unit must be one of the metric's.
/// @return why it can not be one ("a time needs a unit: ns, us, ms, s"); empty when it was read
[[nodiscard]] std::string
read_limit(std::string_view text, const MetricDef& metric, Limits& limits);

} // namespace kvprof::analyzers
