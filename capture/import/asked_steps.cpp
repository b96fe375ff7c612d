#include "capture/import/asked_steps.h"

#include "capture/model/error.h"
#include "capture/model/profile_figures.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace kvprof::import {

namespace {

[[noreturn]] void refuse_rule(const FileProfile& file, const ReadOptions& options) {
    const std::string& name = file.profile.ranks.front().file;
    if (options.steps == StepRule::graph) {
        throw UsageError(
            fmt::format(
                "could not find steps in {}: --steps graph, and its {} graph launches have no "
                "period",
                name,
                total_of(file.profile, "api.graph_launch")
            ),
            "--steps auto takes annotations and kernels, too; --steps none asks for no steps"
        );
    }
    throw UsageError(
        fmt::format(
            "could not find steps in {}: --steps annotation:{}, and none of its {} ranges is a "
            "step of such a name",
            name,
            options.step_pattern,
            file.ranges
        ),
        "name what a step's range begins with, or let --steps auto find them"
    );
}

} // namespace

void require_asked_steps(const FileProfile& file, const ReadOptions& options) {
    const std::int64_t skipped = total_of(file.profile, "steps.skipped");
    if (steps_in_window(file.profile) > skipped) {
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
