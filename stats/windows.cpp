#include "stats/windows.h"

#include "stats/median.h"
#include "stats/trend.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace kvprof::stats {

namespace {

constexpr std::size_t kSteadyWindows = 5;

bool is_level(std::span<const double> windows) {
    constexpr double kMostOff = 0.005;
    const double centre = median({windows.begin(), windows.end()});
    return std::all_of(windows.begin(), windows.end(), [&](double window) {
        return std::abs(window - centre) <= kMostOff * centre;
    });
}

bool is_clock_level(std::span<const double> clocks) {
    constexpr double kMostSpan = 0.01;
    double least = 0.0; // of the known ones
    double greatest = 0.0;
    for (const double clock : clocks) {
        if (clock > 0.0) {
            least = least > 0.0 ? std::min(least, clock) : clock;
            greatest = std::max(greatest, clock);
        }
    }
    return greatest - least <= kMostSpan * greatest;
}

} // namespace

std::optional<std::size_t>
steady_from(std::span<const double> windows, std::span<const double> clocks) {
    assert(clocks.empty() || clocks.size() == windows.size());
    for (std::size_t j = 0; j + kSteadyWindows <= windows.size(); ++j) {
        const bool is_steady =
            is_level(windows.subspan(j, kSteadyWindows))
            && (clocks.empty() || is_clock_level(clocks.subspan(j, kSteadyWindows)));
        if (is_steady) {
            return j;
        }
    }
    return std::nullopt;
}

bool is_drifting(std::span<const double> windows) {
    constexpr double kSignificant = 0.01;
    constexpr double kMostDrift = 0.0025;
    const Trend trend = trend_of(windows);
    const double drift = std::abs(trend.slope) * static_cast<double>(windows.size());
    return trend.p < kSignificant && drift > kMostDrift * median({windows.begin(), windows.end()});
}

std::optional<double> median_precision(std::span<const double> values) {
    const std::size_t cut = median_cut(values.size());
    if (cut == 0) {
        return std::nullopt;
    }
    std::vector<double> ordered(values.begin(), values.end());
    std::sort(ordered.begin(), ordered.end());
    const double width = ordered[ordered.size() - cut] - ordered[cut - 1];
    return width / 2.0 / median(std::move(ordered));
}

} // namespace kvprof::stats
