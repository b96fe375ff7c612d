#pragma once

#include "analyzers/estimate.h"
#include "analyzers/step_parts.h"
#include "capture/model/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// One part of a step's time.
struct TimeLine {
    TimePart part{};
    std::optional<OpKind> op;           ///< of TimePart::op
    std::optional<Placement> placement; ///< of TimePart::op
    Estimate ns;                        ///< a step; the interval is of the mean
};

/// Where the time of a traced step goes: the parts add up to the step by the device's events.
struct TimeLedger {
    std::int64_t steps = 0;
    std::int64_t batches = 0;
    double records = 0.0; ///< a step
    std::vector<TimeLine> parts;
    Estimate traced; ///< ns a step, by events: the sum of the parts
    /// How far from zero `unexplained` may lie for reasons that are known: what the event clock can
    /// not resolve, the way from a batch's first event to its first record (at most a tail, which
    /// is the same way with the end of a step before it), and the spread over batches.
    double unexplained_limit = 0.0;
    /// Time of a batch before its first record and after its last one, as events saw it.
    double unexplained_per_batch = 0.0;
    std::optional<Estimate> untraced; ///< ns a step, of the timing pass
    /// Tracing makes gaps longer than this ledger may quote (overhead over kMostOverhead).
    bool has_long_gaps = false;
    std::vector<std::string> warnings;

    /// Traced over untraced step above which gaps belong to the tracer more than to the step.
    static constexpr double kMostOverhead = 1.3;

    [[nodiscard]] const TimeLine& unexplained() const { return parts.back(); }

    /// Whether `unexplained` is a finding about the measurement.
    [[nodiscard]] bool is_finding() const;
    /// ns a step that tracing adds: traced less untraced.
    [[nodiscard]] std::optional<double> tracing_cost() const;
    /// profiler_overhead: traced over untraced step.
    [[nodiscard]] std::optional<double> overhead() const;
};

/// Nothing when the run is not complete or has no nodes pass that counts. Durations are as traced:
/// tracing costs about the same for each record, so a common factor would shorten long kernels that
/// it did not lengthen. Steps that were timed apart have no line for tails.
[[nodiscard]] std::optional<TimeLedger> time_ledger(const Run& run);

/// "token-stream", "gaps between records".
[[nodiscard]] std::string name_of(const TimeLine& line);

} // namespace kvprof::analyzers
