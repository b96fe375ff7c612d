#include "db/store.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <benchmark/benchmark.h>

namespace {

using namespace kvprof;

/// As a long traced run would leave them: steps of 40 records in a row.
Run run_with_events(std::int64_t count) {
    constexpr std::int64_t kRecordsOfStep = 40;
    Run run = test::traced_run();
    run.events.clear();
    for (std::int64_t i = 0; i < count; ++i) {
        run.events.push_back(
            {.step = i / kRecordsOfStep,
             .kernel = i % std::ssize(run.kernels),
             .stream = 13,
             .node = (std::uint64_t{7} << 32U) + static_cast<std::uint64_t>(i % kRecordsOfStep),
             .start = std::chrono::nanoseconds(i * 2500),
             .duration = std::chrono::nanoseconds(1900 + i % 700)}
        );
    }
    return run;
}

Experiment experiment_with(Run run) {
    Experiment experiment;
    experiment.uuid = test::uuid_of('e');
    experiment.runs.push_back(std::move(run));
    return experiment;
}

void store_events(benchmark::State& bench) {
    const Experiment experiment = experiment_with(run_with_events(bench.range(0)));
    for (auto _ : bench) {
        bench.PauseTiming();
        const test::StoreFolder folder;
        bench.ResumeTiming();
        db::Store(folder.file(), db::OpenMode::create).add_experiment(experiment);
    }
    bench.SetItemsProcessed(bench.iterations() * bench.range(0));
}

void load_events(benchmark::State& bench) {
    const test::StoreFolder folder;
    const Experiment experiment = experiment_with(run_with_events(bench.range(0)));
    db::Store(folder.file(), db::OpenMode::create).add_experiment(experiment);
    for (auto _ : bench) {
        const db::Store store(folder.file(), db::OpenMode::read);
        benchmark::DoNotOptimize(store.load_events(experiment.runs.front().uuid));
    }
    bench.SetItemsProcessed(bench.iterations() * bench.range(0));
}

/// What `kvprof show` pays for a run that has them.
void load_a_run_beside_its_events(benchmark::State& bench) {
    const test::StoreFolder folder;
    const Experiment experiment = experiment_with(run_with_events(bench.range(0)));
    db::Store(folder.file(), db::OpenMode::create).add_experiment(experiment);
    for (auto _ : bench) {
        const db::Store store(folder.file(), db::OpenMode::read);
        benchmark::DoNotOptimize(store.load_experiment(experiment.uuid));
    }
}

void remove_a_run_with_events(benchmark::State& bench) {
    const Experiment experiment = experiment_with(run_with_events(bench.range(0)));
    for (auto _ : bench) {
        bench.PauseTiming();
        const test::StoreFolder folder;
        db::Store store(folder.file(), db::OpenMode::create);
        store.add_experiment(experiment);
        bench.ResumeTiming();
        store.remove(experiment.uuid);
    }
}

constexpr std::int64_t kEvents = 2'000'000;

BENCHMARK(store_events)->Arg(kEvents)->Unit(benchmark::kMillisecond);
BENCHMARK(load_events)->Arg(kEvents)->Unit(benchmark::kMillisecond);
BENCHMARK(load_a_run_beside_its_events)->Arg(kEvents)->Unit(benchmark::kMillisecond);
BENCHMARK(remove_a_run_with_events)->Arg(kEvents)->Unit(benchmark::kMillisecond);

} // namespace
