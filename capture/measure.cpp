#include "capture/measure.h"

#include "capture/device_watch.h"
#include "capture/host/live_work.h"
#include "capture/model/error.h"
#include "capture/model/exit_code.h"
#include "capture/time_step.h"
#include "capture/verify.h"
#include "capture/warmup.h"
#include "capture/workload/contents.h"
#include "capture/workload/graph_model.h"
#include "capture/workload/step_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace kvprof {

namespace {

using std::chrono::nanoseconds;

/// Steps whose issuing is timed: what takes 100 ms, since the launch queue must run empty between
/// them.
std::int64_t steps_on_host(nanoseconds per_replay) {
    constexpr nanoseconds kTime = std::chrono::milliseconds{100};
    const std::int64_t one = std::max<std::int64_t>(per_replay.count(), 1);
    return std::clamp<std::int64_t>(kTime.count() / one, 32, 128);
}

void note_unsteady(std::string why, Run& run) {
    if (!why.empty()) {
        run.conditions.push_back({ConditionKind::not_steady, std::move(why)});
    }
}

void time_step(PreparedStep& step, const ReadDevice& look, const MeasureSpec& how, Run& run) {
    const auto limit =
        std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(how.warmup_max_s));
    WarmUp warm = warm_up(step, look, limit);
    run.warmup_replays = warm.replays;
    note_unsteady(std::move(warm.not_steady), run);
    Timed timed = time_batches(step, how, warm.per_replay);
    run.samples = std::move(timed.samples);
    note_unsteady(drift_in(run.samples), run);
    if (!timed.wide.empty()) {
        run.notes.push_back(std::move(timed.wide));
    }
    run.host_times = step.host_times(steps_on_host(warm.per_replay));
}

/// @throws BadDataError when the captured graph is not what the plan launches.
void take_counts(
    const PreparedStep& step,
    const workload::StepPlan& plan,
    const workload::InitialState& state,
    Run& run
) {
    const workload::StepCounts counts = workload::count_steps(plan, state);
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
    host::LiveWork(plan, state).add_least_bytes(run.ops);
}

/// What a reader must know of the workload beside its options.
void note_workload(const workload::StepPlan& plan, const MeasureSpec& how, Run& run) {
    if (plan.has_synthetic_end) {
        run.notes.emplace_back(
            "synthetic-pool: the model has one kind of state, and the unified buffer's second end "
            "stands empty"
        );
    }
    if (plan.spec.preset != plan.model.name) {
        run.notes.push_back(fmt::format(
            "preset-file: {} is {} ({})", plan.spec.preset, plan.model.name, plan.model.provenance
        ));
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

/// What happened around the run while it measured.
void take_watched(WatchedDevice&& watched, Run& run) {
    for (Condition& condition : conditions_of(watched)) {
        run.conditions.push_back(std::move(condition));
    }
    run.states = std::move(watched.states);
    run.environment.foreign = std::move(watched.foreign);
}

void measure_plan(
    Executor& executor, const workload::StepPlan& plan, const MeasureSpec& how, Run& run
) {
    executor.require_room(plan);
    const workload::InitialState state = workload::make_state(plan);
    const auto step = executor.prepare(plan, state, how);
    run.check = verify(*step, plan, state);
    // From here on the process allocates nothing: what moves is another's.
    DeviceWatch watch(executor.watcher());
    time_step(*step, executor.watcher(), how, run);
    take_watched(watch.stop(), run);
    take_counts(*step, plan, state, run);
    const auto device = step->memory();
    run.memory.insert(run.memory.end(), device.begin(), device.end());
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
    for (MemoryStat& term : workload::graph_model(plan)) {
        run.memory.push_back(std::move(term));
    }
    note_workload(plan, how, run);
    try {
        run.environment = executor.environment();
        measure_plan(executor, plan, how, run);
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
