#include "analyzers/gate.h"
#include "analyzers/render_gate.h"
#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/experiment_run.h"
#include "cli/gate_run.h"
#include "cli/judging.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/plan_outlook.h"
#include "cli/stores.h"
#include "db/selector.h"

#include <fmt/format.h>

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
    analyzers::CompareOptions how =
        compare_options(options.run.judge, store_path_of(options.run.common));
    if (options.on_inconclusive) {
        how.policy.on_inconclusive = *options.on_inconclusive;
    }
    return how;
}

/// Judges an A/B experiment that was measured before.
GateAnswer judge_stored(const GateOptions& options, const analyzers::CompareOptions& how) {
    const auto selection = db::select(store_path_of(options.run.common), options.reference);
    const Experiment experiment = load_selected(selection);
    if (!experiment.ab) {
        throw UsageError(
            fmt::format("could not gate \"{}\": it is no A/B experiment", options.reference),
            "measure both sides with kvprof gate --ab A B, or name a stored base with --baseline"
        );
    }
    return answer_of(experiment, options, how);
}

/// Judges stored runs against a baseline.
GateAnswer judge_baseline(const GateOptions& options, analyzers::CompareOptions how) {
    const std::filesystem::path store = store_path_of(options.run.common);
    const std::string candidate =
        options.reference.empty() ? std::string("@latest") : options.reference;
    const std::string base = fmt::format("baseline/{}", options.baseline);
    how.is_stored_baseline = true;
    const auto side = [&](const std::string& reference) {
        return analyzers::side_of(reference, db::load_runs(db::select(store, reference)));
    };
    const std::vector<analyzers::Case> cases{
        {.cell = {}, .base = side(base), .candidate = side(candidate)}};
    require_complete(cases);
    return {gate_of_cases(cases, options, how), ExitCode::done};
}

} // namespace

ExitCode run(const GateOptions& options) {
    const analyzers::CompareOptions how = how_of(options);
    Output output(options.run.common);
    GateAnswer answer;
    if (options.run.design.kind == ExperimentKind::ab) {
        const std::filesystem::path path = store_path_of(options.run.common);
        if (options.run.is_dry) {
            const RunOptions run = gated_run(options.run, how.policy);
            output.write(dry_run(run, plan_gate(run, how.policy), path));
            return ExitCode::done;
        }
        db::Store store(path, db::OpenMode::create);
        answer = gate_now(options, how, store);
    } else {
        answer =
            options.baseline.empty() ? judge_stored(options, how) : judge_baseline(options, how);
    }
    if (!answer.result) {
        return answer.code; // interrupted: there is nothing to judge
    }
    output.write(render(*answer.result, options.run.common.format));
    say(fmt::format("kvprof: gate: {}\n", answer.result->line));
    return worse(answer.code, answer.result->code);
}

} // namespace kvprof::cli
