#include "cli/gate_run.h"

#include "capture/model/error.h"
#include "capture/passes.h"
#include "cli/experiment_run.h"
#include "cli/gate_evidence.h"
#include "cli/judging.h"
#include "cli/stores.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::cli {

namespace {

/// In UTC, "2026-12-31": acceptances hold up to and on their last day.
std::string today() {
    return utc_now().substr(0, 10);
}

/// How often this very command was run into this store.
std::size_t attempts_of(const db::Store& store, const RunOptions& run) {
    const auto stored = store.list_experiments();
    return static_cast<std::size_t>(std::count_if(
        stored.begin(),
        stored.end(),
        [&](const db::ExperimentSummary& one) {
            return one.kind == ExperimentKind::ab && one.command_line == run.command_line;
        }
    ));
}

/// Measures one experiment; nothing when it was interrupted.
std::optional<Experiment> measure_once(
    const RunOptions& run, const analyzers::CompareOptions& how, db::Store& store, ExitCode& code
) {
    const RunPlan plan = plan_gate(run, how.policy);
    ExperimentRun running(run, plan, store);
    code = worse(code, measure_interruptibly(run, running, [&](const Experiment& so_far) {
                     return is_decided(so_far, how);
                 }));
    Experiment experiment = store.load_experiment(running.experiment());
    if (experiment.state == ExperimentState::interrupted) {
        say_interrupted(store, experiment, plan.order.size());
        return std::nullopt;
    }
    return experiment;
}

} // namespace

RunOptions gated_run(RunOptions run, const analyzers::Policy& policy) {
    if (run.design.runs == 0) {
        run.design.runs = policy.runs;
    }
    return run;
}

namespace {

/// Whether each run of a cell has the pass that kernels come from.
bool traces_all(const RunPlan& plan) {
    return std::all_of(plan.cells.begin(), plan.cells.end(), [](const experiment::Cell& cell) {
        const std::vector<Pass> passes = passes_of(cell.measure, 1); // a repeat after the first
        return std::find(passes.begin(), passes.end(), Pass::nodes) != passes.end();
    });
}

void require_kernels(const RunPlan& plan, const analyzers::Policy& policy) {
    if (analyzers::gates_kernels(policy) && !traces_all(plan)) {
        throw UsageError(
            "could not plan a gate on kernels: their times come from a nodes pass, which not every "
            "run would have",
            "add --passes timing+nodes"
        );
    }
}

} // namespace

RunPlan plan_gate(const RunOptions& run, const analyzers::Policy& policy) {
    RunPlan plan = plan_runs(run);
    require_kernels(plan, policy);
    const std::int64_t first_look = plan.looks.empty() ? plan.ab->runs : plan.looks.front();
    const std::string why = analyzers::unreachable(
        policy,
        plan.cases.size(),
        static_cast<std::size_t>(first_look),
        static_cast<std::size_t>(plan.ab->looks)
    );
    if (!why.empty()) {
        throw UsageError(
            fmt::format("could not plan a gate that can fail: {}", why),
            "take more --runs, or leave sampled metrics out of the policy's primary ones"
        );
    }
    return plan;
}

GateRules rules_of(const GateOptions& options) {
    return {today(), options.allows_single_layout};
}

GateAnswer gate_now(
    const GateOptions& options,
    const analyzers::CompareOptions& how,
    const GateRules& rules,
    db::Store& store
) {
    const RunOptions run = gated_run(options.run, how.policy);
    warn_of_host(run);
    ExitCode code = ExitCode::done;
    const auto first = measure_once(run, how, store, code);
    if (!first) {
        return {std::nullopt, code, {}, {}};
    }
    GateAnswer answer{result_of(*first, how, rules), ExitCode::done, {first->uuid}, {}};
    if (options.confirms && answer.result->code == ExitCode::difference) {
        RunOptions again = run;
        again.design.order_seed = first->ab->seed;
        again.design.attempt = 2;
        const auto second = measure_once(again, how, store, code);
        if (!second) {
            return {std::nullopt, code, {}, {}};
        }
        answer.result = result_of_both(*first, *second, how, rules);
        answer.experiments.push_back(second->uuid);
    }
    const std::size_t attempts = attempts_of(store, run);
    if (attempts > answer.experiments.size()) {
        answer.remarks.push_back(
            fmt::format("measured {} times by this command into this store", attempts)
        );
    }
    return answer;
}

} // namespace kvprof::cli
