#include "analyzers/profile_checks.h"

#include "analyzers/as_double.h"
#include "analyzers/imported_runs.h"
#include "capture/model/profile_figures.h"

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>

namespace kvprof::analyzers {

namespace {

/// Distinct words of a side's captures, in order of appearance, joined.
std::string words_of(const Side& side, const std::function<std::string(const Run&)>& word) {
    std::string words;
    std::string last;
    for (const Run& run : side.runs) {
        const std::string next = word(run);
        if (words.empty() || next != last) {
            words += (words.empty() ? "" : ", ") + next;
        }
        last = next;
    }
    return words;
}

std::string state_of(const Run& run, std::string_view capability) {
    for (const ProfileCapability& one : run.profile->capabilities) {
        if (one.name == capability) {
            return std::string(to_string(one.state));
        }
    }
    return std::string(to_string(Capability::unknown));
}

std::string granularity_of(const Run& run) {
    return total_of(*run.profile, "graph_trace.count") > 0 ? "whole replays" : "kernels";
}

std::string steps_of(const Run& run) {
    std::string words;
    for (const ProfileRank& rank : run.profile->ranks) {
        words += (words.empty() ? "" : "+") + fmt::format("{}", rank.steps.size());
    }
    return words;
}

/// Collects what differs between the captures of two sides.
class Checks {
  public:
    Checks(const Side& base, const Side& candidate)
        : base_(base),
          candidate_(candidate) {}

    void
    compare(Severity severity, const char* field, const std::function<std::string(const Run&)>& f) {
        const std::string before = words_of(base_, f);
        const std::string after = words_of(candidate_, f);
        if (before != after) {
            add(severity, field, fmt::format("{} -> {}", before, after));
        }
    }

    void add(Severity severity, std::string_view field, const std::string& text) {
        concerns_.push_back({severity, std::string(field), fmt::format("{}: {}", field, text)});
    }

    void add_orphans(const Side& side, std::string_view role) {
        constexpr double kMost = 0.05;
        for (const Run& run : side.runs) {
            const double all = as_double(total_of(*run.profile, "gpu.kernel.sum"));
            const double orphans = as_double(total_of(*run.profile, "kernels.orphan.sum"));
            if (all > 0.0 && orphans > kMost * all) {
                add(Severity::warns,
                    "profile.orphans",
                    fmt::format(
                        "{:.1f} % of the {}'s kernel time has no launch in the file",
                        orphans / all * 100.0,
                        role
                    ));
            }
        }
    }

    [[nodiscard]] std::vector<Concern> take() && { return std::move(concerns_); }

  private:
    const Side& base_;
    const Side& candidate_;
    std::vector<Concern> concerns_;
};

} // namespace

std::vector<Concern> profile_concerns(const Side& base, const Side& candidate) {
    if (!are_imported(base.runs) || !are_imported(candidate.runs)) {
        return {}; // none, or of one side alone, whose executor differs: that blocks
    }
    Checks checks(base, candidate);
    checks.compare(Severity::blocks, "profile.graphs", granularity_of);
    checks.compare(Severity::warns, "profile.writer", [](const Run& run) {
        return run.profile->writer;
    });
    checks.compare(Severity::warns, "profile.ranks", [](const Run& run) {
        return fmt::format("{}", run.profile->ranks.size());
    });
    checks.compare(Severity::warns, "profile.steps", steps_of);
    checks.compare(Severity::warns, "profile.step-rule", [](const Run& run) {
        return run.profile->step_rule;
    });
    checks.compare(Severity::warns, "profile.partial", [](const Run& run) {
        return std::string(run.profile->is_partial ? "partial" : "whole");
    });
    for (const char* name : {"stacks", "memory"}) {
        checks.compare(
            Severity::warns,
            name == std::string_view("stacks") ? "profile.stacks" : "profile.memory",
            [name](const Run& run) { return state_of(run, name); }
        );
    }
    checks.add_orphans(base, "base");
    checks.add_orphans(candidate, "candidate");
    return std::move(checks).take();
}

} // namespace kvprof::analyzers
