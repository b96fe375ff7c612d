#pragma once

#include "analyzers/series_list.h"
#include "capture/model/run.h"

namespace kvprof::analyzers {

/// The figures of an imported run: sums over its ranks, spans of its longest rank, calls by name,
/// and a value a step of what steps have. Nothing for a run of this program's own.
void add_profile_metrics(const Run& run, SeriesList& list);

} // namespace kvprof::analyzers
