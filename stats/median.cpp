#include "stats/median.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

namespace kvprof::stats {

double median(std::vector<double> values) {
    assert(!values.empty());
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) {
        return *middle;
    }
    return (*std::max_element(values.begin(), middle) + *middle) / 2.0;
}

double median_deviation(const std::vector<double>& values) {
    const double centre = median(values);
    std::vector<double> distances;
    distances.reserve(values.size());
    for (const double value : values) {
        distances.push_back(std::abs(value - centre));
    }
    return median(std::move(distances));
}

std::size_t median_cut(std::size_t n) {
    constexpr double kTail = 0.025;
    const double count = static_cast<double>(n);
    double log_share = -count * std::numbers::ln2; // of k values on one side of the median
    double tail = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
        tail += std::exp(log_share);
        if (tail > kTail) {
            return k;
        }
        const double i = static_cast<double>(k);
        log_share += std::log((count - i) / (i + 1.0));
    }
    return 0;
}

} // namespace kvprof::stats
