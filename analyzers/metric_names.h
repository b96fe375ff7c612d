#pragma once

#include "analyzers/metric.h"

#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// Short words of a policy for rows that most gates judge, and "kernels". What each stands for:
/// `ids_of`.
inline constexpr std::string_view kStepTime = "step_time";
inline constexpr std::string_view kWallTime = "wall_time";
inline constexpr std::string_view kLaunches = "launches";
inline constexpr std::string_view kCopies = "copies";
inline constexpr std::string_view kGraphMemory = "graph_memory";
inline constexpr std::string_view kKernels = "kernels";

/// The catalogue's row of an id that a report can have: "step.gpu_time", "op.token-stream.time"
/// (which fits op.<name>.time), "ledger.graph.bytes". Null when there is none: an op, mark or
/// attribute in the place of <...> must exist; buffers and API calls may have any name.
[[nodiscard]] const MetricDef* find_metric(std::string_view id);

/// Every word that names a metric in a policy, the ids with one name in place of <...>: what a
/// misspelt one is compared with.
[[nodiscard]] std::vector<std::string_view> metric_words();

/// What a memory metric may be read from, in a policy.
[[nodiscard]] std::vector<std::string_view> memory_sources();
/// The id of graph memory from that source; empty when there is no such source.
[[nodiscard]] std::string_view graph_memory_id(std::string_view source);

} // namespace kvprof::analyzers
