#pragma once

#include "analyzers/sampled_test.h"

#include <vector>

namespace kvprof::analyzers {

/// Tests that are looked at together: their p is adjusted for how many they are.
using Family = std::vector<SampledTest*>;

/// By Holm: keeps the chance of any false alarm of the family below alpha.
void adjust_for_any(const Family& family);
/// By Benjamini and Hochberg: keeps the expected share of false alarms below q.
void adjust_for_share(const Family& family);

} // namespace kvprof::analyzers
