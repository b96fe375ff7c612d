#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kvprof::stats {

/// What identical code shows between runs.
struct NoiseFloor {
    double sigma = 0.0; ///< 1.4826 MAD of the logs: robust standard deviation of a run
    /// The ceil(0.99 S)-th smallest |log ratio| over S equal splits of the runs, the ratio being
    /// Hodges and Lehmann's: all C(n, n/2)/2 of them, or kMostSplits drawn with the seed. Of an odd
    /// number of runs the last one is left out.
    double log_ratio = 0.0;
    std::size_t splits = 0;

    static constexpr std::size_t kMostSplits = 5000;
};

/// @param values one positive value a run. @pre at least 4 values
[[nodiscard]] NoiseFloor noise_floor(std::span<const double> values, std::uint64_t seed);

} // namespace kvprof::stats
