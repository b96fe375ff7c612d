#include "capture/measure.h"

#include "capture/model/error.h"
#include "capture/model/exit_code.h"
#include "capture/verify.h"
#include "capture/warmup.h"
#include "capture/workload/contents.h"
#include "capture/workload/step_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

namespace kvprof {

namespace {

using std::chrono::nanoseconds;

/// As many replays as fill a batch long enough for the clocks.
std::int64_t replays_per_sample(const MeasureSpec& how, nanoseconds per_replay) {
    constexpr nanoseconds kBatch = std::chrono::milliseconds{2};
    constexpr std::int64_t kMost = 10'000;
    if (how.replays > 0) {
        return how.replays;
    }
    const std::int64_t one = std::max<std::int64_t>(per_replay.count(), 1);
    return std::clamp<std::int64_t>(kBatch.count() / one, 1, kMost);
}

void time_step(PreparedStep& step, const MeasureSpec& how, Run& run) {
    const auto limit =
        std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(how.warmup_max_s));
    const WarmUp warm = warm_up(step, limit);
    run.warmup_replays = warm.replays;
    if (!warm.not_steady.empty()) {
        run.notes.push_back(warm.not_steady);
    }
    const std::int64_t replays = replays_per_sample(how, warm.per_replay);
    for (std::int64_t i = 0; i < how.samples; ++i) {
        Sample sample = step.replay(replays);
        sample.ordinal = i;
        run.samples.push_back(std::move(sample));
    }
}

/// @throws BadDataError when the captured graph is not what the plan launches.
void take_counts(const PreparedStep& step, const workload::StepCounts& counts, Run& run) {
    run.ops = counts.ops;
    run.cycle_steps = counts.steps;
    run.graph_nodes = step.graph_nodes();
    if (run.graph_nodes != counts.graph_nodes) {
        throw BadDataError(fmt::format(
            "could not count launches: the captured graph has {} kernel nodes, the plan {}",
            run.graph_nodes,
            counts.graph_nodes
        ));
    }
}

/// What a reader must know of the workload beside its options.
void note_workload(const workload::StepPlan& plan, const MeasureSpec& how, Run& run) {
    if (plan.has_synthetic_end) {
        run.notes.emplace_back(
            "synthetic-pool: the model has one kind of state, and the unified buffer's second end "
            "stands empty"
        );
    }
    if (plan.micro_op && plan.op_launches > 1 && how.l2 != L2Mode::warm) {
        run.notes.push_back(fmt::format(
            "l2-{}: only the first of the {} launches in a graph starts cold; --op-launches 1 has "
            "no others",
            to_string(how.l2),
            plan.op_launches
        ));
    }
}

void measure_plan(
    Executor& executor, const workload::StepPlan& plan, const MeasureSpec& how, Run& run
) {
    executor.require_room(plan);
    const workload::InitialState state = workload::make_state(plan);
    const auto step = executor.prepare(plan, state, how);
    run.check = verify(*step, plan, state);
    time_step(*step, how, run);
    take_counts(*step, workload::count_steps(plan, state), run);
    const auto device = step->memory();
    run.memory.insert(run.memory.end(), device.begin(), device.end());
}

/// "pid 7 (1.00 GiB), pid 9 (2.0 MiB)"
std::string describe(const std::vector<ForeignProcess>& processes) {
    std::string text;
    for (const ForeignProcess& process : processes) {
        text += text.empty() ? "" : ", ";
        text += fmt::format("pid {} ({})", process.pid, format_bytes(Bytes{process.bytes}));
    }
    return text.empty() ? "none" : text;
}

/// Notes that another process came, went or changed while the run measured.
void note_foreign(const Environment& after, Run& run) {
    auto& seen = run.environment.foreign;
    auto now = after.foreign;
    for (ForeignProcess& process : now) {
        process.when = "after";
    }
    const auto by_pid = [](const ForeignProcess& a, const ForeignProcess& b) {
        return std::tie(a.pid, a.bytes) < std::tie(b.pid, b.bytes);
    };
    std::sort(seen.begin(), seen.end(), by_pid);
    std::sort(now.begin(), now.end(), by_pid);
    const auto is_same = [](const ForeignProcess& a, const ForeignProcess& b) {
        return a.pid == b.pid && a.bytes == b.bytes;
    };
    if (!std::equal(seen.begin(), seen.end(), now.begin(), now.end(), is_same)) {
        run.notes.push_back(fmt::format(
            "foreign-process: {} before, {} after, on the same device",
            describe(seen),
            describe(now)
        ));
    }
    seen.insert(seen.end(), now.begin(), now.end());
}

/// No time of a run that failed may be shown.
void fail(Run& run, RunState state, std::string reason, ExitCode code) {
    run.status = {state, std::move(reason), static_cast<int>(code)};
    run.samples.clear();
}

} // namespace

void check_options(const StepSpec& step, const MeasureSpec& how) {
    static_cast<void>(workload::plan_step(step, how));
}

Run measure(Executor& executor, const StepSpec& step, const MeasureSpec& how) {
    Run run;
    run.step = step;
    run.measure = how;
    const workload::StepPlan plan = workload::plan_step(step, how);
    run.pool = plan.pool_facts();
    run.memory = workload::ledger_of(plan);
    note_workload(plan, how, run);
    try {
        run.environment = executor.environment();
        measure_plan(executor, plan, how, run);
        note_foreign(executor.environment(), run);
    } catch (const VerifyError& error) {
        fail(run, RunState::invalid, with_hint(error), ExitCode::check_failed);
    } catch (const UnavailableError& error) {
        fail(run, RunState::not_run, with_hint(error), ExitCode::not_measured);
    } catch (const BadDataError& error) {
        fail(run, RunState::invalid, with_hint(error), ExitCode::not_measured);
    } catch (const std::bad_alloc&) {
        fail(
            run,
            RunState::not_run,
            "could not allocate host memory for the step",
            ExitCode::not_measured
        );
    }
    return run;
}

} // namespace kvprof
