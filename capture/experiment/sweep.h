#pragma once

#include "capture/experiment/design.h"
#include "capture/model/sweep_axis.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace kvprof::experiment {

/// Values that a sweep gives to one axis, in rising order.
struct SweptAxis {
    SweepAxis axis{};
    std::vector<std::int64_t> values;

    friend bool operator==(const SweptAxis&, const SweptAxis&) = default;
};

/// Reads "seq-len=1Ki,8Ki". @throws UsageError for any other shape, an unknown axis (with the
/// nearest), a lone value, and a value that is there twice.
[[nodiscard]] SweptAxis parse_axis(std::string_view text);

/// The step whose context has a size of its own, the preset's where it left that open.
/// @throws UsageError for a preset that can not be loaded.
[[nodiscard]] StepSpec with_own_context(StepSpec step);

/// A few points on each axis: seq-len 1,024 to 131,072 in steps of four, up to the context; batch 1
/// to 256 in steps of four, up to max-batch; max-context and max-batch a quarter, a half and all of
/// the step's own, or one, two and four times it where the live tokens need that much; page-size 1,
/// 16 and 64 and the step's own, those that the backend takes. An axis of a lone value is left out.
/// @param step with_own_context(). @throws UsageError for a backend that can not be loaded.
[[nodiscard]] std::vector<SweptAxis> usual_axes(const StepSpec& step);

/// A star: on each axis a cell for each value, all else as in `step`; a cell that two axes share is
/// there once. Values that a step can not have are cells all the same: whoever checks cells says
/// why. @throws UsageError for an axis that is there twice.
[[nodiscard]] std::vector<Cell> cells_of_sweep(
    const StepSpec& step, const MeasureSpec& measure, const std::vector<SweptAxis>& axes
);

} // namespace kvprof::experiment
