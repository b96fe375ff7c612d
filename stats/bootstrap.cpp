#include "stats/bootstrap.h"

#include "stats/split_mix.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

namespace kvprof::stats {

namespace {

void resample(std::span<const double> values, SplitMix64& random, std::vector<double>& into) {
    for (double& value : into) {
        value = values[random.below(values.size())];
    }
}

} // namespace

BootstrapInterval bootstrap(
    std::span<const double> a,
    std::span<const double> b,
    const std::function<double(std::span<const double>, std::span<const double>)>& statistic,
    std::uint64_t seed
) {
    assert(!a.empty() && !b.empty());
    constexpr std::size_t kResamples = 10'000;
    constexpr std::size_t kCut = 250; // 2.5 % of them
    SplitMix64 random(seed);
    std::vector<double> of_a(a.size());
    std::vector<double> of_b(b.size());
    std::vector<double> found(kResamples);
    for (double& value : found) {
        resample(a, random, of_a);
        resample(b, random, of_b);
        value = statistic(of_a, of_b);
    }
    std::sort(found.begin(), found.end());
    return {found[kCut - 1], found[kResamples - kCut]};
}

} // namespace kvprof::stats
