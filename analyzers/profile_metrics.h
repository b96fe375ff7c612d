#pragma once

#include "analyzers/series_list.h"
#include "capture/model/run.h"

#include <cstdint>
#include <string_view>

namespace kvprof::analyzers {

/// A figure added up over the ranks of a profile; 0 where none has it.
[[nodiscard]] std::int64_t total_of(const Profile& profile, std::string_view figure);

/// The figures of an imported run: sums over its ranks, spans of its longest rank, calls by name,
/// and a value a step of what steps have. Nothing for a run of this program's own.
void add_profile_metrics(const Run& run, SeriesList& list);

} // namespace kvprof::analyzers
