#pragma once

#include "analyzers/side.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// What a stored baseline must hold before one of its times is judged. Runs of one day share that
/// day's machine, so an occasion counts once, however many runs it has.
inline constexpr std::size_t kBaseOccasions = 5;
inline constexpr std::size_t kCandidateOccasions = 2;
inline constexpr std::size_t kRunsAnOccasion = 2;

/// The runs of a side by the occasion (UTC day and boot) at which they were measured.
struct Occasions {
    /// Indices into Side::runs, in time order; only occasions of kRunsAnOccasion runs and more, and
    /// only runs with the device facts that most runs of the side share.
    std::vector<std::vector<std::size_t>> runs;
    /// "stored-baseline: 3 occasions of 5 (a day or a boot with 2 runs each)" and what would decide
    /// it; empty when there are enough.
    std::string shortfall;

    friend bool operator==(const Occasions&, const Occasions&) = default;
};

/// @param role "base" or "candidate", for the words of the shortfall
[[nodiscard]] Occasions occasions_of(const Side& side, std::size_t needed, std::string_view role);

/// The median of each occasion. Occasions with fewer than kRunsAnOccasion values are left out.
/// @param by_run one for each of Side::runs; nothing where a run does not have the metric
[[nodiscard]] std::vector<double>
occasion_values(const Occasions& occasions, std::span<const std::optional<double>> by_run);

} // namespace kvprof::analyzers
