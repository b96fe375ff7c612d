#include "analyzers/gate.h"
#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/gate_run.h"
#include "cli/judging.h"
#include "cli/messages.h"
#include "cli/plan_outlook.h"
#include "cli/publish.h"
#include "cli/report_of.h"
#include "cli/stores.h"
#include "db/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace kvprof::cli {

namespace {

/// What the flags of a gate add to its recipe.
void take_flags(const GateOptions& options, const GateRules& rules, report::Recipe& recipe) {
    recipe.is_gate = true;
    recipe.day = rules.day;
    recipe.allows_single_layout = rules.allows_single_layout;
    if (options.on_inconclusive) {
        recipe.on_inconclusive = to_string(*options.on_inconclusive);
    }
}

/// The other measurement of a gate that confirmed: the same command, seed and sides.
std::optional<Experiment> other_attempt(const db::Store& store, const Experiment& experiment) {
    for (const auto& stored : store.list_experiments(ExperimentKind::ab)) {
        if (stored.uuid == experiment.uuid || stored.command_line != experiment.command_line) {
            continue;
        }
        Experiment other = store.load_experiment(stored.uuid);
        if (other.ab->seed == experiment.ab->seed && other.ab->attempt != experiment.ab->attempt) {
            return other;
        }
    }
    return std::nullopt;
}

void refuse_no_experiment(const std::string& reference) {
    throw UsageError(
        fmt::format("could not gate \"{}\": it is no A/B experiment", reference),
        "measure both sides with kvprof gate --ab A B, or name a stored base with --baseline"
    );
}

/// An A/B experiment that was measured before; of a gate that confirmed, both measurements.
ReportPlan plan_stored(const GateOptions& options) {
    const SubjectOptions subject{
        .references = {options.reference}, .by = {}, .judge = options.run.judge, .claims = {}};
    ReportPlan plan = plan_report(subject, options.run.common, false);
    plan.store = plan.stores.front();
    report::RecipeRuns& side = plan.recipe.sides.front();
    if (side.experiment.empty()) {
        refuse_no_experiment(options.reference);
    }
    const db::Store store(plan.stores.front(), db::OpenMode::read);
    const Experiment experiment = store.load_experiment(side.experiment);
    if (!experiment.ab || experiment.kind == ExperimentKind::sweep) {
        refuse_no_experiment(options.reference);
    }
    if (const auto other = other_attempt(store, experiment)) {
        plan.recipe.confirmation = other->uuid;
        if (other->ab->attempt < experiment.ab->attempt) {
            side = {side.label, other->uuid, {}};
            plan.recipe.confirmation = experiment.uuid;
        }
    }
    return plan;
}

/// Stored runs against a baseline.
ReportPlan plan_baseline(const GateOptions& options) {
    const std::string candidate =
        options.reference.empty() ? std::string("@latest") : options.reference;
    const SubjectOptions subject{
        .references = {fmt::format("baseline/{}", options.baseline), candidate},
        .by = {},
        .judge = options.run.judge,
        .claims = {}};
    ReportPlan plan = plan_report(subject, options.run.common, false);
    const std::vector<std::string>& base = plan.recipe.sides[0].runs;
    const std::vector<std::string>& runs = plan.recipe.sides[1].runs;
    const auto is_of_base = [&](const std::string& run) {
        return std::find(base.begin(), base.end(), run) != base.end();
    };
    if (std::any_of(runs.begin(), runs.end(), is_of_base)) {
        throw UsageError(
            fmt::format(
                "could not gate \"{}\": runs of it are baseline {}'s own",
                candidate,
                options.baseline
            ),
            "name runs that were measured since"
        );
    }
    return plan;
}

/// Measures both sides. Nothing when it was interrupted or only planned; then `code` says which.
std::optional<ReportPlan>
measure(const GateOptions& options, const GateRules& rules, Output& output, ExitCode& code) {
    const std::filesystem::path path = store_path_of(options.run.common);
    analyzers::CompareOptions how = compare_options(recipe_of(options.run.judge));
    const RunOptions run = gated_run(options.run, how.policy);
    const RunPlan plan = plan_gate(run, how.policy); // before there is a store
    if (run.is_dry) {
        output.write(dry_run(run, plan, path));
        return std::nullopt;
    }
    db::Store store(path, db::OpenMode::create);
    add_calibrations(how, path);
    const GateAnswer answer = gate_now(options, how, rules, store);
    if (!answer.result) {
        code = answer.code;
        return std::nullopt;
    }
    ReportPlan report =
        plan_experiment(answer.experiments.front(), path, options.run.judge, options.run.common);
    report.recipe.remarks = answer.remarks;
    if (answer.experiments.size() > 1) {
        report.recipe.confirmation = answer.experiments.back();
    }
    return report;
}

} // namespace

ExitCode run(const GateOptions& options) {
    Output output(options.run.common);
    const GateRules rules = rules_of(options); // also where midnight passes in between
    ExitCode code = ExitCode::done;
    std::optional<ReportPlan> plan = options.run.design.kind == ExperimentKind::ab
                                         ? measure(options, rules, output, code)
                                     : options.baseline.empty() ? plan_stored(options)
                                                                : plan_baseline(options);
    if (!plan) {
        return code;
    }
    take_flags(options, rules, plan->recipe);
    const report::Report report = report_of(std::move(*plan));
    const analyzers::GateResult& result = comparison_of(report).gate;
    const std::string line = fmt::format("kvprof: gate: {}\n", result.line);
    try {
        publish(report, output, options.run.common);
    } catch (const UsageError&) {
        say(line); // the answer must not be lost with the report
        throw;
    }
    say(line);
    return result.code;
}

} // namespace kvprof::cli
