#pragma once

#include <span>
#include <vector>

namespace kvprof::stats {

/// p-values adjusted for the number of tests, in the order given. Holm keeps the chance of any
/// false rejection below alpha.
[[nodiscard]] std::vector<double> holm(std::span<const double> p);

/// Benjamini-Hochberg: keeps the expected share of false rejections below q.
[[nodiscard]] std::vector<double> benjamini_hochberg(std::span<const double> p);

} // namespace kvprof::stats
