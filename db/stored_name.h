#pragma once

#include <string_view>

namespace kvprof::db {

/// @throws UsageError when the name of a tag could be taken for another kind of reference.
void require_tag_name(std::string_view name);

/// As require_tag_name(); a baseline's name has no slash either, for it is written after one.
void require_baseline_name(std::string_view name);

/// What a reference to a baseline starts with: "baseline/NAME".
inline constexpr std::string_view kBaselinePrefix = "baseline/";

} // namespace kvprof::db
