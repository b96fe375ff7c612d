#include "cli/gate_run.h"

#include "capture/model/error.h"
#include "cli/experiment_run.h"
#include "cli/judging.h"
#include "cli/stores.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::cli {

namespace {

/// The first day of an acceptance that has passed is after this one: "2026-12-31".
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

RunPlan plan_gate(const RunOptions& run, const analyzers::Policy& policy) {
    RunPlan plan = plan_runs(run);
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

void require_complete(const std::vector<analyzers::Case>& cases) {
    for (const analyzers::Case& one : cases) {
        for (const analyzers::Side* side : {&one.base, &one.candidate}) {
            if (!side->runs.empty()) {
                continue;
            }
            const std::string why = side->excluded.empty()
                                        ? std::string("it has no run")
                                        : fmt::format(
                                            "{} of its runs is {}: {}",
                                            side->excluded.size(),
                                            to_string(side->excluded.front().state),
                                            side->excluded.front().reason
                                        );
            throw UnavailableError(
                fmt::format("could not judge {}: no run of it is complete; {}", side->label, why),
                "kvprof doctor says what this machine can measure"
            );
        }
    }
}

analyzers::GateResult gate_of_cases(
    const std::vector<analyzers::Case>& cases,
    const GateOptions& options,
    const analyzers::CompareOptions& how
) {
    return analyzers::gate_of(
        analyzers::compare_cases(cases, how), how.policy, today(), options.allows_single_layout
    );
}

GateAnswer answer_of(
    const Experiment& experiment, const GateOptions& options, const analyzers::CompareOptions& how
) {
    ExitCode code = ExitCode::done;
    for (const Run& run : experiment.runs) {
        code = worse(code, static_cast<ExitCode>(run.status.exit_code));
    }
    require_complete(analyzers::cases_of(experiment));
    return {
        analyzers::gate_of(
            compare_experiment(experiment, how), how.policy, today(), options.allows_single_layout
        ),
        code};
}

GateAnswer
gate_now(const GateOptions& options, const analyzers::CompareOptions& how, db::Store& store) {
    const RunOptions run = gated_run(options.run, how.policy);
    static_cast<void>(plan_gate(run, how.policy)); // what can not be planned is no use of a warning
    warn_of_host(run);
    ExitCode code = ExitCode::done;
    const auto first = measure_once(run, how, store, code);
    if (!first) {
        return {std::nullopt, code};
    }
    GateAnswer answer = answer_of(*first, options, how);
    if (options.confirms && answer.result->verdict == analyzers::Verdict::regressed) {
        RunOptions again = run;
        again.design.order_seed = first->ab->seed;
        again.design.attempt = 2;
        const auto second = measure_once(again, how, store, code);
        if (!second) {
            return {std::nullopt, code};
        }
        answer.result = analyzers::confirmed(
            std::move(*answer.result), *answer_of(*second, options, how).result
        );
    }
    const std::size_t attempts = attempts_of(store, run);
    const std::size_t own = options.confirms ? 2 : 1;
    if (attempts > own) {
        answer.result->remarks.push_back(
            fmt::format("measured {} times by this command into this store", attempts)
        );
    }
    answer.code = worse(answer.code, code);
    return answer;
}

} // namespace kvprof::cli
