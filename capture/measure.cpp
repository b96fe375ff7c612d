#include "capture/measure.h"

#include "capture/model/error.h"
#include "capture/verify.h"
#include "capture/warmup.h"
#include "capture/workload/contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

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

void measure_plan(
    Executor& executor, const workload::StepPlan& plan, const MeasureSpec& how, Run& run
) {
    const workload::InitialState state = workload::make_state(plan);
    const auto step = executor.prepare(plan, state, how);
    run.check = verify(*step, plan, state);
    time_step(*step, how, run);
    run.ops = step->ops();
    run.graph_nodes = step->graph_nodes();
    const auto device = step->memory();
    run.memory.insert(run.memory.end(), device.begin(), device.end());
}

/// Notes that another process came, went or changed while the run measured.
void note_foreign(const Environment& after, Run& run) {
    auto& seen = run.environment.foreign;
    const auto held = [](const std::vector<ForeignProcess>& processes) {
        std::int64_t bytes = 0;
        for (const ForeignProcess& process : processes) {
            bytes += process.bytes;
        }
        return bytes;
    };
    auto now = after.foreign;
    for (ForeignProcess& process : now) {
        process.when = "after";
    }
    if (now.size() != seen.size() || held(now) != held(seen)) {
        run.notes.push_back(fmt::format(
            "foreign-process: {} other processes held {} before, {} held {} after",
            seen.size(),
            format_bytes(Bytes{held(seen)}),
            now.size(),
            format_bytes(Bytes{held(now)})
        ));
    }
    seen.insert(seen.end(), now.begin(), now.end());
}

std::string with_hint(const Error& error) {
    return error.hint().empty() ? error.what() : fmt::format("{} ({})", error.what(), error.hint());
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
    try {
        run.environment = executor.environment();
        measure_plan(executor, plan, how, run);
        note_foreign(executor.environment(), run);
    } catch (const VerifyError& error) {
        run.status = {RunState::invalid, with_hint(error), 6};
        run.samples.clear();
    } catch (const UnavailableError& error) {
        run.status = {RunState::not_run, with_hint(error), 5};
        run.samples.clear();
    } catch (const BadDataError& error) {
        run.status = {RunState::invalid, with_hint(error), 5};
        run.samples.clear();
    } catch (const std::bad_alloc&) {
        run.status = {RunState::not_run, "could not allocate host memory for the step", 5};
        run.samples.clear();
    }
    return run;
}

} // namespace kvprof
