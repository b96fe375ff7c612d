#pragma once

#include "analyzers/listing.h"
#include "analyzers/noise.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

// JSON documents, indented by two, with a newline at the end. `schema` names the form; within one
// version fields are only added. Stored times and bytes are integers; figures per replay may have
// fractions. What is absent is null, never NaN. Nothing is shortened.

/// kvprof.calibration/1
[[nodiscard]] std::string calibration_json(const Calibration& calibration);
/// kvprof.listing/1
[[nodiscard]] std::string listing_json(const std::vector<ListingRow>& rows);

} // namespace kvprof::analyzers
