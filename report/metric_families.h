#pragma once

#include "analyzers/metric.h"

#include <string>
#include <string_view>

namespace kvprof::report {

/// What a metric is called where names hold letters, digits and _ alone, and units are base units.
struct FamilyName {
    std::string family;     ///< "kvprof_step_time_seconds", "kvprof_ledger_group_bytes"
    std::string_view unit;  ///< "seconds", "bytes", "ratio"; empty for a count
    std::string_view label; ///< "group": what the catalogue has in <...>; empty without
    std::string value;      ///< of that label, "graph"
};

/// The policy's word (step_time, wall_time, launches, copies, graph_memory), or the id with _ for .
/// and -; then the unit. <group>, <buffer>, <source>, <mark> and <call> stay in the name as words
/// and become labels; <name> becomes a label and leaves the name.
[[nodiscard]] FamilyName family_of(std::string_view id, const analyzers::MetricDef& metric);

/// A value in the family's base unit: seconds of nanoseconds.
[[nodiscard]] double in_base_unit(analyzers::Unit unit, double value);

} // namespace kvprof::report
