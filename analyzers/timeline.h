#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace kvprof::analyzers {

/// When something ran.
struct TimeSpan {
    std::chrono::nanoseconds start{0};
    std::chrono::nanoseconds duration{0};

    friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

/// Indexes of spans that do not overlap, by start.
using Lane = std::vector<std::size_t>;

/// Spreads the spans over as few lanes as hold them without overlap; the first lane takes what
/// starts when it is free.
[[nodiscard]] std::vector<Lane> lanes_of(const std::vector<TimeSpan>& spans);

} // namespace kvprof::analyzers
