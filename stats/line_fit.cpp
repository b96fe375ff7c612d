#include "stats/line_fit.h"

#include "stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace kvprof::stats {

namespace {

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool is_positive(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return value > 0.0; });
}

std::vector<double> logs_of(std::span<const double> values) {
    std::vector<double> logs(values.size());
    std::transform(values.begin(), values.end(), logs.begin(), [](double value) {
        return std::log(value);
    });
    return logs;
}

} // namespace

Bounds bounds_of(const Coefficient& coefficient) {
    constexpr double kUpper = 0.975;
    const double margin = student_t(coefficient.degrees, kUpper) * coefficient.error;
    return {coefficient.value - margin, coefficient.value + margin};
}

Coefficient difference_of(const Coefficient& a, const Coefficient& b) {
    const double of_a = a.error * a.error;
    const double of_b = b.error * b.error;
    const double sum = of_a + of_b;
    Coefficient difference{b.value - a.value, std::sqrt(sum), std::min(a.degrees, b.degrees)};
    if (sum > 0.0) {
        const double degrees = sum * sum
                               / (of_a * of_a / static_cast<double>(a.degrees)
                                  + of_b * of_b / static_cast<double>(b.degrees));
        // A share of a whole number of degrees may come out a rounding below it.
        difference.degrees =
            std::max<std::size_t>(1, static_cast<std::size_t>(std::floor(degrees + 1e-9)));
    }
    return difference;
}

std::optional<LineFit> fit_line(std::span<const double> x, std::span<const double> y) {
    if (std::set<double>(x.begin(), x.end()).size() < kFewestPlaces) {
        return std::nullopt;
    }
    const double n = static_cast<double>(x.size());
    const double mean_x = mean_of(x);
    const double mean_y = mean_of(y);
    double xx = 0.0;
    double xy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    const double slope = xy / xx;
    double residuals = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double residual = y[i] - mean_y - slope * (x[i] - mean_x);
        residuals += residual * residual;
    }
    const std::size_t degrees = x.size() - 2;
    const double variance = residuals / static_cast<double>(degrees);
    return LineFit{
        {mean_y - slope * mean_x, std::sqrt(variance * (1.0 / n + mean_x * mean_x / xx)), degrees},
        {slope, std::sqrt(variance / xx), degrees}};
}

std::optional<LineFit> fit_power(std::span<const double> x, std::span<const double> y) {
    if (!is_positive(x) || !is_positive(y)) {
        return std::nullopt;
    }
    return fit_line(logs_of(x), logs_of(y));
}

} // namespace kvprof::stats
