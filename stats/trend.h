#pragma once

#include <cstdint>
#include <span>

namespace kvprof::stats {

/// Mann-Kendall's test for a trend over time, with Theil and Sen's slope.
struct Trend {
    std::int64_t s = 0;    ///< pairs that rise less pairs that fall
    double variance = 0.0; ///< of s, corrected for ties
    double z = 0.0;        ///< with continuity correction
    double p = 1.0;        ///< two-sided, normal approximation
    double slope = 0.0;    ///< a value; the median over all pairs
};

/// @pre values is not empty
[[nodiscard]] Trend trend_of(std::span<const double> values);

} // namespace kvprof::stats
