#include "tests/analyzers/ab_runs.h"

#include "tests/analyzers/traced_run.h"
#include "tests/support/example_runs.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

namespace kvprof::test {

namespace {

constexpr double kNsPerUs = 1000.0;
constexpr double kDelayUs = 180.0;

std::int64_t whole_ns(double us) {
    return std::llround(us * kNsPerUs);
}

/// A B B A: pairs 0 and 1 of a block hold places 0, 1 and 3, 2.
AbPlace place_of(AbSide side, std::int64_t pair) {
    const bool is_first = pair % 2 == 0;
    const std::int64_t place = side == AbSide::a ? (is_first ? 0 : 3) : (is_first ? 1 : 2);
    return {.side = side, .block = pair / 2, .place = place};
}

void set_place(Run& run, const AbPlace& place) {
    const std::int64_t order = place.block * 4 + place.place;
    run.ab = place;
    run.position = order;
    run.repeat = place.pair();
    run.uuid = std::string(30, '0') + (order < 10 ? "0" : "") + std::to_string(order);
    run.uuid[0] = place.side == AbSide::a ? 'a' : 'b';
    run.uuid[1] = run.uuid[30];
    run.uuid[2] = run.uuid[31];
    run.started_at =
        "2026-01-02T03:" + std::string(order < 10 ? "0" : "") + std::to_string(order) + ":05Z";
    if (place.side == AbSide::b) {
        run.step.delay_op = "token-stream";
        run.step.delay_us = kDelayUs;
    }
    run.variant = place.side == AbSide::a ? "delay-us=0" : "delay-us=180";
}

Run timed_run(double us) {
    Run run = step_run(IndexMode::stream, {1});
    run.samples[0].gpu_time = std::chrono::nanoseconds(whole_ns(us) * run.samples[0].replays);
    run.samples[0].wall_time =
        std::chrono::nanoseconds((whole_ns(us) + 1000) * run.samples[0].replays);
    return run;
}

analyzers::Side side_of_runs(AbSide side, std::vector<Run> runs) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
        set_place(runs[i], place_of(side, static_cast<std::int64_t>(i)));
    }
    return analyzers::side_of(side == AbSide::a ? "A" : "B", runs);
}

/// The nodes pass of a run whose step takes `us`.
void add_trace(Run& run, AbSide side, double us) {
    const double attention_us = 12'000.0 + std::fmod(us, 7.0); // some noise
    constexpr double kBetweenUs = 20.0; // the gap, the tail and what is beside the records
    TracedShape shape;
    shape.ops = {
        {OpKind::token_stream, whole_ns(us - attention_us - kBetweenUs)},
        {OpKind::attention, whole_ns(attention_us)}};
    shape.overlap = 0;
    shape.gap = whole_ns(kBetweenUs / 2);
    shape.tail = whole_ns(kBetweenUs / 2);
    shape.edges = {whole_ns(kBetweenUs / 2)};
    shape.untraced = whole_ns(us);
    const Run traced = traced_like(shape);
    run.samples = traced.samples;
    run.passes = traced.passes;
    run.op_samples = traced.op_samples;
    run.step_records = traced.step_records;
    const std::int64_t steps = traced.passes[0].steps;
    for (const TracedShape::OpTime& op : shape.ops) {
        KernelStat kernel;
        kernel.op = op.op;
        kernel.placement = Placement::in;
        kernel.name = op.op == OpKind::attention ? "void kvprof::attention_kernel<64, 16>(float*)"
                      : side == AbSide::a        ? "kvprof::token_stream_kernel(int*)"
                                                 : "kvprof::slow_token_stream_kernel(int*)";
        kernel.grid = {132, 1, 1};
        kernel.block = {256, 1, 1};
        kernel.launches = steps;
        kernel.time = std::chrono::nanoseconds(op.ns * steps);
        run.kernels.push_back(kernel);
    }
}

} // namespace

StepTimes v16_base() {
    return {12410.2, 12396.7, 12431.9, 12405.5, 12418.3, 12389.0, 12402.6, 12409.1};
}

StepTimes v16_candidate() {
    return {12598.1, 12571.4, 12633.0, 12584.9, 12609.7, 12560.2, 12590.8, 12594.6};
}

analyzers::Side ab_side(AbSide side, const StepTimes& step_us) {
    std::vector<Run> runs;
    for (const double us : step_us) {
        runs.push_back(timed_run(us));
    }
    return side_of_runs(side, std::move(runs));
}

analyzers::Side traced_ab_side(AbSide side, const StepTimes& step_us) {
    std::vector<Run> runs;
    for (const double us : step_us) {
        add_trace(runs.emplace_back(timed_run(us)), side, us);
    }
    return side_of_runs(side, std::move(runs));
}

Experiment ab_experiment(const StepTimes& base, const StepTimes& candidate) {
    Experiment experiment;
    experiment.uuid = uuid_of('e');
    experiment.started_at = "2026-01-02T03:00:00Z";
    experiment.command_line = "kvprof run --ab '' '--delay-op token-stream --delay-us 180'";
    experiment.state = ExperimentState::complete;
    experiment.kind = ExperimentKind::ab;
    experiment.ab = AbDesign{
        .a = "",
        .b = "--delay-op token-stream --delay-us 180",
        .runs = std::ssize(base),
        .seed = 42,
        .treatment = {"delay-op", "delay-us"}};
    for (const analyzers::Side& side : {ab_side(AbSide::a, base), ab_side(AbSide::b, candidate)}) {
        experiment.runs.insert(experiment.runs.end(), side.runs.begin(), side.runs.end());
    }
    Run voided = experiment.runs.front();
    experiment.runs.front().ab->attempt = 1;
    voided.uuid = uuid_of('f');
    voided.status = {RunState::voided, "foreign-process: 1.20 GiB came", 0};
    experiment.runs.push_back(voided);
    std::stable_sort(
        experiment.runs.begin(),
        experiment.runs.end(),
        [](const Run& a, const Run& b) { return a.started_at < b.started_at; }
    );
    return experiment;
}

} // namespace kvprof::test
