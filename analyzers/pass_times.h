#pragma once

#include "analyzers/estimate.h"
#include "capture/model/run.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kvprof::analyzers {

/// The result of a pass whose figures count; null when it did not run or failed.
[[nodiscard]] const PassResult* measured_pass(const Run& run, Pass pass);

/// Nanoseconds of one step without a tracer: the median of the samples that were kept, each over
/// its replays. Nothing without such a sample.
[[nodiscard]] std::optional<Estimate> untraced_step(const Run& run);

/// The same of each run that has one.
[[nodiscard]] std::vector<Estimate> untraced_steps(const std::vector<Run>& runs);

/// Nanoseconds of one step of a traced pass by its device events: the mean over all steps. Nothing
/// when no batch was timed.
[[nodiscard]] std::optional<Estimate> traced_step(const PassResult& pass);

// The median over runs of one step's nanoseconds, without a tracer and in the nodes pass; 0: no run
// knows it.
[[nodiscard]] double median_untraced_step(const std::vector<Run>& runs);
[[nodiscard]] double median_traced_step(const std::vector<Run>& runs);

/// Steps in the timed batches of a traced pass.
[[nodiscard]] std::int64_t timed_steps(const PassResult& pass);

/// What observing cost one pass.
struct PassTime {
    Pass pass{};
    std::int64_t steps = 0; ///< timed
    std::int64_t batches = 0;
    Estimate step;                  ///< nanoseconds, with the tracer
    std::optional<double> overhead; ///< step over the untraced step; nothing without the latter
};

/// One entry for each traced pass that has timed batches and did not fail.
[[nodiscard]] std::vector<PassTime> pass_times(const Run& run);

} // namespace kvprof::analyzers
