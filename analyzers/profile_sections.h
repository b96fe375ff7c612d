#pragma once

#include "analyzers/compare.h"
#include "analyzers/section.h"
#include "capture/model/run.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// Whether both sides hold imported profiles, and nothing else.
[[nodiscard]] bool compares_profiles(const Comparison& comparison);

/// "torch (Kineto), 2 ranks, 24 steps a rank by annotation step[": what a side of profiles is.
[[nodiscard]] std::string describe_profile(const Run& run);

/// Totals of both sides: difference, percentage, and the difference a step and rank (of a span: a
/// step) where all captures have steps, however many; then a table of the ranks. Of several
/// captures a side the median is shown.
[[nodiscard]] std::vector<Section> profile_comparison_sections(const Comparison& comparison);

/// An imported run: its totals, ranks, steps (at most 64), kernels by full name (at most 40, those
/// with most time), and what the profile carries.
[[nodiscard]] std::vector<Section> profile_sections(const Run& run);

} // namespace kvprof::analyzers
