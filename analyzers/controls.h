#pragma once

#include "analyzers/case_facts.h"
#include "analyzers/compare.h"

#include <optional>
#include <vector>

namespace kvprof::analyzers {

/// The kernels with the same code on both sides, tested ones alone where there are any; nothing
/// when there is none that took time.
[[nodiscard]] std::optional<Controls>
controls_of(const std::vector<KernelDelta>& kernels, const CaseFacts& facts);

/// Whether what moves the controls moves a row too: times of steps and ops, as ratios.
[[nodiscard]] bool may_drift(const Delta& row);

/// The test with estimate and interval divided by what the controls moved by; p stays. Unchanged
/// without tested controls, and below three: the median of fewer is one kernel's noise.
[[nodiscard]] SampledTest without_drift(SampledTest test, const Controls& controls);

} // namespace kvprof::analyzers
