#include "cli/stores.h"

#include "cli/version.h"
#include "db/path.h"
#include "db/store.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <system_error>

namespace kvprof::cli {

std::filesystem::path store_path_of(const CommonOptions& options) {
    std::error_code ignored; // a folder that was removed has no kvprof.toml above it either
    const std::filesystem::path here = std::filesystem::current_path(ignored);
    return db::store_path(options.db, db::path_environment(), here);
}

Experiment load_selected(const db::Selection& selection) {
    if (selection.experiment.empty()) {
        Experiment several;
        several.label = selection.reference;
        several.state = ExperimentState::complete;
        several.runs = db::load_runs(selection);
        return several;
    }
    Experiment experiment =
        db::Store(selection.store, db::OpenMode::read).load_experiment(selection.experiment);
    std::erase_if(experiment.runs, [&](const Run& run) {
        return std::find(selection.runs.begin(), selection.runs.end(), run.uuid)
               == selection.runs.end();
    });
    return experiment;
}

std::string utc_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string build_text() {
#ifdef NDEBUG
    constexpr const char* kKind = "release";
#else
    constexpr const char* kKind = "debug";
#endif
    return fmt::format("{} ({}, {})", version(), build_id(), kKind);
}

} // namespace kvprof::cli
