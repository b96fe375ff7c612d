#pragma once

#include "analyzers/series_list.h"
#include "capture/model/run.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace kvprof::analyzers {

/// A figure of one rank; absent where its profile does not give it.
[[nodiscard]] std::optional<std::int64_t>
figure_of(const ProfileRank& rank, std::string_view figure);

/// A figure added up over the ranks of a profile; 0 where none has it.
[[nodiscard]] std::int64_t total_of(const Profile& profile, std::string_view figure);

/// Steps of all ranks in the window of an imported run, kept and skipped.
[[nodiscard]] std::int64_t steps_in_window(const Run& run);

/// What a step of an imported run has on average. Skipped steps are left out.
struct KeptSteps {
    double launches = 0.0; ///< calls that launch a kernel or a graph
    double kernels = 0.0;
    bool is_all = true; ///< none was skipped
};

/// Nothing for a run of this program's own, and without steps.
[[nodiscard]] std::optional<KeptSteps> kept_steps(const Run& run);

/// The figures of an imported run: sums over its ranks, spans of its longest rank, calls by name,
/// and a value a step of what steps have. Nothing for a run of this program's own.
void add_profile_metrics(const Run& run, SeriesList& list);

} // namespace kvprof::analyzers
