#pragma once

#include "analyzers/gate.h"
#include "analyzers/listing.h"
#include "analyzers/noise.h"
#include "analyzers/pairs.h"
#include "analyzers/selftest.h"

#include <vector>

namespace kvprof::test {

// What the golden files of every form show.

/// One run a side, without passes.
[[nodiscard]] analyzers::Comparison rectangle_to_stream();
/// Of runs whose steps were traced: the candidate has token-stream in place of page-table.
[[nodiscard]] analyzers::Comparison traced_rectangle_to_stream();
/// Not comparable: another executor.
[[nodiscard]] analyzers::Comparison cuda_to_host();
/// Two pairs by index-mode and two cells without a counterpart.
[[nodiscard]] analyzers::PairedComparison paired_matrix();
/// Three runs of a matrix, one of which did not fit.
[[nodiscard]] Experiment matrix_experiment();
[[nodiscard]] std::vector<analyzers::ListingRow> listing();

/// Eight traced pairs, the candidate 1.49 % slower.
[[nodiscard]] analyzers::Comparison regression();
/// Three runs a side, whose ranges are disjoint.
[[nodiscard]] analyzers::Comparison too_few_runs();
/// Batch 8 is as fast as before, batch 64 slower.
[[nodiscard]] std::vector<analyzers::Comparison> two_cases();
/// two_cases() by a policy that accepted the regression until the day before.
[[nodiscard]] analyzers::GateResult gated();
[[nodiscard]] analyzers::Calibration calibration();
[[nodiscard]] std::vector<analyzers::SelftestRow> selftest_rows();

} // namespace kvprof::test
