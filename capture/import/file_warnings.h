#pragma once

#include "capture/import/figures.h"
#include "capture/import/records.h"
#include "capture/model/profile.h"

#include <vector>

namespace kvprof::import {

/// What readers warned of, what was rejected, and what only the whole file shows; by word.
[[nodiscard]] std::vector<ProfileWarning>
file_warnings(const Recorded& recorded, const Figures& figures);

} // namespace kvprof::import
