#include "capture/import/captures.h"
#include "capture/import/readers.h"
#include "capture/model/error.h"
#include "capture/model/profile_figures.h"
#include "capture/model/units.h"
#include "cli/commands.h"
#include "cli/merging.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "db/store.h"
#include "db/store_file.h"
#include "report/clean_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
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

/// One file is one measurement, however often it is named.
/// @throws UsageError
void require_distinct_files(const Files& files) {
    std::set<std::filesystem::path> places;
    for (const std::filesystem::path& file : files) {
        std::error_code ignored; // what is not there is named by reading it
        if (!places.insert(std::filesystem::weakly_canonical(file, ignored)).second) {
            throw UsageError(
                fmt::format("could not import {}: it is named twice", file.string()),
                "name each file once: a copy is no second measurement"
            );
        }
    }
}

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

/// "1 step", "3,412 kernels".
std::string counted(std::int64_t count, std::string_view word, std::string_view plural = "s") {
    return fmt::format("{} {}{}", format_count(count), word, count == 1 ? "" : plural);
}

/// "rank0.json.gz +3": the first file, and how many follow.
std::string files_of(const Profile& profile) {
    std::set<std::string_view> files;
    for (const ProfileRank& rank : profile.ranks) {
        files.insert(rank.file);
    }
    const std::string more = files.size() == 1 ? "" : fmt::format(" +{}", files.size() - 1);
    return profile.ranks.front().file + more;
}

/// Of the rank that has most.
std::int64_t kept_steps(const Run& run) {
    std::map<std::int64_t, std::set<std::int64_t>> by_rank;
    std::size_t most = 0;
    for (const KernelEvent& event : run.events) {
        std::set<std::int64_t>& steps = by_rank[event.rank];
        steps.insert(event.step);
        most = std::max(most, steps.size());
    }
    return static_cast<std::int64_t>(most);
}

/// One line a capture: enough to see that the right file was read.
std::string summary_of(const Experiment& experiment, const Run& run, bool keeps_events) {
    const Profile& profile = *run.profile;
    std::size_t steps = 0;
    for (const ProfileRank& rank : profile.ranks) {
        steps = std::max(steps, rank.steps.size());
    }
    const auto total = [&](const char* figure) { return total_of(profile, figure); };
    std::string line = fmt::format(
        "{} {}: {}{}, {} ({}{}), {} in {}, {}, {}",
        experiment.uuid.substr(0, 8),
        experiment.label,
        profile.is_partial ? "PARTIAL, " : "",
        counted(std::ssize(profile.ranks), "rank"),
        counted(static_cast<std::int64_t>(steps), "step"),
        profile.step_rule,
        keeps_events ? fmt::format("; {} kept", kept_steps(run)) : "",
        counted(total("gpu.kernel.count"), "kernel"),
        format_duration_ns(static_cast<double>(total("gpu.kernel.sum"))),
        counted(total("api.launch"), "launch", "es"),
        counted(total("api.graph_launch"), "graph launch", "es")
    );
    if (!profile.warnings.empty()) {
        line += ", " + counted(std::ssize(profile.warnings), "warning");
    }
    // Names of sides and files are input: no control bytes for the terminal.
    return report::one_word(fmt::format("{}; {}", line, files_of(profile)), ' ') + "\n";
}

void say_warnings(const Run& run) {
    for (const ProfileWarning& warning : run.profile->warnings) {
        const std::string text = fmt::format(
            "kvprof: {}: {} ({}): {}",
            files_of(*run.profile),
            warning.word,
            warning.count,
            warning.text
        );
        say(report::one_word(text, ' ') + "\n");
    }
}

void store_sides(std::vector<ImportedSide>&& sides, const ImportOptions& options) {
    db::Store store(store_path_of(options.common), db::OpenMode::create);
    std::string lines;
    for (ImportedSide& side : sides) {
        const Experiment experiment = experiment_of(std::move(side), options);
        store.add_experiment(experiment);
        for (const Run& run : experiment.runs) {
            say_warnings(run);
            lines += summary_of(experiment, run, options.read.keep_events > 0);
        }
    }
    if (!options.common.is_quiet) {
        Output(options.common).write(lines);
    }
}

} // namespace

ExitCode run(const ImportOptions& options) {
    Files files = options.sources;
    const auto first_profile = std::stable_partition(files.begin(), files.end(), db::is_store_file);
    const Files bundles(files.begin(), first_profile);
    const Files profiles(first_profile, files.end());
    std::vector<ImportedSide> sides;
    require_distinct_files(files);
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
