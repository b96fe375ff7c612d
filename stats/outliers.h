#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kvprof::stats {

/// The modified z of each value: 0.6745 (x - median) / MAD; when the MAD is 0,
/// (x - median) / (1.253314 mean|x - median|); all 0 when that is 0 too.
[[nodiscard]] std::vector<double> modified_z(std::span<const double> values);

/// Places of the values whose |z| exceeds 3.5. They are flagged, never dropped.
[[nodiscard]] std::vector<std::size_t> outliers(std::span<const double> values);

} // namespace kvprof::stats
