#include "stats/detectable.h"

#include "stats/quantiles.h"
#include "stats/rank_test.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace kvprof::stats {

namespace {

constexpr double kAlpha = 0.05;
constexpr double kPower = 0.8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kFewestRuns = 4; // a side: below, Mann-Whitney can not reach alpha
constexpr std::size_t kFewestPairs = 6;

/// Factors of the exact tests for kFewestRuns or kFewestPairs and up to 8, by simulation of normal
/// noise: the shift, in standard deviations, that is significant in 80 % of the trials.
constexpr std::array kSimulated{2.90, 2.31, 1.92, 1.77, 1.55};
constexpr std::array kPairedSimulated{1.79, 1.33, 1.25};

/// Tests of ranks need pi/3 times the values that a t test needs.
double formula(std::size_t degrees, double inverse_sizes) {
    const double t = student_t(degrees, 1.0 - kAlpha / 2.0) + student_t(degrees, kPower);
    return t * std::sqrt(inverse_sizes * std::numbers::pi / 3.0);
}

double inverse(std::size_t n) {
    return 1.0 / static_cast<double>(n);
}

/// Of squared distances to the mean; exactly 0 when all values are equal. @pre not empty
double sum_of_squares(std::span<const double> values) {
    const double origin = values.front();
    double mean = 0.0; // from the origin
    for (const double value : values) {
        mean += (value - origin) / static_cast<double>(values.size());
    }
    double sum = 0.0;
    for (const double value : values) {
        const double distance = (value - origin) - mean;
        sum += distance * distance;
    }
    return sum;
}

} // namespace

std::optional<double> detectable_factor(std::size_t a, std::size_t b) {
    if (least_rank_sum_p(a, b) > kAlpha) {
        return std::nullopt;
    }
    if (a == b && a - kFewestRuns < kSimulated.size()) {
        return kSimulated[a - kFewestRuns];
    }
    return detectable_formula(a, b);
}

std::optional<double> paired_detectable_factor(std::size_t n) {
    if (n < kFewestPairs) {
        return std::nullopt;
    }
    const std::size_t place = n - kFewestPairs;
    return place < kPairedSimulated.size() ? kPairedSimulated[place] : paired_detectable_formula(n);
}

double detectable_formula(std::size_t a, std::size_t b) {
    if (a == 0 || b == 0 || a + b < 3) {
        return kInfinity;
    }
    return formula(a + b - 2, inverse(a) + inverse(b));
}

double paired_detectable_formula(std::size_t n) {
    return n < 2 ? kInfinity : formula(n - 1, inverse(n));
}

double detectable_effect(double factor, double sigma) {
    return std::expm1(factor * sigma);
}

std::size_t runs_to_detect(double effect, double sigma) {
    assert(effect > 0.0 && sigma >= 0.0);
    // Normal quantiles ask for a few runs fewer than Student's: start there.
    const double quantiles = normal_quantile(1.0 - kAlpha / 2.0) + normal_quantile(kPower);
    const double reach = quantiles * sigma / std::log1p(effect);
    const double fewest = std::ceil(2.0 * std::numbers::pi / 3.0 * reach * reach);
    constexpr double kMost = 1e9; // more than anybody can measure
    if (fewest >= kMost) {
        return static_cast<std::size_t>(kMost);
    }
    std::size_t n = std::max(static_cast<std::size_t>(fewest), kFewestRuns);
    while (detectable_effect(detectable_formula(n, n), sigma) > effect) {
        ++n;
    }
    return n;
}

double pooled_deviation(std::span<const double> a, std::span<const double> b) {
    double degrees = 0.0;
    double squares = 0.0;
    for (const std::span<const double> side : {a, b}) {
        if (side.size() >= 2) {
            degrees += static_cast<double>(side.size() - 1);
            squares += sum_of_squares(side);
        }
    }
    return degrees > 0.0 ? std::sqrt(squares / degrees) : 0.0;
}

double deviation(std::span<const double> values) {
    return pooled_deviation(values, {});
}

} // namespace kvprof::stats
