#pragma once

#include "analyzers/roofline.h"
#include "analyzers/section.h"

#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// What each op has to move, the least time for it, and its time over that. Empty of a run that
/// does not know its bytes; without ceilings it says why there are no floors.
[[nodiscard]] Section roofline_section(const Run& run);

/// The same of both sides of a comparison, medians over their runs.
[[nodiscard]] Section
roofline_delta_section(const std::vector<Run>& base, const std::vector<Run>& candidate);

/// "1.42"; "-" without one.
[[nodiscard]] std::string over_floor_cell(const std::optional<double>& ratio);

/// "4.25 TB/s".
[[nodiscard]] std::string bandwidth_text(double bytes_per_s);

/// kvprof ceilings: one row a ceiling of each device and driver.
[[nodiscard]] Section ceilings_section(const std::vector<Ceilings>& all);

} // namespace kvprof::analyzers
