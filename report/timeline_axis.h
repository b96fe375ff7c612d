#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace kvprof::report {

/// A mark of a time axis.
struct AxisTick {
    std::chrono::nanoseconds time{0};
    std::string words; ///< "0", "250 us": one unit on the whole axis

    friend bool operator==(const AxisTick&, const AxisTick&) = default;
};

/// From 0 in steps of 1, 2 or 5 times a power of ten: eight marks at
/// most, and only whole nanoseconds. @pre extent > 0
[[nodiscard]] std::vector<AxisTick> axis_ticks(std::chrono::nanoseconds extent);

} // namespace kvprof::report
