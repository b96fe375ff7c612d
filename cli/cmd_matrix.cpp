#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/experiment_run.h"
#include "cli/matrix_lock.h"
#include "cli/output.h"
#include "cli/plan_outlook.h"
#include "cli/publish.h"
#include "cli/report_of.h"
#include "cli/run_plan.h"
#include "cli/stores.h"
#include "db/selector.h"
#include "db/store.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>

namespace kvprof::cli {

namespace {

/// The matrix to go on with. @throws UsageError when there is none, when it is no matrix of
/// systems, and when it has another label.
std::string find_unfinished(const MatrixOptions& options, const db::Store& store) {
    if (options.unfinished.empty() && store.list_experiments(ExperimentKind::systems).empty()) {
        throw UsageError(
            fmt::format("could not go on: {} holds no matrix", store.path().string()),
            "leave out --resume to start one"
        );
    }
    const Experiment found = store.load_experiment(
        options.unfinished.empty() ? store.list_experiments(ExperimentKind::systems).front().uuid
                                   : db::resolve(store, options.unfinished).experiment
    );
    if (found.kind != ExperimentKind::systems) {
        throw UsageError(
            fmt::format("could not go on with {}: it is no matrix of systems", options.unfinished),
            "kvprof ls lists the experiments with their kinds"
        );
    }
    if (!options.run.label.empty() && options.run.label != found.label) {
        throw UsageError(
            fmt::format(
                "could not go on with {}: its label is \"{}\", and --label is \"{}\"",
                found.uuid.substr(0, 8),
                found.label,
                options.run.label
            ),
            "leave out --label; kvprof tag gives it a further name"
        );
    }
    return found.uuid;
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
    std::optional<MatrixLock> lock;
    std::optional<ExperimentRun> running;
    if (options.resumes) {
        const std::string unfinished = find_unfinished(options, store);
        lock.emplace(path, unfinished); // before its rows are read
        running.emplace(run, plan, store, store.load_experiment(unfinished));
    } else {
        running.emplace(run, plan, store);
        lock.emplace(path, running->experiment());
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
