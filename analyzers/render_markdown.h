#pragma once

#include "analyzers/compare.h"
#include "analyzers/noise.h"
#include "analyzers/pairs.h"
#include "capture/model/run.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

// GitHub-flavoured Markdown that fits unchanged into a pull request or a page of docs/results.

/// Verdict, the rows that decide it, everything else under details, and the required section "Not
/// measured".
[[nodiscard]] std::string comparison_markdown(const Comparison& comparison);
/// One row for each case and primary metric; each case's evidence under details.
[[nodiscard]] std::string cases_markdown(const std::vector<Comparison>& cases);
/// One row for each cell and metric.
[[nodiscard]] std::string pairs_markdown(const PairedComparison& comparison);
[[nodiscard]] std::string calibration_markdown(const Calibration& calibration);
/// One row a run, the environment below.
[[nodiscard]] std::string experiment_markdown(const Experiment& experiment);

} // namespace kvprof::analyzers
