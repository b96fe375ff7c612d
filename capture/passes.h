#pragma once

#include "capture/model/measure_spec.h"
#include "capture/model/pass.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof {

/// The passes of one run, in the order of Pass; timing is always among them. `--passes auto`: all
/// that the executor has in a variant's first repeat, timing alone in the others (counts, grids and
/// bytes repeat exactly). The host executor makes no API calls and has no graph: it offers timing
/// and nodes.
/// @throws UsageError for a word that is no pass, or that the executor does not have.
[[nodiscard]] std::vector<Pass> passes_of(const MeasureSpec& how, std::int64_t repeat);

/// `--passes` as it is stored: in the order of Pass, each once, timing among them.
/// @throws UsageError as passes_of does.
[[nodiscard]] std::string canonical_passes(const MeasureSpec& how);

/// Whether the user named the passes: then one that fails fails the run.
[[nodiscard]] bool names_passes(const MeasureSpec& how);

} // namespace kvprof
