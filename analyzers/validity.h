#pragma once

#include "analyzers/comparability.h"
#include "analyzers/side.h"

#include <string>
#include <utility>
#include <vector>

namespace kvprof::analyzers {

/// What disturbed the runs of two sides while their times were taken, one line each: conditions
/// that make a run void ("void-run"), and other processes on the device that came, went, changed or
/// differ between runs ("foreign-processes"). All warn: sampled rows are inconclusive.
[[nodiscard]] std::vector<Concern> disturbances(const Side& base, const Side& candidate);

/// Whether a run was disturbed while a traced or memory pass watched it.
[[nodiscard]] bool is_disturbed(const Side& side, Pass pass);

/// Whether a pass of some run lost what it should have recorded, or failed.
[[nodiscard]] bool has_capture_failure(const Side& side, Pass pass);

/// Whether another process held memory on the device during any run.
[[nodiscard]] bool has_tenant(const Side& side);

/// Runs that are kept although a condition speaks against them: "not steady: run 2 of the base".
[[nodiscard]] std::vector<std::string> kept_conditions(const Side& base, const Side& candidate);

/// Whether runs shared one process, and so its layout of memory: they say so themselves.
[[nodiscard]] bool shares_a_process(const Side& side);

/// Whether the power limit held the clocks of any run down.
[[nodiscard]] bool is_power_capped(const Side& side);

} // namespace kvprof::analyzers
