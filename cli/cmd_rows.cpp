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
#include <string_view>

namespace kvprof::cli {

namespace {

std::string_view name_of(ExperimentKind kind) {
    if (kind == ExperimentKind::systems) {
        return "matrix of systems";
    }
    return kind == ExperimentKind::tune ? "tuning" : to_string(kind);
}

/// The experiment to go on with. @throws UsageError when there is none, when it is of another kind,
/// and when it has another label.
std::string
find_unfinished(const RunOptions& run, const std::string& reference, const db::Store& store) {
    const ExperimentKind kind = run.design.kind;
    const bool is_newest = reference.empty();
    const auto stored = store.list_experiments(kind);
    if (is_newest && stored.empty()) {
        throw UsageError(
            fmt::format("could not go on: {} holds no {}", store.path().string(), name_of(kind)),
            "leave out --resume to start one"
        );
    }
    const Experiment found = store.load_experiment(
        is_newest ? stored.front().uuid : db::resolve(store, reference).experiment
    );
    if (found.kind != kind) {
        throw UsageError(
            fmt::format("could not go on with {}: it is no {}", reference, name_of(kind)),
            "kvprof ls lists the experiments with their kinds"
        );
    }
    if (!run.label.empty() && run.label != found.label) {
        throw UsageError(
            fmt::format(
                "could not go on with {}: its label is \"{}\", and --label is \"{}\"",
                found.uuid.substr(0, 8),
                found.label,
                run.label
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
    const report::Report report = report_of(std::move(rows));
    try {
        publish(report, output, run.common);
    } catch (const UsageError& error) {
        throw UsageError(
            error.what(),
            fmt::format("the runs are stored all the same: kvprof show {}", uuid.substr(0, 8))
        );
    }
    return ExitCode::done;
}

} // namespace

ExitCode run(const RowsOptions& options) {
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
        const std::string uuid = find_unfinished(run, options.unfinished, store);
        lock.emplace(path, uuid); // before its rows are read
        running.emplace(run, plan, store, store.load_experiment(uuid));
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
