#pragma once

#include "analyzers/section.h"
#include "analyzers/tuning.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// "shipped", "flat, 256 threads, 4 items, 1,056 blocks, full edges".
[[nodiscard]] std::string choice_name(const LaunchChoice& choice);

/// "token-stream: 37 choices at 4 shapes; ...".
[[nodiscard]] std::string describe_tuning(const Tuning& tuning);

/// What each shape's best choice is and how far the shipped one is from it; the choice that is
/// never far from the best, with what is lost by it at each shape; and what has no time, with the
/// reason.
[[nodiscard]] std::vector<Section> tuning_sections(const Tuning& tuning);

/// Every choice with its time at each shape, the least largest regret first.
[[nodiscard]] Section tuning_choices(const Tuning& tuning);

} // namespace kvprof::analyzers
