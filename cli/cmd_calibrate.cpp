#include "analyzers/render_json.h"
#include "analyzers/render_markdown.h"
#include "analyzers/render_text.h"
#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/experiment_run.h"
#include "cli/judging.h"
#include "cli/output.h"
#include "cli/plan_outlook.h"
#include "cli/run_plan.h"
#include "cli/stores.h"
#include "db/store.h"

namespace kvprof::cli {

namespace {

std::string render(const analyzers::Calibration& calibration, Format format) {
    switch (format) {
    case Format::text: return analyzers::calibration_text(calibration);
    case Format::markdown: return analyzers::calibration_markdown(calibration);
    case Format::json: return analyzers::calibration_json(calibration);
    }
    return {};
}

} // namespace

ExitCode run(const CalibrateOptions& options) {
    const RunOptions& run = options.run;
    const RunPlan plan = plan_runs(run);
    const analyzers::Policy policy = policy_of(run.judge);
    const std::filesystem::path path = store_path_of(run.common);
    Output output(run.common);
    if (run.is_dry) {
        output.write(dry_run(run, plan, path));
        return ExitCode::done;
    }
    warn_of_host(run);
    db::Store store(path, db::OpenMode::create);
    ExperimentRun running(run, plan, store);
    const ExitCode code = measure_interruptibly(run, running);
    const Experiment experiment = store.load_experiment(running.experiment());
    if (experiment.state == ExperimentState::interrupted) {
        say_interrupted(store, experiment, plan.order.size());
        return code;
    }
    if (code != ExitCode::done) {
        output.write(experiment_report(experiment, run.common.format)); // its rows say why
        return code;
    }
    const auto runs_a_side = static_cast<std::size_t>(policy.runs);
    try {
        output.write(render(calibration_of(experiment, runs_a_side), run.common.format));
    } catch (const UsageError& error) {
        throw UnavailableError(error.what(), error.hint()); // the runs, not the command line
    }
    return code;
}

} // namespace kvprof::cli
