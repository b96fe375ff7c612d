#include "stats/noise_floor.h"
#include "stats/rank_test.h"
#include "stats/shift.h"
#include "stats/split_mix.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

namespace {

using namespace kvprof::stats;

/// Times of runs in ns that spread over 1 %, few of them equal.
std::vector<double> runs(std::int64_t count, std::uint64_t seed) {
    SplitMix64 random(seed);
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(12'400'000.0 + static_cast<double>(random.below(124'000)));
    }
    return values;
}

/// Test, estimate and interval of one row.
void compare_sides(benchmark::State& bench) {
    const std::vector<double> a = runs(bench.range(0), 1);
    const std::vector<double> b = runs(bench.range(0), 2);
    for (auto _ : bench) {
        benchmark::DoNotOptimize(rank_sum(a, b));
        benchmark::DoNotOptimize(shift_between(a, b));
    }
}

void compare_pairs(benchmark::State& bench) {
    std::vector<double> differences = runs(bench.range(0), 1);
    for (double& difference : differences) {
        difference -= 12'450'000.0;
    }
    for (auto _ : bench) {
        benchmark::DoNotOptimize(signed_rank(differences));
        benchmark::DoNotOptimize(shift_of_pairs(differences));
    }
}

void find_the_noise_floor(benchmark::State& bench) {
    const std::vector<double> values = runs(bench.range(0), 1);
    for (auto _ : bench) {
        benchmark::DoNotOptimize(noise_floor(values, 1));
    }
}

BENCHMARK(compare_sides)->Arg(8)->Arg(30)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(compare_pairs)->Arg(8)->Arg(60)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(find_the_noise_floor)->Arg(12)->Arg(20)->Unit(benchmark::kMicrosecond);

} // namespace
