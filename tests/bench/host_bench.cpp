#include "capture/host/host_step.h"
#include "capture/workload/contents.h"
#include "capture/workload/plan_buffers.h"
#include "capture/workload/step_program.h"
#include "kernels/host/run.h"

#include <benchmark/benchmark.h>

namespace {

using namespace kvprof;

StepSpec kimi(std::int64_t seq_len) {
    StepSpec spec;
    spec.seq_len = seq_len;
    spec.layers = 1;
    return spec;
}

void plan_a_step(benchmark::State& bench) {
    for (auto _ : bench) {
        benchmark::DoNotOptimize(workload::plan_step(kimi(8224), {}));
    }
}

/// Inputs of 64 lanes: what a run pays before it can verify.
void generate_inputs(benchmark::State& bench) {
    const auto plan = workload::plan_step(kimi(bench.range(0)), {});
    for (auto _ : bench) {
        benchmark::DoNotOptimize(workload::make_state(plan));
    }
    bench.SetItemsProcessed(bench.iterations() * 64 * bench.range(0));
}

/// The scheduler's launches of one step under churn: host work between two replays.
void lower_a_turn(benchmark::State& bench) {
    StepSpec spec = kimi(512);
    spec.preset = "tiny-mla";
    spec.churn = 1.0 / 64;
    const auto plan = workload::plan_step(spec, {});
    const auto state = workload::make_state(plan);
    workload::StepProgram program(plan, workload::imagined_places(plan), state);
    for (auto _ : bench) {
        benchmark::DoNotOptimize(program.next_step().size());
    }
}

/// The host twin of a whole step without its KV pool: what verification runs.
void run_the_twin(benchmark::State& bench) {
    const auto plan = workload::plan_step(kimi(bench.range(0)), {});
    const auto state = workload::make_state(plan);
    const auto step = host::prepare_host_step(plan, state, host::KvPool::left_out);
    for (auto _ : bench) {
        benchmark::DoNotOptimize(step->replay(1));
    }
    bench.SetItemsProcessed(bench.iterations() * 64 * bench.range(0));
}

BENCHMARK(plan_a_step);
BENCHMARK(generate_inputs)->Arg(1024)->Arg(8224);
BENCHMARK(lower_a_turn);
BENCHMARK(run_the_twin)->Arg(1024)->Arg(8224);

} // namespace
