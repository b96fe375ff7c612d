#include "capture/import/asked_steps.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <string>

namespace kvprof::import {

namespace {

struct StepCounts {
    std::int64_t kept = 0;
    std::int64_t skipped = 0;
};

StepCounts steps_of(const Profile& profile) {
    StepCounts counts;
    for (const ProfileRank& rank : profile.ranks) {
        counts.kept += std::ssize(rank.steps);
        for (const ProfileFigure& figure : rank.figures) {
            counts.skipped += figure.name == "steps.skipped" ? figure.value : 0;
        }
    }
    return counts;
}

std::int64_t graph_launches_of(const Profile& profile) {
    std::int64_t launches = 0;
    for (const ProfileRank& rank : profile.ranks) {
        for (const ProfileFigure& figure : rank.figures) {
            launches += figure.name == "api.graph_launch" ? figure.value : 0;
        }
    }
    return launches;
}

[[noreturn]] void refuse_rule(const FileProfile& file, const ReadOptions& options) {
    const std::string& name = file.profile.ranks.front().file;
    if (options.steps == StepRule::graph) {
        throw UsageError(
            fmt::format(
                "could not find steps in {}: --steps graph, and its {} graph launches have no "
                "period",
                name,
                graph_launches_of(file.profile)
            ),
            "--steps auto takes annotations and kernels, too; --steps none asks for no steps"
        );
    }
    throw UsageError(
        fmt::format(
            "could not find steps in {}: --steps annotation:{}, and none of its {} ranges is a "
            "step of "
            "such a name",
            name,
            options.step_pattern,
            file.ranges
        ),
        "name what a step's range begins with, or let --steps auto find them"
    );
}

} // namespace

void require_asked_steps(const FileProfile& file, const ReadOptions& options) {
    const auto [kept, skipped] = steps_of(file.profile);
    if (kept > 0) {
        return;
    }
    const bool is_asked = options.steps == StepRule::annotation || options.steps == StepRule::graph;
    if (is_asked && skipped == 0) {
        refuse_rule(file, options);
    }
    if (options.skip_first > 0 || options.skip_last > 0) {
        throw UsageError(
            fmt::format(
                "could not skip steps of {}: --skip-first {} --skip-last {}, and of its {} steps "
                "({}) none is left",
                file.profile.ranks.front().file,
                options.skip_first,
                options.skip_last,
                skipped,
                file.profile.step_rule
            ),
            "skip fewer steps than there are, or find more of them with --steps"
        );
    }
}

} // namespace kvprof::import
