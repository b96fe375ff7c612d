#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/experiment_run.h"
#include "cli/output.h"
#include "cli/plan_outlook.h"
#include "cli/publish.h"
#include "cli/report_of.h"
#include "cli/run_plan.h"
#include "cli/stores.h"
#include "db/selector.h"
#include "db/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::cli {

namespace {

/// The matrix to go on with. @throws UsageError when there is none, or when it is no matrix of
/// systems.
Experiment find_unfinished(const MatrixOptions& options, const db::Store& store) {
    if (options.unfinished.empty()) {
        const auto stored = store.list_experiments(ExperimentKind::systems);
        if (stored.empty()) {
            throw UsageError(
                fmt::format("could not go on: {} holds no matrix", store.path().string()),
                "leave out --resume to start one"
            );
        }
        return store.load_experiment(stored.front().uuid);
    }
    const db::Selection found = db::resolve(store, options.unfinished);
    Experiment experiment = store.load_experiment(found.experiment);
    if (experiment.kind != ExperimentKind::systems) {
        throw UsageError(
            fmt::format("could not go on with {}: it is no matrix of systems", options.unfinished),
            "kvprof ls lists the experiments with their kinds"
        );
    }
    return experiment;
}

ExitCode answer(const RunOptions& run, const std::string& uuid, const db::Store& store) {
    ReportPlan rows = plan_experiment(uuid, store.path(), run.judge, run.common);
    rows.recipe.is_listing = true;
    Output output(run.common);
    publish(report_of(std::move(rows)), output, run.common);
    return ExitCode::done;
}

} // namespace

ExitCode run(const MatrixOptions& options) {
    const RunOptions& run = options.run;
    const RunPlan plan = plan_runs(run);
    const std::filesystem::path path = store_path_of(run.common);
    if (run.is_dry) {
        Output(run.common).write(dry_run(run, plan, path));
        return ExitCode::done;
    }
    warn_of_host(run);
    db::Store store(path, options.resumes ? db::OpenMode::write : db::OpenMode::create);
    std::optional<ExperimentRun> running;
    if (options.resumes) {
        running.emplace(run, plan, store, find_unfinished(options, store));
    } else {
        running.emplace(run, plan, store);
    }
    const ExitCode code = measure_interruptibly(run, *running);
    const Experiment experiment = store.load_experiment(running->experiment());
    if (experiment.state == ExperimentState::interrupted) {
        say_interrupted(store, experiment, plan.order.size());
        return code;
    }
    return worse(code, answer(run, experiment.uuid, store));
}

} // namespace kvprof::cli
