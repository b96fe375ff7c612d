#include "capture/observe.h"

#include "capture/activity/join.h"
#include "capture/device_watch.h"
#include "capture/host/live_work.h"
#include "capture/launch_check.h"
#include "capture/model/error.h"
#include "capture/model/exit_code.h"
#include "capture/warmup.h"
#include "capture/workload/contents.h"
#include "capture/workload/step_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

namespace kvprof {

namespace {

constexpr std::int64_t kStepsPerBatch = 20;

template<typename T>
void append(std::vector<T>& to, std::vector<T>&& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Whole cycles of lengths, so that sums over them are those of any other whole cycles.
std::int64_t steps_to_trace(const MeasureSpec& how, std::int64_t cycle) {
    return (how.trace_steps + cycle - 1) / cycle * cycle;
}

/// Warms the step up and stops where a cycle begins: step numbers then tell the phase.
void settle(PreparedStep& step, const MeasureSpec& how, std::int64_t cycle) {
    // Waiting longer for steady times is the timing pass's: none of these is a step's.
    constexpr double kMostSeconds = 2.0;
    const auto limit = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(std::min(how.warmup_max_s, kMostSeconds))
    );
    const ReadDevice blind = [](std::string_view /*when*/) { return std::nullopt; };
    static_cast<void>(warm_up(step, blind, limit));
    const std::int64_t least = 2 * cycle; // freed pages come back in the second cycle
    const std::int64_t run = std::max(step.steps_run(), least);
    const std::int64_t target = (run + cycle - 1) / cycle * cycle;
    if (target > step.steps_run()) {
        static_cast<void>(step.replay(target - step.steps_run()));
    }
}

std::vector<TracedBatch> replay_batches(PreparedStep& step, std::int64_t steps) {
    std::vector<TracedBatch> batches;
    for (std::int64_t done = 0; done < steps; done += kStepsPerBatch) {
        const std::int64_t now = std::min(kStepsPerBatch, steps - done);
        const Sample sample = step.replay(now);
        batches.push_back(
            {.ordinal = std::ssize(batches),
             .steps = now,
             .gpu_time = sample.gpu_time,
             .wall_time = sample.wall_time,
             .recorded = std::nullopt}
        );
    }
    return batches;
}

/// The parts of a joined recording that this pass stands for.
void take_joined(Pass pass, activity::Joined&& joined, Run& run, PassResult& result) {
    std::vector<TracedBatch> batches = std::move(result.batches);
    const std::int64_t steps = result.steps;
    const std::int64_t graphs = result.graphs;
    result = std::move(joined.evidence);
    result.pass = pass;
    result.steps = steps;
    result.graphs = graphs;
    result.batches = std::move(batches);
    for (Condition& condition : joined.conditions) {
        condition.pass = pass;
        run.conditions.push_back(std::move(condition));
    }
    if (pass == Pass::graph) {
        run.graph_spans = std::move(joined.graph_spans);
        return;
    }
    for (TracedBatch& batch : result.batches) {
        const auto at = static_cast<std::size_t>(batch.ordinal);
        batch.recorded = at < joined.recorded.size() ? joined.recorded[at] : std::nullopt;
    }
    run.kernels = std::move(joined.kernels);
    run.op_samples = std::move(joined.op_samples);
    run.step_records = std::move(joined.steps);
    run.events = std::move(joined.events);
}

/// @throws BadDataError naming the op that differs.
void require_agreement(const std::string& difference) {
    if (!difference.empty()) {
        throw BadDataError(fmt::format("could not confirm the launches of {}", difference));
    }
}

class Observation {
  public:
    Observation(Pass pass, Executor& executor, const StepSpec& step, const MeasureSpec& how)
        : pass_(pass),
          executor_(executor),
          how_(how),
          plan_(workload::plan_step(step, how)) {}

    void trace(Recorder& recorder, Run& run);
    void read_memory(Run& run);

