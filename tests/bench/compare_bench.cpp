#include "analyzers/compare.h"
#include "tests/support/example_runs.h"

#include <benchmark/benchmark.h>

#include <string>

namespace {

using namespace kvprof;

/// A traced run with `count` kernels of different names.
Run run_of_kernels(std::int64_t count, const std::string& last_name) {
    Run run = test::traced_run();
    const KernelStat stat = run.kernels.front();
    run.kernels.clear();
    for (std::int64_t i = 0; i < count; ++i) {
        KernelStat& kernel = run.kernels.emplace_back(stat);
        kernel.name = "void kernels::generated<" + std::to_string(i) + ">(Arguments)";
    }
    run.kernels.back().name = last_name;
    return run;
}

/// Two traced runs with that many kernels each: rows, kernels and the ledger.
void compare_runs_of_many_kernels(benchmark::State& bench) {
    const analyzers::Side base =
        analyzers::side_of("a", {run_of_kernels(bench.range(0), "base alone")});
    const analyzers::Side candidate =
        analyzers::side_of("b", {run_of_kernels(bench.range(0), "candidate alone")});
    for (auto _ : bench) {
        benchmark::DoNotOptimize(analyzers::compare(base, candidate));
    }
    bench.SetComplexityN(bench.range(0));
}

/// Eight runs a side, timed alone: a gate's case.
void compare_eight_runs_a_side(benchmark::State& bench) {
    std::vector<Run> runs;
    for (std::int64_t i = 0; i < 8; ++i) {
        runs.push_back(test::step_run(IndexMode::stream, {1000 + i, 1001 + i, 1002 + i}));
    }
    const analyzers::Side side = analyzers::side_of("a", runs);
    for (auto _ : bench) {
        benchmark::DoNotOptimize(analyzers::compare(side, side));
    }
}

} // namespace

BENCHMARK(compare_runs_of_many_kernels)
    ->RangeMultiplier(10)
    ->Range(100, 10'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK(compare_eight_runs_a_side)->Unit(benchmark::kMillisecond);
