#pragma once

#include "capture/activity/attribution.h"
#include "capture/activity/join.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kvprof::activity {

/// A record of a step, ready to be timed. Nanoseconds of the recorder's clock.
struct StepItem {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t record = 0; ///< index into Recording::records
    OpSlot op = 0;
};

/// When a step ran and how its records filled that time.
struct StepSpan {
    std::uint64_t start = 0; ///< of the first record
    std::uint64_t end = 0;   ///< of the last record to end
    std::int64_t records = 0;
    std::chrono::nanoseconds busy_sum{0};
    std::chrono::nanoseconds busy_union{0};
};

/// @param items of one step, sorted by start; at least one
[[nodiscard]] StepSpan step_span(std::span<const StepItem> items);

/// The step records, each with its batch and tail.
[[nodiscard]] std::vector<StepRecord>
step_records(std::span<const StepSpan> steps, const StepsRun& how);

/// TracedBatch::recorded by batch.
[[nodiscard]] std::vector<std::optional<std::chrono::nanoseconds>>
recorded_of_batches(std::span<const StepSpan> steps, const StepsRun& how);

/// Batches of a run, the last one perhaps not full.
[[nodiscard]] std::size_t batch_count(const StepsRun& how);

/// Steps whose records are kept as events, ascending: the first, the last, the longest, then
/// evenly spread ones, `count` in all.
[[nodiscard]] std::vector<std::size_t>
steps_to_keep(std::span<const StepSpan> steps, std::int64_t count);

[[nodiscard]] constexpr std::chrono::nanoseconds between(std::uint64_t begin, std::uint64_t end) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(end - begin));
}

} // namespace kvprof::activity
