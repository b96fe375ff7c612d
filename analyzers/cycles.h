#pragma once

#include "analyzers/case_facts.h"
#include "analyzers/compare_rows.h"

#include <optional>

namespace kvprof::analyzers {

/// The row's comparison in cycles: each run's time times the median SM clock that was read while it
/// measured. Of a GPU time alone, when it is significant or a run was power-capped, and only where
/// every run's clock is known. @param alpha that the row's adjusted p is held against
[[nodiscard]] std::optional<CycleTest>
test_cycles(const Row& row, const CaseFacts& facts, double alpha);

/// Whether a change of time is one of clocks: the cycles, held to the same limit, do not say the
/// same, and the median clocks differ by more than 0.5 %.
/// @param by_time regressed or improved @param by_cycles the verdict of `cycles.test`
[[nodiscard]] bool is_confounded(const CycleTest& cycles, Verdict by_time, Verdict by_cycles);

} // namespace kvprof::analyzers
