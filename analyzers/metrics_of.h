#pragma once

#include "analyzers/metric.h"
#include "capture/model/run.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// The values of one metric in one run: one for an exact metric, one a sample for a sampled one.
struct Series {
    std::string id; ///< the catalogue's id with <name> filled in
    const MetricDef* metric = nullptr;
    std::vector<double> values;
};

/// Every metric that the run has values of, in the catalogue's order. Times are per replay (per
/// launch when one op was measured alone) and leave out discarded samples. A run that is not
/// complete has no metrics.
[[nodiscard]] std::vector<Series> metrics_of(const Run& run);

/// Whether the run had the pass that observes the metric: an exact metric that is then absent is 0.
[[nodiscard]] bool observes(const Run& run, const MetricDef& metric);

} // namespace kvprof::analyzers
