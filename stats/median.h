#pragma once

#include <cstddef>
#include <vector>

namespace kvprof::stats {

/// The mean of the two middle values when their number is even. @pre values is not empty
[[nodiscard]] double median(std::vector<double> values);

/// The median of the distances to the median. @pre values is not empty
[[nodiscard]] double median_deviation(const std::vector<double>& values);

/// The 95 % interval of a median of `n` values goes from the c-th smallest to the c-th greatest,
/// with the greatest c for which each tail of Binomial(n, 1/2) stays below 2.5 %. 0 below six
/// values: there is none.
[[nodiscard]] std::size_t median_cut(std::size_t n);

} // namespace kvprof::stats
