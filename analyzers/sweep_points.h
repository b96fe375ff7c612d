#pragma once

#include "capture/model/run.h"
#include "capture/model/sweep_axis.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// The runs of one side of a sweep in which one axis moves and every other option stays, in the
/// order of the axis' values; a value has several where points were repeated.
struct AxisRuns {
    SweepAxis axis{};
    std::vector<const Run*> runs;        ///< complete ones
    std::vector<const Run*> others = {}; ///< that have no figures, and say why
};

/// The axes of a sweep's runs, in the order of SweepAxis: facts of the runs alone decide, no names.
/// An axis has two different values at least, among runs with figures or without.
/// @param runs of one side. They must outlive the result.
[[nodiscard]] std::vector<AxisRuns> axes_of(const std::vector<const Run*>& runs);

/// Tokens that the lanes of a step have in context. Of a law that draws lengths those of lanes that
/// all have seq-len: these laws scale with it, so that elasticities are right.
[[nodiscard]] std::int64_t live_tokens(const StepSpec& step);

/// What the work of a step is measured by along an axis: live tokens where the axis moves them, and
/// its own value on the others.
[[nodiscard]] double work_along(SweepAxis axis, const StepSpec& step);

} // namespace kvprof::analyzers
