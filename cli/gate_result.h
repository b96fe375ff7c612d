#pragma once

#include "analyzers/gate.h"
#include "capture/model/run.h"

#include <string>

namespace kvprof::cli {

/// How a gate judges, besides its policy.
struct GateRules {
    std::string day; ///< "2026-12-31": acceptances hold up to and on their last day
    bool allows_single_layout = false;
};

/// Judges an A/B experiment as it is stored, failed runs and an early end included.
[[nodiscard]] analyzers::GateResult result_of(
    const Experiment& experiment, const analyzers::CompareOptions& how, const GateRules& rules
);

/// Of a regression that was measured again: the second experiment takes part in the answer.
[[nodiscard]] analyzers::GateResult result_of_both(
    const Experiment& first,
    const Experiment& second,
    const analyzers::CompareOptions& how,
    const GateRules& rules
);

} // namespace kvprof::cli
