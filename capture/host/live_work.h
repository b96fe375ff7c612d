#pragma once

#include "capture/activity/scope.h"
#include "capture/workload/contents.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kvprof::host {

/// Blocks with work of every launch of a plan's steps (kernels::live_blocks), from a host twin that
/// runs two cycles of steps without the KV pool: grids are baked when a graph is captured, lengths
/// are what each step makes them.
class LiveWork {
  public:
    LiveWork(const workload::StepPlan& plan, const workload::InitialState& state);

    /// Of the launch `tag` in step `step`, any step after the first cycle; absent without a rule.
    [[nodiscard]] std::optional<std::int64_t>
    blocks(std::int64_t step, const activity::Tag& tag) const;

  private:
    using Launches = std::vector<std::optional<std::int64_t>>;

    struct Step {
        Launches before; ///< what runs before the replay, by ordinal
        Launches captured;
    };

    std::vector<Step> cycle_;
};

} // namespace kvprof::host
