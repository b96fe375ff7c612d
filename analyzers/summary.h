#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace kvprof::analyzers {

/// Order statistics of a few values; `mad` is the median of the distances to the median.
struct Summary {
    std::size_t n = 0;
    double min = 0.0;
    double median = 0.0;
    double max = 0.0;
    double mad = 0.0;

    friend bool operator==(const Summary&, const Summary&) = default;
};

/// Nothing when there are no values.
[[nodiscard]] std::optional<Summary> summarise(const std::vector<double>& values);

} // namespace kvprof::analyzers
