#pragma once

#include <chrono>
#include <cstdint>

namespace kvprof::analyzers {

/// A count, for means and shares.
[[nodiscard]] constexpr double as_double(std::int64_t count) {
    return static_cast<double>(count);
}

/// Nanoseconds.
[[nodiscard]] constexpr double as_double(std::chrono::nanoseconds time) {
    return static_cast<double>(time.count());
}

} // namespace kvprof::analyzers
