#include "analyzers/profile_metrics.h"
#include "capture/import/captures.h"
#include "capture/import/readers.h"
#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/merging.h"
#include "cli/messages.h"
#include "cli/stores.h"
#include "db/store.h"
#include "db/store_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kvprof::cli {

namespace {

using Files = std::vector<std::filesystem::path>;

/// One side: an experiment whose runs are its captures.
struct ImportedSide {
    std::string name;
    std::vector<Run> runs;
};

/// Runs of the files, by side. Nothing is stored before all files have been read.
std::vector<ImportedSide> read_sides(const Files& files, const ImportOptions& options) {
    std::vector<import::FileProfile> profiles;
    profiles.reserve(files.size());
    for (const std::filesystem::path& file : files) {
        profiles.push_back(import::read_profile(file, options.read));
    }
    std::vector<ImportedSide> sides;
    const bool is_one_side = !options.side.empty();
    for (const import::Capture& capture : import::captures_of(files, profiles, is_one_side)) {
        std::vector<import::FileProfile> ranks;
        for (const std::size_t place : capture.files) {
            ranks.push_back(std::move(profiles[place]));
        }
        if (sides.empty() || !is_one_side) {
            sides.push_back({is_one_side ? options.side : capture.name, {}});
        }
        sides.back().runs.push_back(import::run_of(std::move(ranks)));
    }
    return sides;
}

Experiment experiment_of(ImportedSide&& side, const ImportOptions& options) {
    Experiment experiment;
    experiment.uuid = db::new_uuid();
    experiment.started_at = utc_now();
    experiment.command_line = options.command_line;
    experiment.label = std::move(side.name);
    experiment.state = ExperimentState::complete;
    experiment.kind = ExperimentKind::imported;
    for (Run& run : side.runs) {
        run.uuid = db::new_uuid();
        run.repeat = static_cast<std::int64_t>(experiment.runs.size());
        run.position = run.repeat;
        run.started_at = experiment.started_at;
        run.process_id = getpid();
        run.environment.build = build_text();
        experiment.runs.push_back(std::move(run));
    }
    return experiment;
}

/// One line a capture: enough to see that the right file was read.
std::string summary_of(const Experiment& experiment, const Run& run) {
    const Profile& profile = *run.profile;
    std::size_t steps = 0;
    for (const ProfileRank& rank : profile.ranks) {
        steps = std::max(steps, rank.steps.size());
    }
    constexpr double kNsPerMs = 1e6;
    return fmt::format(
        "{} {}: {}{} rank{}, {} steps ({}), {} kernels in {:.3f} ms, {} launches, {} graph "
        "launches{}\n",
        experiment.uuid.substr(0, 8),
        experiment.label,
        profile.is_partial ? "PARTIAL, " : "",
        profile.ranks.size(),
        profile.ranks.size() == 1 ? "" : "s",
        steps,
        profile.step_rule,
        analyzers::total_of(profile, "gpu.kernel.count"),
        static_cast<double>(analyzers::total_of(profile, "gpu.kernel.sum")) / kNsPerMs,
        analyzers::total_of(profile, "api.launch"),
        analyzers::total_of(profile, "api.graph_launch"),
        profile.warnings.empty()
            ? ""
            : fmt::format(
                ", {} warning{}", profile.warnings.size(), profile.warnings.size() == 1 ? "" : "s"
            )
    );
}

void say_warnings(const Run& run) {
    for (const ProfileWarning& warning : run.profile->warnings) {
        say(fmt::format(
            "kvprof: {}: {} ({}): {}\n",
            run.profile->ranks.front().file,
            warning.word,
            warning.count,
            warning.text
        ));
    }
}

void store_sides(std::vector<ImportedSide>&& sides, const ImportOptions& options) {
    db::Store store(store_path_of(options.common), db::OpenMode::create);
    for (ImportedSide& side : sides) {
        const Experiment experiment = experiment_of(std::move(side), options);
        store.add_experiment(experiment);
        for (const Run& run : experiment.runs) {
            say_warnings(run);
            if (!options.common.is_quiet) {
                say(summary_of(experiment, run), stdout);
            }
        }
    }
}

} // namespace

ExitCode run(const ImportOptions& options) {
    Files files = options.sources;
    const auto first_profile = std::stable_partition(files.begin(), files.end(), db::is_store_file);
    const Files bundles(files.begin(), first_profile);
    const Files profiles(first_profile, files.end());
    std::vector<ImportedSide> sides;
    if (!profiles.empty()) {
        sides = read_sides(profiles, options);
    }
    const bool fits =
        bundles.empty()
        || merge_into(store_path_of(options.common), bundles, options.common.is_quiet);
    if (!sides.empty()) {
        store_sides(std::move(sides), options);
    }
    return fits ? ExitCode::done : ExitCode::difference;
}

} // namespace kvprof::cli
