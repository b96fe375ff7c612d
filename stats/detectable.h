#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace kvprof::stats {

/// The minimal detectable effect at power 80 % is exp(factor * sigma) - 1. For n <= 8 the factors
/// are simulated ones of the exact tests at alpha 0.05; above, (t_{2n-2, 0.975} + t_{2n-2, 0.8})
/// sqrt(1/a + 1/b) sqrt(pi/3), and for pairs (t_{n-1, 0.975} + t_{n-1, 0.8}) sqrt(1/n) sqrt(pi/3).
/// Nothing when no effect could be detected. Unequal sides take the simulated factor only when both
/// have the same n; else the formula, and nothing when least_rank_sum_p(a, b) > 0.05.
[[nodiscard]] std::optional<double> detectable_factor(std::size_t a, std::size_t b);
[[nodiscard]] std::optional<double> paired_detectable_factor(std::size_t n);

/// The formula alone, for any n: what a planned n would see.
[[nodiscard]] double detectable_formula(std::size_t a, std::size_t b);
[[nodiscard]] double paired_detectable_formula(std::size_t n);

/// exp(factor * sigma) - 1.
[[nodiscard]] double detectable_effect(double factor, double sigma);

/// The smallest n a side with which the formula sees `effect` (0.01: 1 %), 4 at least: below no
/// test can be significant. @pre effect > 0, sigma >= 0
[[nodiscard]] std::size_t runs_to_detect(double effect, double sigma);

/// Pooled standard deviation of two samples, the mean taken out of each; 0 when neither has two.
[[nodiscard]] double pooled_deviation(std::span<const double> a, std::span<const double> b);
/// Standard deviation of one sample; 0 below two values.
[[nodiscard]] double deviation(std::span<const double> values);

} // namespace kvprof::stats
