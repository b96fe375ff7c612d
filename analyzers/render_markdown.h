#pragma once

#include "analyzers/compare.h"
#include "analyzers/pairs.h"
#include "capture/model/run.h"

#include <string>

namespace kvprof::analyzers {

// GitHub-flavoured Markdown that fits unchanged into a pull request or a page of docs/results.

/// Verdict, metric table, concerns, and the required section "Not measured".
[[nodiscard]] std::string comparison_markdown(const Comparison& comparison);
/// One row for each cell and metric.
[[nodiscard]] std::string pairs_markdown(const PairedComparison& comparison);
/// One row a run, the environment below.
[[nodiscard]] std::string experiment_markdown(const Experiment& experiment);

} // namespace kvprof::analyzers
