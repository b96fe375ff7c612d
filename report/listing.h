#pragma once

#include "analyzers/listing.h"

#include <string>
#include <vector>

namespace kvprof::report {

/// `kvprof ls`: one row an experiment.
[[nodiscard]] std::string listing_text(const std::vector<analyzers::ListingRow>& rows);

} // namespace kvprof::report
