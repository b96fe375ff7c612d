#include "stats/quantiles.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace kvprof::stats {

namespace {

constexpr int kMostSteps = 200; // of Newton's method; some ten are usual

/// The continued fraction of the incomplete beta function I_x(a, b), by Lentz's method. It takes
/// about sqrt(max(a, b)) terms where x < (a + 1)/(a + b + 2).
double beta_fraction(double a, double b, double x) {
    constexpr double kTiny = 1e-300;
    constexpr double kEnough = 1e-15;
    const auto away_from_zero = [](double value) {
        return std::abs(value) < kTiny ? kTiny : value;
    };
    double c = 1.0;
    double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    double fraction = d;
    constexpr int kMostTerms = 100'000;
    for (int term = 1; term <= kMostTerms; ++term) {
        const double m = term;
        const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        fraction *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        fraction *= d * c;
        if (std::abs(d * c - 1.0) < kEnough) {
            break;
        }
    }
    return fraction;
}

/// Student's distribution at one t > 0.
struct StudentPoint {
    double density = 0.0;
    double tail = 0.0; ///< the share above t: half of I_x(n/2, 1/2) with x = n/(n + t^2)
};

StudentPoint student_at(double n, double t) {
    const double inverse_beta = std::exp(std::lgamma((n + 1.0) / 2.0) - std::lgamma(n / 2.0))
                                / std::sqrt(std::numbers::pi); // 1/B(n/2, 1/2)
    const double x = n / (n + t * t);
    const double rest = t * t / (n + t * t);                         // 1 - x, without its rounding
    const double power = std::exp(-n / 2.0 * std::log1p(t * t / n)); // x^(n/2)
    const double scale = power * std::sqrt(rest) * inverse_beta;
    StudentPoint point;
    point.density = power * std::sqrt(x / n) * inverse_beta;
    if (x < (n / 2.0 + 1.0) / (n / 2.0 + 2.5)) {
        point.tail = scale / n * beta_fraction(n / 2.0, 0.5, x);
    } else {
        point.tail = 0.5 - scale * beta_fraction(0.5, n / 2.0, rest);
    }
    return point;
}

} // namespace

double normal_tail(double z) {
    return std::erfc(z / std::numbers::sqrt2) / 2.0;
}

double normal_quantile(double p) {
    assert(p > 0.0 && p < 1.0);
    // Newton's method on the log of the tail, which is concave: the steps do not swing. The tail
    // is at most half of exp(-z^2/2), so that the start is not below the root.
    const double wanted = p < 0.5 ? p : 1.0 - p;
    double z = std::sqrt(-2.0 * std::log(2.0 * wanted));
    for (int i = 0; i < kMostSteps; ++i) {
        const double tail = normal_tail(z);
        const double density = std::exp(-z * z / 2.0) / std::sqrt(2.0 * std::numbers::pi);
        const double step = std::log(tail / wanted) * tail / density;
        z += step;
        if (std::abs(step) < 1e-14 * (1.0 + z)) {
            break;
        }
    }
    return p < 0.5 ? -z : z;
}

double student_t(std::size_t degrees, double p) {
    assert(degrees >= 1 && p > 0.0 && p < 1.0);
    if (p == 0.5) {
        return 0.0;
    }
    // As above, in the log of t: the tails are those of a power.
    const double n = static_cast<double>(degrees);
    const double wanted = p < 0.5 ? p : 1.0 - p;
    double t = std::abs(normal_quantile(p));
    for (int i = 0; i < kMostSteps; ++i) {
        const StudentPoint point = student_at(n, t);
        const double step = std::log(point.tail / wanted) * point.tail / (t * point.density);
        t *= std::exp(step);
        if (std::abs(step) < 1e-13) {
            break;
        }
    }
    return p < 0.5 ? -t : t;
}

} // namespace kvprof::stats
