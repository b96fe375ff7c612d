#pragma once

#include "analyzers/json_values.h"
#include "analyzers/roofline.h"

#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// The `ceilings` of a run's object; null where none were measured.
[[nodiscard]] Json ceilings_or_null(const std::optional<Ceilings>& ceilings);
/// The `roofline` of a run's object.
[[nodiscard]] Json roofline_object(const Run& run);
/// The `roofline` of a comparison's object.
[[nodiscard]] Json roofline_list(const std::vector<Run>& base, const std::vector<Run>& candidate);
/// kvprof.ceilings/1
[[nodiscard]] std::string ceilings_json(const std::vector<Ceilings>& all);

} // namespace kvprof::analyzers
