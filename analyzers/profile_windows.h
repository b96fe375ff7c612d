#pragma once

#include "analyzers/metric.h"
#include "analyzers/policy.h"
#include "analyzers/side.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// How the windows of two sides of imported captures stand to each other.
struct Windows {
    bool differ = false;    ///< not all captures have equally many ranks, and steps in all of them
    bool have_steps = true; ///< all captures have some
};

/// Of other sides: the windows do not differ.
[[nodiscard]] Windows windows_of(const Side& base, const Side& candidate);

/// Whether the metric says nothing between such windows: their totals are of more or less work, and
/// a figure of a step is a total where there are no steps.
[[nodiscard]] bool is_of_other_work(const MetricDef& metric, const Windows& windows);

/// `ids_of`, but for sides whose windows differ the figures of a step of a rank: "launches" ->
/// step.host_launch_calls, "copies" -> step.memory_copies, "step_time" -> step.kernel_time and
/// step.period.
[[nodiscard]] std::vector<std::string>
ids_between(const Policy& policy, std::string_view name, const Side& base, const Side& candidate);

} // namespace kvprof::analyzers
