#pragma once

#include "capture/model/run.h"
#include "tests/support/example_runs.h"

#include <chrono>
#include <optional>

namespace kvprof::test {

/// What two ranks recorded, in which every member differs from its default: rank 0 has two figures
/// and two steps, rank 1 a figure of the same name and none.
inline Profile filled_profile() {
    using std::chrono::nanoseconds;
    Profile profile;
    profile.source = ProfileSource::nsys;
    profile.writer = "Nsight Systems 2026.2.1, schema 3.25.0";
    profile.step_rule = "inferred: 81 graph launches a step";
    profile.is_partial = true;
    profile.ranks = {
        {.rank = "TP00",
         .file = "rank0.sqlite",
         .gpu = "NVIDIA H200",
         // Not in the order of their names, and more than 32 bits.
         .figures = {{"gpu.kernel.sum", 147'560'000'001}, {"gpu.kernel.count", 988}},
         .steps =
             {{.name = "step[DECODE bs=32]",
               .start = nanoseconds(1'000),
               .duration = nanoseconds(3'380'000),
               .launches = 10,
               .graph_launches = 81,
               .kernels = 729,
               .kernel_sum = nanoseconds(6'148'333)},
              {.name = "step[DECODE bs=32]", .start = nanoseconds(3'400'000)}}},
        {.rank = "TP01",
         .file = "rank1.sqlite",
         .gpu = "NVIDIA H200 NVL",
         .figures = {{"gpu.kernel.sum", -1}},
         .steps = {}}};
    profile.capabilities = {
        {"graph-kernels", Capability::absent},
        {"cpu-ops", Capability::unknown},
        {"memory", Capability::carried}};
    profile.warnings = {
        {.word = "zero-time", .count = 3, .text = "3 kernels have no time"},
        {.word = "truncated-json", .count = 1, .text = "the file ends early"}};
    profile.neighbours = {
        {.kernel = 2, .before = 3, .after = 4}, {.kernel = 5, .before = {}, .after = 2}};
    return profile;
}

/// A run of filled_profile() with a kernel and a call of no op; its step is no step of ours.
inline Run imported_run() {
    Run run;
    run.uuid = uuid_of('7');
    run.started_at = "2026-01-02T03:04:05Z";
    run.profile = filled_profile();
    run.kernels = {
        {.op = std::nullopt,
         .placement = Placement::in,
         .kind = ActivityKind::kernel,
         .name = "void gemm<float>(float*)",
         .grid = {1, 2, 3},
         .block = {128, 1, 1},
         .launches = 4,
         .time = std::chrono::nanoseconds(4'000),
         .shortest = std::chrono::nanoseconds(900),
         .longest = std::chrono::nanoseconds(1'100),
         .blocks = 24,
         .blocks_with_work = std::nullopt}};
    run.calls = {
        {.call = "cudaGraphLaunch",
         .kind = ApiKind::graph_launch,
         .role = Role::none,
         .op = std::nullopt,
         .calls = 81}};
    return run;
}

/// Of imported_run() alone.
inline Experiment imported_experiment() {
    Experiment experiment;
    experiment.uuid = uuid_of('f');
    experiment.started_at = "2026-01-02T03:04:05Z";
    experiment.command_line = "kvprof import rank0.sqlite rank1.sqlite";
    experiment.state = ExperimentState::complete;
    experiment.kind = ExperimentKind::imported;
    experiment.runs = {imported_run()};
    return experiment;
}

} // namespace kvprof::test
