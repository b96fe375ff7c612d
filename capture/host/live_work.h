#pragma once

#include "capture/activity/scope.h"
#include "capture/model/run.h"
#include "capture/workload/command.h"
#include "capture/workload/contents.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kvprof::host {

/// What every launch of a plan's steps has to do, from a host twin that runs two cycles of steps
/// without the KV pool: grids are baked when a graph is captured, lengths are what each step makes
/// them.
class LiveWork {
  public:
    /// @throws UnavailableError when the machine has too little memory for the twin.
    LiveWork(const workload::StepPlan& plan, const workload::InitialState& state);

    /// Blocks with work (kernels::live_blocks) of the launch `tag` in step `step`, any step after
    /// the first cycle; absent without a rule.
    [[nodiscard]] std::optional<std::int64_t>
    blocks(std::int64_t step, const activity::Tag& tag) const;

    /// Fills OpStat::least_bytes of the ops of one cycle, as workload::count_steps lists them.
    void add_least_bytes(std::vector<OpStat>& ops) const;

  private:
    struct Launch {
        OpKind op{};
        Stage stage{};
        Placement placement{};
        std::optional<std::int64_t> blocks;
        std::optional<std::int64_t> bytes;
    };

    using Launches = std::vector<Launch>;

    struct Step {
        Launches before; ///< what runs before the replay, by ordinal
        Launches captured;
    };

    [[nodiscard]] static Launch look(const workload::Command& command);
    [[nodiscard]] static Launches run_and_look(const workload::Commands& commands);

    std::vector<Step> cycle_;
};

} // namespace kvprof::host
