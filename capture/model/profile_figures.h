#pragma once

#include "capture/model/profile.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace kvprof {

/// A figure of one rank; absent where its profile does not give it.
[[nodiscard]] std::optional<std::int64_t>
figure_of(const ProfileRank& rank, std::string_view figure);

/// A figure added up over the ranks of a profile; 0 where none has it.
[[nodiscard]] std::int64_t total_of(const Profile& profile, std::string_view figure);

/// Steps of all ranks in the window of a profile, kept and skipped.
[[nodiscard]] std::int64_t steps_in_window(const Profile& profile);

} // namespace kvprof
