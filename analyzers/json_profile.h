#pragma once

#include "analyzers/json_values.h"
#include "capture/model/profile.h"

namespace kvprof::analyzers {

/// One step of a rank.
[[nodiscard]] Json step_object(const ProfileStep& step);

/// The `profile` of kvprof.run/1. Figures are in the units of their metrics, times in ns.
[[nodiscard]] Json profile_object(const Profile& profile);

} // namespace kvprof::analyzers
