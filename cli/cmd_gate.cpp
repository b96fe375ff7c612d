#include "analyzers/gate.h"
#include "analyzers/render_gate.h"
#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/experiment_run.h"
#include "cli/gate_evidence.h"
#include "cli/gate_run.h"
#include "cli/judging.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/plan_outlook.h"
#include "cli/stores.h"
#include "db/selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace kvprof::cli {

namespace {

using analyzers::GateResult;

std::string render(const GateResult& result, Format format) {
    switch (format) {
    case Format::text: return analyzers::gate_text(result);
    case Format::markdown: return analyzers::gate_markdown(result);
    case Format::json: return analyzers::gate_json(result);
    }
    return {};
}

analyzers::CompareOptions how_of(const GateOptions& options) {
    analyzers::CompareOptions how = compare_options(options.run.judge);
    if (options.on_inconclusive) {
        how.policy.on_inconclusive = *options.on_inconclusive;
    }
    return how;
}

/// The other measurement of a gate that confirmed: the same command, seed and sides.
std::optional<Experiment>
other_attempt(const std::filesystem::path& path, const Experiment& experiment) {
    const db::Store store(path, db::OpenMode::read);
    for (const db::ExperimentSummary& stored : store.list_experiments()) {
        if (stored.kind != ExperimentKind::ab || stored.uuid == experiment.uuid
            || stored.command_line != experiment.command_line) {
            continue;
        }
        Experiment other = store.load_experiment(stored.uuid);
        if (other.ab->seed == experiment.ab->seed && other.ab->attempt != experiment.ab->attempt) {
            return other;
        }
    }
    return std::nullopt;
}

/// Judges an A/B experiment that was measured before; of a gate that confirmed, both measurements.
GateResult judge_stored(const GateOptions& options, const analyzers::CompareOptions& how) {
    const auto selection = db::select(store_path_of(options.run.common), options.reference);
    const Experiment experiment = load_selected(selection);
    if (!experiment.ab) {
        throw UsageError(
            fmt::format("could not gate \"{}\": it is no A/B experiment", options.reference),
            "measure both sides with kvprof gate --ab A B, or name a stored base with --baseline"
        );
    }
    GateResult own = result_of(experiment, options, how);
    const auto other = other_attempt(selection.store, experiment);
    if (!other) {
        return own;
    }
    GateResult second = result_of(*other, options, how);
    return experiment.ab->attempt < other->ab->attempt
               ? analyzers::confirmed(std::move(own), second)
               : analyzers::confirmed(std::move(second), own);
}

/// Judges stored runs against a baseline.
GateResult judge_baseline(const GateOptions& options, analyzers::CompareOptions how) {
    const std::filesystem::path store = store_path_of(options.run.common);
    const std::string candidate =
        options.reference.empty() ? std::string("@latest") : options.reference;
    const std::string base = fmt::format("baseline/{}", options.baseline);
    how.is_stored_baseline = true;
    const std::vector<Run> base_runs = db::load_runs(db::select(store, base));
    const std::vector<Run> runs = db::load_runs(db::select(store, candidate));
    const auto is_of_base = [&](const Run& run) {
        return std::any_of(base_runs.begin(), base_runs.end(), [&](const Run& other) {
            return other.uuid == run.uuid;
        });
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
    GateResult result = gate_of_cases(
        {{.cell = {},
          .base = analyzers::side_of(base, base_runs),
          .candidate = analyzers::side_of(candidate, runs)}},
        options,
        how
    );
    weigh_failures(result, runs);
    return result;
}

/// Measures and judges, or prints the plan. Nothing to judge when it was interrupted or planned.
GateAnswer judge_now(const GateOptions& options, analyzers::CompareOptions how, Output& output) {
    const std::filesystem::path path = store_path_of(options.run.common);
    const RunOptions run = gated_run(options.run, how.policy);
    const RunPlan plan = plan_gate(run, how.policy); // before there is a store
    if (run.is_dry) {
        output.write(dry_run(run, plan, path));
        return {std::nullopt, ExitCode::done};
    }
    db::Store store(path, db::OpenMode::create);
    add_calibrations(how, path);
    return gate_now(options, how, store);
}

} // namespace

ExitCode run(const GateOptions& options) {
    analyzers::CompareOptions how = how_of(options);
    Output output(options.run.common);
    GateAnswer answer;
    if (options.run.design.kind == ExperimentKind::ab) {
        answer = judge_now(options, how, output);
    } else {
        add_calibrations(how, store_path_of(options.run.common));
        answer.result =
            options.baseline.empty() ? judge_stored(options, how) : judge_baseline(options, how);
    }
    if (!answer.result) {
        return answer.code;
    }
    const ExitCode code = answer.result->code;
    const std::string line = fmt::format("kvprof: gate: {}\n", answer.result->line);
    try {
        output.write(render(*answer.result, options.run.common.format));
    } catch (const UsageError&) {
        say(line); // the answer must not be lost with the report
        throw;
    }
    say(line);
    return code;
}

} // namespace kvprof::cli
