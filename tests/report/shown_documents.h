#pragma once

#include "analyzers/pairs.h"
#include "report/document.h"

#include <vector>

namespace kvprof::test {

// Documents of tests/analyzers/shown_examples.h without tool and recipe, so that golden files show
// the words alone.

[[nodiscard]] report::Judged judged_of(std::vector<analyzers::Comparison> cases);
[[nodiscard]] report::Document shown(std::vector<analyzers::Comparison> cases);
[[nodiscard]] report::Document shown(const analyzers::Comparison& comparison);
[[nodiscard]] report::Document shown(const analyzers::PairedComparison& pairs);
[[nodiscard]] report::Document shown(const analyzers::GateResult& gate);

/// regression() as a report, with the experiment that it was measured by.
[[nodiscard]] report::Report regression_report();

} // namespace kvprof::test
