#pragma once

#include "analyzers/cost_laws.h"
#include "analyzers/section.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// "seq-len 1,024 to 131,072 (5 points), batch 1 to 256 (5 points)": the axes of a sweep.
[[nodiscard]] std::string describe_axes(const SideLaws& side);
/// "A: grid=ctx; B: grid=bs".
[[nodiscard]] std::string describe_sweep_sides(const AbDesign& design);

/// What is flagged, a sentence each, in the order of the laws; one that says that nothing is.
[[nodiscard]] Section flag_section(const std::vector<SideLaws>& sides);

/// How the laws of two sides differ: intercept, slope and elasticity of times with the intervals of
/// the differences, what bytes follow, and flags that went and came. Rows below kLeastShare of the
/// step on both sides, and bytes that are alike, are left out. Empty of one side.
[[nodiscard]] std::vector<Section> law_change_sections(const std::vector<SideLaws>& sides);

/// A table of time laws an axis, and one of byte laws, of each side.
[[nodiscard]] std::vector<Section> law_sections(const std::vector<SideLaws>& sides);

/// Points without any figure, with the reason.
[[nodiscard]] Section missing_points_section(const std::vector<SideLaws>& sides);

} // namespace kvprof::analyzers
