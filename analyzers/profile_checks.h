#pragma once

#include "analyzers/comparability.h"
#include "analyzers/side.h"

#include <vector>

namespace kvprof::analyzers {

/// What speaks against comparing two sides of imported profiles; nothing where a side has none.
/// Blocks: another granularity of graphs (one side has their kernels, the other whole replays).
/// Warns: other programs, ranks, numbers of steps or ways to find them, a partial file, stacks or
/// memory recorded on one side alone, over 5 % orphan kernel time.
[[nodiscard]] std::vector<Concern> profile_concerns(const Side& base, const Side& candidate);

} // namespace kvprof::analyzers
