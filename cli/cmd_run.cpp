#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/experiment_run.h"
#include "cli/judging.h"
#include "cli/output.h"
#include "cli/plan_outlook.h"
#include "cli/run_plan.h"
#include "cli/stores.h"
#include "db/store.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace kvprof::cli {

namespace {

/// What a run answers, and with which code on top of its own.
struct Answer {
    std::string text;
    ExitCode code = ExitCode::done;
};

/// Of an A/B experiment the comparison of its sides; of a matrix its rows.
Answer answer_of(
    const Experiment& experiment, const std::optional<analyzers::CompareOptions>& how, Format format
) {
    if (!how) {
        return {experiment_report(experiment, format), ExitCode::done};
    }
    const std::vector<analyzers::Comparison> cases = compare_experiment(experiment, *how);
    return {
        cases_report(cases, format),
        is_nothing_comparable(cases) ? ExitCode::not_comparable : ExitCode::done};
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
    if (plan.ab) {
        how = compare_options(options.judge);
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
    const Answer answer = answer_of(experiment, how, options.common.format);
    try {
        output.write(answer.text);
    } catch (const UsageError& error) {
        throw UsageError(
            error.what(),
            fmt::format(
                "the runs are stored all the same: kvprof show {}", experiment.uuid.substr(0, 8)
            )
        );
    }
    return worse(code, answer.code);
}

} // namespace kvprof::cli
