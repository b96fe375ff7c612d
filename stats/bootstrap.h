#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace kvprof::stats {

struct BootstrapInterval {
    double low = 0.0;
    double high = 0.0;
};

/// Percentile interval (95 %) of a statistic of two samples over 10,000 resamples of the values of
/// each: of `a` first, then of `b`, by SplitMix64(seed).below(n). Only for statistics with no rank
/// inversion: at small n it is too narrow. @pre neither side is empty
[[nodiscard]] BootstrapInterval bootstrap(
    std::span<const double> a,
    std::span<const double> b,
    const std::function<double(std::span<const double>, std::span<const double>)>& statistic,
    std::uint64_t seed
);

} // namespace kvprof::stats
