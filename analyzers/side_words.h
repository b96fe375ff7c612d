#pragma once

#include "analyzers/compare.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

// What two sides are, where their options do not tell them apart.

/// "program: A (program=base) -> B (program=head)", "git-revision: 1a2b -> 3c4d", "no field
/// differs: before -> after" of what no option says; nothing that a concern names already.
[[nodiscard]] std::vector<std::string> side_changes(const Comparison& comparison);

/// "two builds: 0.1.0 (1a2b) -> 0.1.0 (3c4d)", by their ids where only those differ; empty when one
/// program measured both sides.
[[nodiscard]] std::string describe_builds(const Comparison& comparison);

/// environment_lines() of both sides; each with its side where they are not the same.
[[nodiscard]] std::vector<std::string> environments_of(const Comparison& comparison);

} // namespace kvprof::analyzers
