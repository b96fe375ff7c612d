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

/// What somebody says that a metric is, or changed by.
struct Quantity {
    double value = 0.0;    ///< in the metric's unit, or 0.01 for 1 %
    bool is_share = false; ///< in percent of the base

    friend bool operator==(const Quantity&, const Quantity&) = default;
};

/// Reads a figure of a metric, which may have a sign and commas between thousands: "-1.0 GiB",
/// "+172us", "-1.5 %", "65,536". A unit must be one of the metric's; 0 needs none.
/// @return why it can not be one; empty when it was read
[[nodiscard]] std::string
read_quantity(std::string_view text, const MetricDef& metric, Quantity& quantity);

} // namespace kvprof::analyzers