  private:
    Pass pass_;
    Executor& executor_;
    const MeasureSpec& how_;
    workload::StepPlan plan_;
};

void Observation::trace(Recorder& recorder, Run& run) {
    PassResult& result = run.passes.front();
    executor_.require_room(plan_);
    const workload::InitialState state = workload::make_state(plan_);
    const workload::StepCounts planned = workload::count_steps(plan_, state);
    const auto step = executor_.prepare(plan_, state, how_);
    // Sets of buffers take turns, and each goes through its own cycle of lengths.
    result.graphs = step->copies();
    const std::int64_t cycle = planned.steps * result.graphs;
    settle(*step, how_, cycle);

    result.steps = steps_to_trace(how_, cycle);
    activity::StepsRun steps{
        .pass = pass_,
        .first_step = step->steps_run(),
        .steps = result.steps,
        .steps_per_batch = kStepsPerBatch,
        .is_apart = step->is_apart(),
        .keep_events = how_.keep_events,
        .live_blocks = nullptr,
    };
    recorder.start();
    result.batches = replay_batches(*step, result.steps);
    const activity::Recording recording = recorder.stop();

    if (pass_ == Pass::counts) {
        result.nodes_cross_checked = recording.nodes_cross_checked;
        result.failure = recording.failure;
        if (result.failure.empty()) {
            run.calls = activity::api_stats(recording);
            require_agreement(compare_calls(run.calls, result.steps, result.graphs, planned));
        }
        return;
    }
    std::optional<host::LiveWork> live;
    if (pass_ == Pass::nodes && how_.executor != ExecutorKind::host) {
        live.emplace(plan_, state);
        steps.live_blocks = [&](std::int64_t at, const activity::Tag& tag) {
            return live->blocks(at / result.graphs, tag);
        };
    }
    take_joined(pass_, activity::join(recording, steps), run, result);
    if (pass_ == Pass::nodes && result.failure.empty()) {
        require_agreement(compare_records(run.op_samples, result.steps, planned));
    }
}

void Observation::read_memory(Run& run) {
    executor_.require_room(plan_);
    const workload::InitialState state = workload::make_state(plan_);
    DeviceWatch watch(executor_.watcher());
    MemoryLife life = executor_.memory_life(plan_, state, how_);
    WatchedDevice watched = watch.stop();
    if (watched.lists_processes) { // else used memory alone would tell, and this process moves it
        for (Condition& condition : conditions_of(watched)) {
            if (condition.kind == ConditionKind::foreign_process) {
                condition.pass = pass_;
                run.conditions.push_back(std::move(condition));
            }
        }
    }
    run.marks = std::move(life.marks);
    run.executables = std::move(life.executables);
    run.slack = life.slack;
    run.notes = std::move(life.notes);
}

} // namespace

Run failed_pass(Pass pass, std::string reason) {
    Run run;
    PassResult& result = run.passes.emplace_back();
    result.pass = pass;
    result.failure = std::move(reason);
    return run;
}

Run observe(
    Pass pass, Recorder* recorder, Executor& executor, const StepSpec& step, const MeasureSpec& how
) {
    Observation observation(pass, executor, step, how);
    Run run = failed_pass(pass, {});
    try {
        if (recorder == nullptr) {
            observation.read_memory(run);
        } else {
            observation.trace(*recorder, run);
        }
    } catch (const BadDataError& error) {
        Run contradicted = failed_pass(pass, with_hint(error));
        contradicted.status = {
            RunState::invalid, with_hint(error), static_cast<int>(ExitCode::not_measured)};
        return contradicted;
    } catch (const UnavailableError& error) {
        return failed_pass(pass, with_hint(error));
    } catch (const std::bad_alloc&) {
        return failed_pass(pass, "could not allocate host memory for the pass");
    }
    return run;
}

void add_pass(Run& run, Run&& observed) {
    append(run.passes, std::move(observed.passes));
    append(run.conditions, std::move(observed.conditions));
    append(run.calls, std::move(observed.calls));
    append(run.kernels, std::move(observed.kernels));
    append(run.op_samples, std::move(observed.op_samples));
    append(run.step_records, std::move(observed.step_records));
    append(run.graph_spans, std::move(observed.graph_spans));
    append(run.events, std::move(observed.events));
    append(run.marks, std::move(observed.marks));
    append(run.executables, std::move(observed.executables));
    append(run.notes, std::move(observed.notes));
    run.slack = observed.slack ? observed.slack : run.slack;
    if (observed.status.state == RunState::invalid && run.status.state == RunState::complete) {
        run.status = std::move(observed.status);
        run.samples.clear(); // no time of a run that failed may be shown
    }
}

} // namespace kvprof
