#pragma once

#include "cli/commands.h"

#include <string>

namespace kvprof::cli {

/// An experiment that is gone on with instead of a new one.
struct Unfinished {
    bool is_wanted = false;
    std::string reference; ///< empty: the newest of its kind
};

/// Plans an experiment of `run.design.kind` whose runs are rows on their own, measures and stores
/// it, and prints it; with --dry-run prints the plan alone.
/// @throws UsageError when there is nothing to go on with, when that is of another kind, and when
/// it has another label or other options.
[[nodiscard]] ExitCode measure_rows(const RunOptions& run, const Unfinished& unfinished);

} // namespace kvprof::cli
