#pragma once

#include "capture/workload/step_plan.h"

#include <cstdint>
#include <string_view>

/// The buffers that the plan's backend allocates for graph capture, by its formulas.
namespace kvprof::workload {

/// KV splits that a backend with split-KV attention sizes its buffers by: S of the formulas.
inline constexpr std::int64_t kMostSplits = 8;

/// Ids that a stream must hold for `lanes` of them at most: any lane's context, or what the pool
/// holds at once, one token being written by each lane and drafts included (--stream-bound).
[[nodiscard]] std::int64_t bounded_ids(const StepPlan& plan, std::int64_t lanes);

/// A formula's bytes with the plan's sizes. @throws UsageError when they do not fit 62 bits.
[[nodiscard]] std::int64_t bytes_of(const StepPlan& plan, const ByteFormula& formula);

/// Whether each of the buffer's conditions holds.
[[nodiscard]] bool exists(const StepPlan& plan, const CaptureBuffer& buffer);

/// The backend's buffer of that name; null when it has none, or not in this plan.
[[nodiscard]] const CaptureBuffer* find_capture_buffer(const StepPlan& plan, std::string_view name);

} // namespace kvprof::workload
