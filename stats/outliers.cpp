#include "stats/outliers.h"

#include "stats/median.h"

#include <cmath>

namespace kvprof::stats {

namespace {

/// The distance to the median that counts as one standard deviation; 0: no value stands out.
double spread_of(const std::vector<double>& values, double centre) {
    if (const double mad = median_deviation(values); mad > 0.0) {
        return mad / 0.6745;
    }
    double total = 0.0;
    for (const double value : values) {
        total += std::abs(value - centre);
    }
    return 1.253314 * total / static_cast<double>(values.size());
}

} // namespace

std::vector<double> modified_z(std::span<const double> values) {
    std::vector<double> z(values.begin(), values.end());
    if (z.empty()) {
        return z;
    }
    const double centre = median(z);
    const double spread = spread_of(z, centre);
    for (double& value : z) {
        value = spread > 0.0 ? (value - centre) / spread : 0.0;
    }
    return z;
}

std::vector<std::size_t> outliers(std::span<const double> values) {
    constexpr double kFar = 3.5;
    const std::vector<double> z = modified_z(values);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < z.size(); ++i) {
        if (std::abs(z[i]) > kFar) {
            places.push_back(i);
        }
    }
    return places;
}

} // namespace kvprof::stats
