#pragma once

#include "analyzers/estimate.h"
#include "analyzers/side.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// One line of two ledgers of time, ns a step.
struct LedgerLine {
    std::string name; ///< "token-stream", "gaps between records"
    bool is_op = false;
    double base = 0.0;
    double candidate = 0.0;
    Estimate change; ///< candidate - base; the interval is Student's over runs (Welch), or over
                     ///< steps where a side has one traced run
};

/// What the step's change is made of: lines add up to `traced`, and `kernels` to its op lines.
struct LedgerDelta {
    std::vector<LedgerLine>
        lines; ///< ops by falling |change|, then overlap, gaps, tails, unexplained
    /// Sum of the op lines' changes. With five traced runs a side or more the interval is of the
    /// difference of the runs' means over 10,000 resamples (seed 42); with fewer, as the lines'.
    Estimate kernels;
    Estimate traced;                  ///< change of the traced step
    std::optional<Estimate> untraced; ///< change of the step without a tracer
    /// untraced - kernels: what tracing, gaps, overlap and the host leave to explain.
    std::optional<Estimate> rest;
    std::size_t base_runs = 0; ///< with a nodes pass
    std::size_t candidate_runs = 0;
    /// |rest| is beyond its interval and over a quarter of the step's change: a finding about the
    /// measurement, or time outside kernels.
    bool is_finding = false;
};

/// Nothing unless both sides have a run with a ledger.
[[nodiscard]] std::optional<LedgerDelta> ledger_delta(const Side& base, const Side& candidate);

} // namespace kvprof::analyzers
