#include "capture/import/captures.h"
#include "capture/model/error.h"
#include "capture/model/profile_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace kvprof::import {

namespace {

/// Adds up what several files ran and called, by name.
class Sums {
  public:
    /// @param run with the ranks of the files before
    /// @returns where the file's kernels are among those of the run
    std::vector<std::int64_t> add(FileProfile&& file, Run& run) {
        std::vector<std::int64_t> places;
        for (KernelStat& kernel : file.kernels) {
            places.push_back(place_of(std::move(kernel), run.kernels));
        }
        for (ApiStat& call : file.calls) {
            const auto [found, is_new] = calls_.try_emplace(call.call, run.calls.size());
            if (is_new) {
                run.calls.push_back(std::move(call));
            } else {
                run.calls[found->second].calls += call.calls;
            }
        }
        const std::size_t others = run.profile ? run.profile->ranks.size() : 0;
        for (KernelEvent& event : file.events) {
            event.rank += static_cast<std::int64_t>(others);
            event.kernel = places.at(static_cast<std::size_t>(event.kernel));
            run.events.push_back(event);
        }
        return places;
    }

  private:
    std::int64_t place_of(KernelStat&& kernel, std::vector<KernelStat>& kernels) {
        const auto key = std::tuple(kernel.kind, kernel.copy, kernel.name);
        const auto [found, is_new] = kernels_.try_emplace(key, kernels.size());
        if (is_new) {
            kernels.push_back(std::move(kernel));
        } else {
            KernelStat& sum = kernels[found->second];
            sum.launches += kernel.launches;
            sum.time += kernel.time;
            sum.shortest = std::min(sum.shortest, kernel.shortest);
            sum.longest = std::max(sum.longest, kernel.longest);
        }
        return static_cast<std::int64_t>(found->second);
    }

    std::map<std::tuple<ActivityKind, CopyKind, std::string>, std::size_t> kernels_;
    std::map<std::string, std::size_t> calls_;
};

void add_warning(const ProfileWarning& warning, std::vector<ProfileWarning>& all) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const ProfileWarning& one) {
        return one.word == warning.word;
    });
    if (same == all.end()) {
        all.push_back(warning);
    } else {
        same->count += warning.count;
    }
}

/// What one file carries, the capture carries; what they do not agree on is unknown.
void add_capability(const ProfileCapability& other, std::vector<ProfileCapability>& all) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const ProfileCapability& one) {
        return one.name == other.name;
    });
    if (same == all.end()) {
        all.push_back(other);
    } else if (other.state == Capability::carried) {
        same->state = Capability::carried;
    } else if (same->state != Capability::carried && same->state != other.state) {
        same->state = Capability::unknown;
    }
}

void require_one_source(const Profile& first, const Profile& other) {
    if (first.source != other.source) {
        throw BadDataError(
            fmt::format(
                "could not put {} and {} into one capture: one is of {}, the other of {}",
                first.ranks.front().file,
                other.ranks.front().file,
                to_string(first.source),
                to_string(other.source)
            ),
            "import them as two sides"
        );
    }
}

void require_distinct_ranks(const Profile& profile) {
    std::map<std::string, std::string> files;
    for (const ProfileRank& rank : profile.ranks) {
        const auto [found, is_new] = files.emplace(rank.rank, rank.file);
        if (!is_new && !rank.rank.empty()) {
            throw BadDataError(
                fmt::format(
                    "could not put {} and {} into one capture: both are of rank {}",
                    found->second,
                    rank.file,
                    rank.rank
                ),
                "several captures of one side have names that differ in more than their rank"
            );
        }
    }
}

void take_profile(Profile&& from, Profile& to) {
    require_one_source(to, from);
    to.is_partial = to.is_partial || from.is_partial;
    const auto listed = [](const std::string& rules) { return "; " + rules + "; "; };
    if (listed(to.step_rule).find(listed(from.step_rule)) == std::string::npos) {
        to.step_rule += "; " + from.step_rule;
    }
    for (ProfileRank& rank : from.ranks) {
        to.ranks.push_back(std::move(rank));
    }
    for (const ProfileWarning& warning : from.warnings) {
        add_warning(warning, to.warnings);
    }
    for (const ProfileCapability& capability : from.capabilities) {
        add_capability(capability, to.capabilities);
    }
}

/// Ranks run alike: a kernel has the neighbours that it has in the first rank that has some.
void add_neighbours(
    const std::vector<KernelNeighbours>& of_file,
    const std::vector<std::int64_t>& places,
    std::vector<KernelNeighbours>& all
) {
    const auto place_of = [&](std::int64_t kernel) {
        return places.at(static_cast<std::size_t>(kernel));
    };
    const auto optional_place = [&](std::optional<std::int64_t> kernel) {
        return kernel ? std::optional(place_of(*kernel)) : std::nullopt;
    };
    const auto is_before = [](const KernelNeighbours& a, const KernelNeighbours& b) {
        return a.kernel < b.kernel;
    };
    for (const KernelNeighbours& one : of_file) {
        const KernelNeighbours placed{
            place_of(one.kernel), optional_place(one.before), optional_place(one.after)};
        const auto at = std::lower_bound(all.begin(), all.end(), placed, is_before);
        if (at == all.end() || at->kernel != placed.kernel) {
            all.insert(at, placed);
        }
    }
}

/// The counts of an imported profile stand where those of the traced passes do.
void add_passes(Run& run) {
    const std::int64_t steps = steps_in_window(*run.profile); // the counts are of all steps
    if (steps == 0) {
        run.notes.emplace_back("no steps were found: figures of a step are of the whole capture");
    }
    std::int64_t records = 0;
    for (const KernelStat& kernel : run.kernels) {
        records += kernel.launches;
    }
    for (const Pass pass : {Pass::counts, Pass::nodes}) {
        PassResult& result = run.passes.emplace_back();
        result.pass = pass;
        result.steps = std::max<std::int64_t>(steps, 1);
        result.records = pass == Pass::nodes ? records : 0;
    }
}

} // namespace

Run run_of(std::vector<FileProfile> files) {
    Run run;
    Sums sums;
    for (FileProfile& file : files) {
        Profile profile = std::move(file.profile);
        const std::vector<KernelNeighbours> neighbours = std::exchange(profile.neighbours, {});
        const std::vector<std::int64_t> places = sums.add(std::move(file), run);
        if (run.profile) {
            take_profile(std::move(profile), *run.profile);
        } else {
            run.profile = std::move(profile);
        }
        add_neighbours(neighbours, places, run.profile->neighbours);
    }
    require_distinct_ranks(*run.profile);
    std::set<std::string> gpus;
    for (const ProfileRank& rank : run.profile->ranks) {
        gpus.insert(rank.gpu);
    }
    run.environment.executor = "imported";
    run.environment.device_name = gpus.size() == 1 ? *gpus.begin() : "several";
    run.environment.method = kMethod;
    for (const ProfileWarning& warning : run.profile->warnings) {
        run.notes.push_back(fmt::format("{} ({}): {}", warning.word, warning.count, warning.text));
    }
    if (run.profile->is_partial) {
        run.notes.insert(run.notes.begin(), "partial: a part of a broken file, as asked for");
    }
    add_passes(run);
    return run;
}

} // namespace kvprof::import
