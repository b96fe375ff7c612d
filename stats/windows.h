#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace kvprof::stats {

/// The first window j such that windows j..j+4 all lie within 0.5 % of the median of those five;
/// nothing while there is none. Where `clocks` are known (one a window, 0: unknown), those of the
/// five span at most 1 % of the greatest too.
[[nodiscard]] std::optional<std::size_t>
steady_from(std::span<const double> windows, std::span<const double> clocks = {});

/// Whether measured windows drift: Mann-Kendall p < 0.01 and |slope x windows| over 0.25 % of the
/// median. @pre windows are positive, and there is one
[[nodiscard]] bool is_drifting(std::span<const double> windows);

/// Half the width of the order-statistic 95 % interval of the median, over the median; nothing
/// below six values, for which there is no such interval. @pre values are positive
[[nodiscard]] std::optional<double> median_precision(std::span<const double> values);

} // namespace kvprof::stats
