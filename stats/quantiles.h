#pragma once

#include <cstddef>

namespace kvprof::stats {

/// The quantile of Student's distribution at probability `p`, to about nine digits.
/// @pre degrees >= 1, 0 < p < 1
[[nodiscard]] double student_t(std::size_t degrees, double p);

/// The quantile of the standard normal distribution. @pre 0 < p < 1
[[nodiscard]] double normal_quantile(double p);

/// The share of the standard normal distribution above `z`.
[[nodiscard]] double normal_tail(double z);

} // namespace kvprof::stats
