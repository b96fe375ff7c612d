#include "tests/analyzers/shown_examples.h"

#include "tests/analyzers/ab_runs.h"
#include "tests/support/example_runs.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace kvprof::test {

namespace {

using namespace analyzers;

CompareOptions index_mode_declared() {
    CompareOptions how;
    how.treatment = {"index-mode"};
    return how;
}

Run at_batch(Run run, std::int64_t batch) {
    run.step.batch = batch;
    return run;
}

CompareOptions delay_declared() {
    CompareOptions how;
    how.treatment = {"delay-op", "delay-us"};
    how.is_interleaved = true;
    return how;
}

StepTimes first(StepTimes times, std::size_t runs) {
    times.resize(runs);
    return times;
}

Case case_of(std::int64_t batch, Side base, Side candidate) {
    for (Side* side : {&base, &candidate}) {
        side->step.batch = batch;
        for (Run& run : side->runs) {
            run.step.batch = batch;
        }
    }
    return {"batch=" + std::to_string(batch), std::move(base), std::move(candidate)};
}

} // namespace

Comparison rectangle_to_stream() {
    return compare(
        side_of("@latest/index-mode=rectangle", {step_run(IndexMode::rectangle, {9, 8, 9})}),
        side_of("@latest/index-mode=stream", {step_run(IndexMode::stream, {3, 3, 4})}),
        index_mode_declared()
    );
}

Comparison traced_rectangle_to_stream() {
    Run stream = traced_run();
    stream.step.index_mode = IndexMode::stream;
    for (auto& sample : stream.op_samples) {
        sample.op = sample.op == OpKind::page_table ? OpKind::token_stream : sample.op;
    }
    for (auto& kernel : stream.kernels) {
        kernel.op = kernel.op == OpKind::page_table ? OpKind::token_stream : kernel.op;
        kernel.blocks_with_work.reset();
    }
    stream.ops[1].op = OpKind::token_stream;
    return compare(side_of("a", {traced_run()}), side_of("b", {stream}), index_mode_declared());
}

Comparison cuda_to_host() {
    Run host = step_run(IndexMode::stream, {900});
    host.environment.executor = "host";
    host.measure.executor = ExecutorKind::host;
    host.environment.build = "0.2.0";
    host.notes = {"not-steady: 2.4 % after 10 s"};
    return compare(side_of("a", {step_run(IndexMode::stream, {3})}), side_of("b", {host}));
}

PairedComparison paired_matrix() {
    Run lost = at_batch(step_run(IndexMode::stream, {}), 256);
    lost.status = {RunState::not_run, "needs 3.00 GiB, 2.00 GiB are free", 5};
    return compare_pairs(pair_by(
        "index-mode",
        {at_batch(step_run(IndexMode::rectangle, {9}), 8),
         at_batch(step_run(IndexMode::stream, {3}), 8),
         at_batch(step_run(IndexMode::rectangle, {12}), 64),
         at_batch(step_run(IndexMode::stream, {6}), 64),
         at_batch(step_run(IndexMode::rectangle, {30}), 256),
         lost}
    ));
}

Experiment matrix_experiment() {
    Experiment experiment;
    experiment.uuid = uuid_of('e');
    experiment.label = "demo";
    experiment.command_line = "kvprof run --vary index-mode=rectangle,stream";
    experiment.started_at = "2026-01-02T03:04:00Z";
    experiment.state = ExperimentState::complete;
    experiment.runs = {
        step_run(IndexMode::rectangle, {9, 8, 9}),
        step_run(IndexMode::stream, {3, 3, 4}),
        step_run(IndexMode::stream, {})};
    experiment.runs[1].samples[2].discarded = "interrupted";
    experiment.runs[2].status = {RunState::not_run, "needs 3.00 GiB, 2.00 GiB are free", 5};
    experiment.runs[2].uuid = uuid_of('3');
    experiment.runs[2].check = {};
    return experiment;
}

std::vector<ListingRow> listing() {
    return {
        {.uuid = uuid_of('e'),
         .started_at = "2026-01-02T03:04:00Z",
         .label = "demo",
         .command_line = "kvprof run --vary index-mode=rectangle,stream",
         .state = ExperimentState::complete,
         .kind = ExperimentKind::ab,
         .runs = 3,
         .complete_runs = 2,
         .void_runs = 1,
         .variants = 2,
         .tags = {"baseline/main", "pr"}},
        {.uuid = uuid_of('d'),
         .started_at = "2026-01-01T03:04:00Z",
         .label = "",
         .command_line = "kvprof run",
         .state = ExperimentState::interrupted,
         .runs = 1,
         .complete_runs = 0,
         .variants = 1,
         .tags = {}}};
}

Comparison regression() {
    return compare(
        traced_ab_side(AbSide::a, v16_base()),
        traced_ab_side(AbSide::b, v16_candidate()),
        delay_declared()
    );
}

Comparison too_few_runs() {
    return compare(
        ab_side(AbSide::a, first(v16_base(), 3)),
        ab_side(AbSide::b, first(v16_candidate(), 3)),
        delay_declared()
    );
}

std::vector<Comparison> two_cases() {
    StepTimes same = v16_base();
    std::reverse(same.begin(), same.end());
    return compare_cases(
        {case_of(8, ab_side(AbSide::a, v16_base()), ab_side(AbSide::b, same)),
         case_of(64, ab_side(AbSide::a, v16_base()), ab_side(AbSide::b, v16_candidate()))},
        delay_declared()
    );
}

GateResult gated() {
    Policy policy;
    policy.origin = "kvprof.toml";
    policy.accepted = {
        {.metric = "step_time",
         .cell = "batch=64",
         .until = "2026-01-31",
         .reason = "the delay is known",
         .line = 12}};
    return gate_of(two_cases(), policy, "2026-02-01");
}

Calibration calibration() {
    Calibration calibration;
    calibration.experiment = std::string(32, 'c');
    calibration.started_at = "2026-01-02T03:04:05Z";
    calibration.step.batch = 8;
    calibration.device = "NVIDIA H200";
    calibration.metrics = {
        {"step.gpu_time", 0.001291, 0.00163, 12, 462, 0.002003},
        {"step.wall_time", 0.01, 0.02, 12, 462, std::nullopt}};
    calibration.notes = {"left out a run that is void: hw-slowdown"};
    calibration.runs_a_side = 8;
    return calibration;
}

std::vector<SelftestRow> selftest_rows() {
    return {
        {.what = "identical code, synthetic runs",
         .injected = 0.0,
         .threshold = 0.01,
         .gates = 200,
         .regressed = 0,
         .improved = 1,
         .same = 187,
         .inconclusive = 12,
         .holds = true},
        {.what = "slowed down, measured",
         .injected = 0.02,
         .threshold = 0.01,
         .gates = 1,
         .regressed = 1,
         .holds = true}};
}

} // namespace kvprof::test
