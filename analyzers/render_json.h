#pragma once

#include "analyzers/compare.h"
#include "analyzers/listing.h"
#include "analyzers/noise.h"
#include "analyzers/pairs.h"
#include "capture/model/run.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

// JSON documents, indented by two, with a newline at the end. `schema` names the form; within one
// version fields are only added. Stored times and bytes are integers; figures per replay may have
// fractions. What is absent is null, never NaN. Nothing is shortened.

/// kvprof.run/1
[[nodiscard]] std::string run_json(const Run& run);
/// kvprof.experiment/1
[[nodiscard]] std::string experiment_json(const Experiment& experiment);
/// kvprof.comparison/1
[[nodiscard]] std::string comparison_json(const Comparison& comparison);
/// kvprof.comparisons/1: a list of comparisons under their cases
[[nodiscard]] std::string cases_json(const std::vector<Comparison>& cases);
/// kvprof.pairs/1: a list of comparisons, and the variants without a counterpart
[[nodiscard]] std::string pairs_json(const PairedComparison& comparison);
/// kvprof.calibration/1
[[nodiscard]] std::string calibration_json(const Calibration& calibration);
/// kvprof.listing/1
[[nodiscard]] std::string listing_json(const std::vector<ListingRow>& rows);

} // namespace kvprof::analyzers
