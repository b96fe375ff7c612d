#include "tests/analyzers/swept_runs.h"

#include <chrono>
#include <cmath>

namespace kvprof::test {

namespace {

constexpr std::int64_t kSteps = 10;

/// So many steps of that many microseconds.
std::chrono::nanoseconds steps_of(double us) {
    return std::chrono::nanoseconds(std::llround(us * 1000.0 * kSteps));
}

} // namespace

Run swept_run(const StepSpec& step, double step_us) {
    Run run;
    run.uuid = "00112233445566778899aabbccddeeff";
    run.step = step;
    Sample sample;
    sample.replays = kSteps;
    sample.gpu_time = steps_of(step_us);
    run.samples = {sample};
    PassResult nodes;
    nodes.pass = Pass::nodes;
    nodes.steps = kSteps;
    run.passes = {nodes};
    return run;
}

void add_kernel(Run& run, const SweptKernel& kernel) {
    KernelStat stat;
    stat.op = kernel.op;
    stat.name = kernel.name;
    stat.launches = kSteps;
    stat.time = steps_of(kernel.us);
    run.kernels.push_back(stat);
}

Run missing_run(const StepSpec& step, const std::string& reason) {
    Run run;
    run.step = step;
    run.status = {RunState::not_run, reason, 2};
    return run;
}

} // namespace kvprof::test
