#pragma once

#include "capture/workload/contents.h"
#include "capture/workload/step_plan.h"

#include <cstdint>
#include <optional>

namespace kvprof::workload {

/// The byte that fills outputs before a verified step: an element that no launch writes keeps it.
inline constexpr std::uint8_t kPoison = 0x5a;

/// What verification compares of an output buffer: all that the step may write and a guard behind
/// it. Nothing for buffers that are not outputs, and for what comes out of the KV pool: the
/// attention output, which is compared with an fp64 reference instead, and the words of the state
/// slots.
[[nodiscard]] std::optional<Region> checked_region(const StepPlan& plan, const BufferSpec& buffer);

/// Whether the buffer is poisoned: an output that the initial state does not fill.
[[nodiscard]] bool is_poisoned(const InitialState& state, const BufferSpec& buffer);

} // namespace kvprof::workload
