#pragma once

#include "analyzers/gate.h"
#include "capture/model/run.h"

#include <vector>

namespace kvprof::cli {

/// The worst code that the runs themselves give; one that a signal ended says nothing.
[[nodiscard]] ExitCode code_of_runs(const std::vector<Run>& runs);

/// A run that failed comes before what the complete ones say: the result takes its code, says so in
/// its line, and decides nothing. @param runs that were judged
void weigh_failures(analyzers::GateResult& result, const std::vector<Run>& runs);

/// Runs that stop at some moment may have stopped at a lucky one: a result of an experiment that
/// did not reach its end is inconclusive (unfinished).
void weigh_end(analyzers::GateResult& result, const Experiment& experiment);

} // namespace kvprof::cli
