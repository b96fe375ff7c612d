#include "analyzers/summary.h"

#include "stats/median.h"

#include <algorithm>

namespace kvprof::analyzers {

std::optional<Summary> summarise(const std::vector<double>& values) {
    if (values.empty()) {
        return std::nullopt;
    }
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    return Summary{
        .n = values.size(),
        .min = *least,
        .median = stats::median(values),
        .max = *greatest,
        .mad = stats::median_deviation(values)};
}

} // namespace kvprof::analyzers
