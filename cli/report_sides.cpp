#include "cli/report_sides.h"

#include "capture/model/error.h"
#include "db/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kvprof::cli {

namespace {

report::ExperimentHead head_of(const Experiment& experiment) {
    return {
        .uuid = experiment.uuid,
        .started_at = experiment.started_at,
        .command_line = experiment.command_line,
        .label = experiment.label,
        .kind = experiment.kind,
        .ab = experiment.ab};
}

Experiment load_experiment(const db::Store& store, const std::string& uuid) {
    require_stored(store, uuid, "experiment");
    return store.load_experiment(uuid);
}

/// The named runs, in the order of the list.
std::vector<Run> chosen_runs(std::vector<Run> all, const std::vector<std::string>& uuids) {
    std::erase_if(all, [&](const Run& run) {
        return std::find(uuids.begin(), uuids.end(), run.uuid) == uuids.end();
    });
    return all;
}

bool has_head(const std::vector<report::ExperimentHead>& heads, const std::string& uuid) {
    return std::any_of(heads.begin(), heads.end(), [&](const report::ExperimentHead& head) {
        return head.uuid == uuid;
    });
}

} // namespace

void require_stored(const db::Store& store, const std::string& uuid, std::string_view what) {
    if (store.ids_starting_with(uuid).empty()) {
        throw UsageError(
            fmt::format(
                "could not find the {} {} of the report in the store {}",
                what,
                uuid,
                store.path().string()
            ),
            "kvprof import takes in the bundle that came with it; --db names another store"
        );
    }
}

void add_head(const report::ExperimentHead& head, std::vector<report::ExperimentHead>& heads) {
    if (!has_head(heads, head.uuid)) {
        heads.push_back(head);
    }
}

Experiment load_known(const std::string& uuid, const std::filesystem::path& store) {
    return load_experiment(db::Store(store, db::OpenMode::read), uuid);
}

LoadedSide load_side(const report::RecipeRuns& side, const std::filesystem::path& path) {
    const db::Store store(path, db::OpenMode::read);
    LoadedSide loaded{side.label, {}, {}};
    for (const std::string& run : side.runs) {
        require_stored(store, run, "run");
    }
    if (!side.experiment.empty()) {
        loaded.experiment = load_experiment(store, side.experiment);
        loaded.heads.push_back(head_of(loaded.experiment));
        if (!side.runs.empty()) {
            loaded.experiment.runs = chosen_runs(std::move(loaded.experiment.runs), side.runs);
        }
        return loaded;
    }
    loaded.experiment.label = side.label;
    loaded.experiment.state = ExperimentState::complete;
    loaded.experiment.runs = store.load_runs(side.runs);
    for (const std::string& run : side.runs) {
        const std::string uuid = store.experiment_of(run);
        if (!has_head(loaded.heads, uuid)) {
            add_head(head_of(store.load_experiment(uuid)), loaded.heads);
        }
    }
    return loaded;
}

} // namespace kvprof::cli
