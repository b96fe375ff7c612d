#include "cli/commands.h"
#include "cli/measure_run.h"
#include "cli/stores.h"
#include "db/store.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace kvprof::cli {

ExitCode run(const MeasureOptions& options) {
    std::ifstream file(options.spec);
    if (!file) {
        throw UsageError(fmt::format("could not read --spec {}", options.spec.string()));
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};

    Experiment experiment;
    experiment.uuid = db::new_uuid();
    experiment.started_at = utc_now();
    experiment.command_line = "_measure";
    Run& run = experiment.runs.emplace_back(measure_here(experiment::parse_assignment(text)));
    run.uuid = db::new_uuid();
    run.started_at = experiment.started_at;
    experiment.state = ExperimentState::complete;
    db::Store(options.out, db::OpenMode::create).add_experiment(experiment);
    return ExitCode::done;
}

} // namespace kvprof::cli
