#pragma once

#include "analyzers/metric.h"

#include <span>

namespace kvprof::analyzers {

/// The rows of the catalogue that imported profiles have, in the order of reports. A figure of a
/// profile (ProfileFigure) has the id of its row.
[[nodiscard]] std::span<const MetricDef> profile_catalogue();

} // namespace kvprof::analyzers
