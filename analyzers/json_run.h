#pragma once

#include "analyzers/json_values.h"
#include "capture/model/run.h"

#include <optional>

namespace kvprof::analyzers {

/// kvprof.run/1 without the name of its schema.
[[nodiscard]] Json run_object(const Run& run);
/// kvprof.experiment/1 without the name of its schema.
[[nodiscard]] Json experiment_object(const Experiment& experiment);

/// How an A/B experiment was laid out.
[[nodiscard]] Json design_or_null(const std::optional<AbDesign>& design);

} // namespace kvprof::analyzers
