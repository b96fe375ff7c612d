#include "analyzers/render_json.h"
#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/experiment_run.h"
#include "cli/judging.h"
#include "cli/output.h"
#include "cli/plan_outlook.h"
#include "cli/publish.h"
#include "cli/report_of.h"
#include "cli/run_plan.h"
#include "cli/stores.h"
#include "db/store.h"
#include "report/renderers.h"

namespace kvprof::cli {

namespace {

std::string render(const analyzers::Calibration& calibration, Format format) {
    if (format == Format::json) {
        return analyzers::calibration_json(calibration);
    }
    const report::Document document = report::document_of(calibration);
    return format == Format::markdown ? report::markdown(document) : report::text(document);
}

} // namespace

ExitCode run(const CalibrateOptions& options) {
    const RunOptions& run = options.run;
    const RunPlan plan = plan_runs(run);
    const analyzers::Policy policy = compare_options(recipe_of(run.judge)).policy;
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
        ReportPlan rows = plan_experiment(experiment.uuid, path, run.judge, run.common);
        rows.recipe.is_listing = true;
        publish(report_of(std::move(rows)), output, run.common); // its rows say why
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
