#pragma once

#include "capture/model/run.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// What these runs did not measure or check: the last lines of every report.
[[nodiscard]] std::vector<std::string> limits_of(const std::vector<Run>& runs);

} // namespace kvprof::analyzers
