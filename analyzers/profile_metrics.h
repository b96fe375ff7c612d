#pragma once

#include "analyzers/series_list.h"
#include "capture/model/run.h"

#include <optional>

namespace kvprof::analyzers {

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
