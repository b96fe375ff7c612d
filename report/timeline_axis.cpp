#include "report/timeline_axis.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace kvprof::report {

namespace {

constexpr std::int64_t kMostMarks = 8;

std::int64_t distance_for(std::int64_t extent) {
    std::int64_t power = 1;
    while (true) {
        for (const std::int64_t times : {1, 2, 5}) {
            if (extent / kMostMarks < power * times) {
                return power * times;
            }
        }
        power *= 10;
    }
}

struct AxisUnit {
    std::int64_t ns = 1;
    const char* name = "ns";
};

AxisUnit unit_for(std::int64_t extent) {
    constexpr std::array kUnits{
        AxisUnit{1'000'000'000, "s"}, AxisUnit{1'000'000, "ms"}, AxisUnit{1000, "us"}};
    for (const AxisUnit& unit : kUnits) {
        if (extent >= unit.ns) {
            return unit;
        }
    }
    return {};
}

} // namespace

std::vector<AxisTick> axis_ticks(std::chrono::nanoseconds extent) {
    const std::int64_t distance = distance_for(extent.count());
    const AxisUnit unit = unit_for(extent.count());
    std::vector<AxisTick> ticks{{std::chrono::nanoseconds(0), "0"}};
    std::int64_t time = 0;
    while (extent.count() - time >= distance) {
        time += distance;
        const double value = static_cast<double>(time) / static_cast<double>(unit.ns);
        ticks.push_back({std::chrono::nanoseconds(time), fmt::format("{:g} {}", value, unit.name)});
    }
    return ticks;
}

} // namespace kvprof::report
