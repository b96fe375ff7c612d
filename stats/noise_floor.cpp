#include "stats/noise_floor.h"

#include "stats/median.h"
#include "stats/shift.h"
#include "stats/split_mix.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace kvprof::stats {

namespace {

/// C(n, n/2)/2, or a number above kMostSplits. @pre n is even
std::size_t equal_splits(std::size_t n) {
    std::size_t splits = 1; // C(n - 1, n/2 - 1), which is the same
    for (std::size_t i = 1; i < n / 2 && splits <= NoiseFloor::kMostSplits; ++i) {
        splits = splits * (n / 2 + i) / i;
    }
    return splits;
}

double distance_of(std::span<const double> a, std::span<const double> b) {
    return std::abs(median_difference(a, b));
}

/// Each split once: the first value always belongs to the first half.
std::vector<double> distances_of_all(std::span<const double> logs) {
    const std::size_t half = logs.size() / 2;
    std::vector<bool> is_first(logs.size(), false);
    std::fill(is_first.begin(), is_first.begin() + static_cast<std::ptrdiff_t>(half), true);
    std::vector<double> distances;
    do {
        std::vector<double> a;
        std::vector<double> b;
        for (std::size_t i = 0; i < logs.size(); ++i) {
            (is_first[i] ? a : b).push_back(logs[i]);
        }
        distances.push_back(distance_of(a, b));
    } while (std::prev_permutation(std::next(is_first.begin()), is_first.end()));
    return distances;
}

/// Splits drawn by a shuffle of which only the first half is needed.
std::vector<double> distances_of_some(std::vector<double> logs, std::uint64_t seed) {
    const std::size_t half = logs.size() / 2;
    SplitMix64 random(seed);
    std::vector<double> distances;
    for (std::size_t split = 0; split < NoiseFloor::kMostSplits; ++split) {
        for (std::size_t i = 0; i < half; ++i) {
            std::swap(logs[i], logs[i + random.below(logs.size() - i)]);
        }
        const std::span<const double> all(logs);
        distances.push_back(distance_of(all.first(half), all.last(half)));
    }
    return distances;
}

} // namespace

NoiseFloor noise_floor(std::span<const double> values, std::uint64_t seed) {
    assert(values.size() >= 4);
    std::vector<double> logs;
    for (const double value : values) {
        logs.push_back(std::log(value));
    }
    NoiseFloor floor{.sigma = 1.4826 * median_deviation(logs)};
    logs.resize(logs.size() / 2 * 2);
    std::vector<double> distances = equal_splits(logs.size()) <= NoiseFloor::kMostSplits
                                        ? distances_of_all(logs)
                                        : distances_of_some(logs, seed);
    floor.splits = distances.size();
    const std::size_t rank = (99 * floor.splits + 99) / 100; // 99 % of them, rounded up
    const auto wanted = distances.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(distances.begin(), wanted, distances.end());
    floor.log_ratio = *wanted;
    return floor;
}

} // namespace kvprof::stats
