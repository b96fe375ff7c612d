#pragma once

#include "analyzers/compare.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace kvprof::analyzers {

/// One value for each run of a side; nothing where a run does not have the metric.
using ByRun = std::vector<std::optional<double>>;

/// A row while it is judged: what will be shown, and which run each value is of.
struct Row {
    Delta shown; ///< without a verdict
    ByRun base;
    ByRun candidate;
};

/// One row for each metric that the runs of a side have, in the catalogue's order, with the values
/// of both sides: the only one of an exact metric, the median of a run's samples. Counts and times
/// of an op that a side does not have are 0 there. Metrics of a pass that a side did not try are
/// left out.
[[nodiscard]] std::vector<Row> rows_of(const Side& base, const Side& candidate);

/// Sets values, summary and outliers (of a sampled metric) of the row's sides, and what differs.
void show_values(Row& row);
/// The same with other values than one a run.
void show_values(Row& row, std::vector<double> base, std::vector<double> candidate);

[[nodiscard]] std::vector<double> values_of(const ByRun& by_run);

} // namespace kvprof::analyzers
