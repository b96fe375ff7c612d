#pragma once

#include "capture/activity/attribution.h"
#include "capture/activity/join.h"
#include "capture/activity/kernel_table.h"
#include "capture/activity/step_spans.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kvprof::activity {

/// Record indices grouped by step: of step s, order[begin[s]] to order[begin[s + 1]].
struct RecordsByStep {
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> begin;
};

/// @param step_of by record; kNoIndex of a record that belongs to no step
[[nodiscard]] RecordsByStep
group_by_step(const std::vector<std::uint32_t>& step_of, std::size_t steps);

/// Reads a recording that passed the census, step by step.
class StepReader {
  public:
    /// All of them must outlive the reader.
    StepReader(const Recording& recording, const StepsRun& how, Attribution& attribution);

    /// Fills kernels, op samples, steps, recorded and events. Each step has a record.
    void read(const RecordsByStep& grouped, Joined& joined);

  private:
    /// Items of a step, sorted by start; they live until the next call.
    std::span<const StepItem> load(const RecordsByStep& grouped, std::size_t step);
    void add_kernels(std::span<const StepItem> items, std::size_t step);
    [[nodiscard]] std::optional<std::int64_t> live_blocks(const Record& record, std::size_t step);
    void add_events(const RecordsByStep& grouped, std::vector<KernelEvent>& events);

    const Recording& recording_;
    const StepsRun& how_;
    Attribution& attribution_;
    KernelTable kernels_;
    std::vector<StepItem> items_;
    std::vector<StepSpan> times_;
};

} // namespace kvprof::activity
