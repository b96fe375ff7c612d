#pragma once

#include "analyzers/byte_law.h"
#include "analyzers/sweep_points.h"
#include "analyzers/time_law.h"
#include "capture/model/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// What one side of a sweep says: docs/cost-laws.md.
struct SideLaws {
    std::optional<AbSide> side; ///< absent: the sweep has one
    std::vector<AxisRuns> axes;
    std::vector<TimeLaw> times; ///< by axis, then as time_laws()
    std::vector<ByteLaw> bytes;
};

/// Of a sweep's runs, the sides in order. @param runs must outlive the result
[[nodiscard]] std::vector<SideLaws> cost_laws(const std::vector<Run>& runs);

/// Why a value of an axis has no figure: its run has none, or its nodes pass gave none.
struct MissingFigure {
    std::int64_t value = 0;
    std::string reason;
};

/// The values of the axis without a figure of the law. With no law those whose run has
/// no figures at all.
[[nodiscard]] std::vector<MissingFigure> missing_figures(const AxisRuns& axis, const TimeLaw* law);

/// Laws of one subject on both sides; null where a side has none.
struct TimeLawChange {
    const TimeLaw* a = nullptr;
    const TimeLaw* b = nullptr;
    /// B - A, of independent fits; absent where a side has no fit.
    std::optional<stats::Coefficient> intercept = {};
    std::optional<stats::Coefficient> slope = {};
    std::optional<stats::Coefficient> elasticity = {};
};

struct ByteLawChange {
    const ByteLaw* a = nullptr;
    const ByteLaw* b = nullptr;
};

/// All subjects of A in their order, then those that B alone has. They point into the sides.
[[nodiscard]] std::vector<TimeLawChange> time_law_changes(const SideLaws& a, const SideLaws& b);
[[nodiscard]] std::vector<ByteLawChange> byte_law_changes(const SideLaws& a, const SideLaws& b);

} // namespace kvprof::analyzers
