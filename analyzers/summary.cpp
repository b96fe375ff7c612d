#include "analyzers/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace kvprof::analyzers {

double median(std::vector<double> values) {
    assert(!values.empty());
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    if (values.size() % 2 == 1) {
        return values[middle];
    }
    return (values[middle - 1] + values[middle]) / 2.0;
}

std::optional<Summary> summarise(const std::vector<double>& values) {
    if (values.empty()) {
        return std::nullopt;
    }
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    Summary summary{
        .n = values.size(), .min = *least, .median = median(values), .max = *greatest, .mad = 0.0};
    std::vector<double> distances;
    for (const double value : values) {
        distances.push_back(std::abs(value - summary.median));
    }
    summary.mad = median(std::move(distances));
    return summary;
}

} // namespace kvprof::analyzers
