#pragma once

#include <cstddef>
#include <cstdint>

namespace kvprof::stats {

/// SplitMix64: the generator of every random choice that a stored seed must repeat on any machine
/// (order of runs, resamples, splits).
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed)
        : state_(seed) {}

    std::uint64_t next();
    /// An index below `n`: ((next() >> 32) * n) >> 32. @pre 0 < n < 2^32
    std::size_t below(std::size_t n);

  private:
    std::uint64_t state_;
};

} // namespace kvprof::stats
