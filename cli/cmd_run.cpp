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

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace kvprof::cli {

namespace {

/// Of an A/B experiment the comparison of its sides; of a matrix its rows.
ReportPlan plan_answer(const RunOptions& options, const std::string& uuid, const db::Store& store) {
    ReportPlan plan = plan_experiment(uuid, store.path(), options.judge, options.common);
    plan.recipe.is_listing = options.design.kind != ExperimentKind::ab;
    return plan;
}

/// The runs are stored, whatever becomes of the report on them.
ExitCode answer(const report::Report& report, Output& output, const CommonOptions& common) {
    try {
        publish(report, output, common);
    } catch (const UsageError& error) {
        throw UsageError(
            error.what(),
            fmt::format(
                "the runs are stored all the same: kvprof show {}",
                report.recipe.sides[0].experiment.substr(0, 8)
            )
        );
    }
    const auto* const judged = std::get_if<report::Judged>(&report.subject);
    return judged != nullptr && is_nothing_comparable(judged->gate.cases) ? ExitCode::not_comparable
                                                                          : ExitCode::done;
}

} // namespace

ExitCode run(const RunOptions& options) {
    const RunPlan plan = plan_runs(options);
    const std::filesystem::path path = store_path_of(options.common);
    Output output(options.common);
    if (options.is_dry) {
        output.write(dry_run(options, plan, path));
        return ExitCode::done;
    }
    // A policy that can not be read is said before anything is measured.
    std::optional<analyzers::CompareOptions> how;
    if (plan.kind == ExperimentKind::ab) {
        how = compare_options(recipe_of(options.judge));
    }
    warn_of_host(options);
    db::Store store(path, db::OpenMode::create);
    if (how) {
        add_calibrations(*how, path);
    }
    ExperimentRun running(options, plan, store);
    const ExitCode code = measure_interruptibly(options, running, [&](const Experiment& so_far) {
        return how && is_decided(so_far, *how);
    });
    const Experiment experiment = store.load_experiment(running.experiment());
    if (experiment.state == ExperimentState::interrupted) {
        say_interrupted(store, experiment, plan.order.size());
        return code;
    }
    const report::Report report = report_of(plan_answer(options, running.experiment(), store));
    return worse(code, answer(report, output, options.common));
}

} // namespace kvprof::cli
