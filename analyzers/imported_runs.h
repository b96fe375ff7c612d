#pragma once

#include "capture/model/run.h"

#include <algorithm>
#include <vector>

namespace kvprof::analyzers {

/// Whether the run is of another program's profile.
[[nodiscard]] inline bool is_imported(const Run& run) {
    return run.profile.has_value();
}

/// Whether the run is of a part of a broken profile.
[[nodiscard]] inline bool is_partial(const Run& run) {
    return is_imported(run) && run.profile->is_partial;
}

/// Whether there are runs, and all of them were imported.
[[nodiscard]] inline bool are_imported(const std::vector<Run>& runs) {
    return !runs.empty() && std::all_of(runs.begin(), runs.end(), is_imported);
}

} // namespace kvprof::analyzers
