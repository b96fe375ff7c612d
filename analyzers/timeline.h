#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace kvprof::analyzers {

/// When something ran.
struct Interval {
    std::chrono::nanoseconds start{0};
    std::chrono::nanoseconds duration{0};

    friend bool operator==(const Interval&, const Interval&) = default;
};

/// Indexes of intervals that do not overlap, by start.
using Lane = std::vector<std::size_t>;

/// Spreads the intervals over as few lanes as hold them without overlap; the first lane takes what
/// starts when it is free.
[[nodiscard]] std::vector<Lane> lanes_of(const std::vector<Interval>& intervals);

} // namespace kvprof::analyzers
