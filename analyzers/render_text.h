#pragma once

#include "analyzers/compare.h"
#include "analyzers/listing.h"
#include "analyzers/noise.h"
#include "analyzers/pairs.h"
#include "capture/model/run.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

// Text for a terminal. Pure: the same data give the same bytes, no clock, no colour, and a newline
// at the end. Each says the answer first, then its evidence, then what was not measured.

/// `kvprof diff A B`.
[[nodiscard]] std::string comparison_text(const Comparison& comparison);
/// `kvprof diff` of an A/B experiment with several cases: one line each, then each by itself.
[[nodiscard]] std::string cases_text(const std::vector<Comparison>& cases);
/// `kvprof diff REF --by FIELD`: one block a cell, then the cells without a counterpart.
[[nodiscard]] std::string pairs_text(const PairedComparison& comparison);
/// A comparison without "not measured": a part of a greater report.
[[nodiscard]] std::string comparison_body(const Comparison& comparison);
/// `kvprof calibrate`.
[[nodiscard]] std::string calibration_text(const Calibration& calibration);
/// `kvprof show RUN`: every stored fact of one run, samples summed up.
[[nodiscard]] std::string run_text(const Run& run);
/// After `kvprof run`, and `kvprof show EXPERIMENT`: one row a run.
[[nodiscard]] std::string experiment_text(const Experiment& experiment);
/// `kvprof ls`: one row an experiment.
[[nodiscard]] std::string listing_text(const std::vector<ListingRow>& rows);

} // namespace kvprof::analyzers
