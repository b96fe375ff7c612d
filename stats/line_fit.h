#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace kvprof::stats {

/// The low and the high end of a 95 % interval.
struct Bounds {
    double low = 0.0;
    double high = 0.0;
};

/// An estimate, its standard error, and the degrees of freedom that the error was estimated with.
struct Coefficient {
    double value = 0.0;
    double error = 0.0;
    std::size_t degrees = 1;
};

/// value -+ t(degrees, 0.975) * error.
[[nodiscard]] Bounds bounds_of(const Coefficient& coefficient);

/// By how much `b` exceeds `a`, of independent fits. The degrees of freedom are Welch's and
/// Satterthwaite's, rounded down.
[[nodiscard]] Coefficient difference_of(const Coefficient& a, const Coefficient& b);

/// y = intercept + slope * x.
struct LineFit {
    Coefficient intercept;
    Coefficient slope;
};

/// Values of x that a line takes at least: two determine it, a third one can speak against it.
inline constexpr std::size_t kFewestPlaces = 3;

/// Ordinary least squares. The errors come from the residuals, with n - 2 degrees of freedom.
/// Nothing with fewer than kFewestPlaces different x. @pre x and y have one size
[[nodiscard]] std::optional<LineFit> fit_line(std::span<const double> x, std::span<const double> y);

/// The same of ln y on ln x: `slope` is the elasticity of y, the percent by which it grows with a
/// percent of x. Nothing where a value is not above 0.
[[nodiscard]] std::optional<LineFit>
fit_power(std::span<const double> x, std::span<const double> y);

} // namespace kvprof::stats
