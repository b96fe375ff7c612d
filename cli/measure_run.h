#pragma once

#include "capture/experiment/spec_file.h"
#include "capture/model/error.h"
#include "capture/model/run.h"
#include "cli/exit_code.h"

#include <chrono>
#include <functional>
#include <string>

namespace kvprof::cli {

/// A run that has no figures, with the reason that its row shows.
[[nodiscard]] Run not_measured(
    const experiment::Assignment& assignment, RunState state, std::string reason, ExitCode code
);

/// Measures in this process. What makes measuring impossible becomes the run's status.
[[nodiscard]] Run measure_here(const experiment::Assignment& assignment);

/// Measures in a child process of this program. A child that crashes, hangs or is killed becomes
/// the run's status; a signal that came for this process is passed on to it.
[[nodiscard]] Run measure_in_child(
    const experiment::Assignment& assignment,
    std::chrono::milliseconds timeout,
    const std::function<void()>& tick
);

} // namespace kvprof::cli
