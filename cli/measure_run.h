#pragma once

#include "capture/experiment/spec_file.h"
#include "capture/model/error.h"
#include "capture/model/run.h"
#include "cli/exit_code.h"

#include <chrono>
#include <functional>
#include <string>

namespace kvprof::cli {

/// A run that has no figures, with the reason that its row shows. Of a pass beside the timing pass,
/// the reason becomes that pass's failure: the run only lacks its part.
[[nodiscard]] Run not_measured(
    const experiment::Assignment& assignment, RunState state, std::string reason, ExitCode code
);

/// The reason of a run or a pass that a signal ended.
inline constexpr const char* kStoppedBySignal = "stopped by a signal";

/// Does the assignment's pass in this process. What makes the timing pass impossible becomes the
/// run's status; what makes another one impossible, its PassResult's failure.
[[nodiscard]] Run measure_here(const experiment::Assignment& assignment);

/// The process of a run.
struct ChildSetup {
    std::string program;                  ///< the kvprof binary; empty: this one
    std::chrono::milliseconds timeout{0}; ///< 0: none
    std::function<void()> tick;           ///< called some ten times a second
};

/// Does the assignment's pass in a child process. A child that crashes, hangs or is
/// killed is reported as in `measure_here`; a signal that came for this process is passed on to it.
[[nodiscard]] Run
measure_in_child(const experiment::Assignment& assignment, const ChildSetup& setup);

} // namespace kvprof::cli
