/// Prints what each phase of a run costs beside the measuring itself: what a repeat adds to the
/// time that its samples take. Usage: kvprof_run_phases [FIELD VALUE]...

#include "capture/executor_factory.h"
#include "capture/measure.h"
#include "capture/model/params.h"
#include "capture/verify.h"
#include "capture/workload/contents.h"
#include "capture/workload/step_program.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace kvprof;
using Clock = std::chrono::steady_clock;

template<typename Work>
auto phase(const char* name, const Work& work) {
    const auto begin = Clock::now();
    auto result = work();
    const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
    std::printf("%-14s %9.2f ms\n", name, took.count());
    return result;
}

void print_phases(const StepSpec& spec, const MeasureSpec& how) {
    Instruments with = phase("start", [&] { return make_instruments(how, Pass::timing); });
    Executor& executor = *with.executor;
    static_cast<void>(phase("environment", [&] { return executor.environment(); }));
    static_cast<void>(phase("environment 2", [&] { return executor.environment(); }));
    const auto plan = phase("plan", [&] { return workload::plan_step(spec, how); });
    const auto state = phase("inputs", [&] { return workload::make_state(plan); });
    auto step = phase("prepare", [&] { return executor.prepare(plan, state, how); });
    static_cast<void>(phase("verify", [&] { return verify(*step, plan, state); }));
    auto watch = phase("watch", [&] { return std::make_unique<DeviceWatch>(executor.watcher()); });
    static_cast<void>(phase("look", [look = executor.watcher()] { return look("during"); }));
    static_cast<void>(phase("32 replays", [&] { return step->replay(32); }));
    static_cast<void>(phase("32 host times", [&] { return step->host_times(32); }));
    static_cast<void>(phase("watch's end", [&] { return watch->stop(); }));
    static_cast<void>(phase("counts", [&] { return workload::count_steps(plan, state); }));
    static_cast<void>(phase("free", [&] {
        step.reset();
        return 0;
    }));
    static_cast<void>(phase("end", [&] {
        with.executor.reset();
        return 0;
    }));
}

} // namespace

int main(int argc, char** argv) {
    try {
        StepSpec spec;
        MeasureSpec how;
        for (int i = 1; i + 1 < argc; i += 2) {
            if (!set_field(spec, argv[i], argv[i + 1]) && !set_field(how, argv[i], argv[i + 1])) {
                throw std::runtime_error(std::string("no field ") + argv[i]);
            }
        }
        how.executor = resolve(how.executor);
        print_phases(spec, how);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
