#pragma once

#include "capture/executor.h"
#include "capture/scripted/script.h"

#include <memory>
#include <string>

namespace kvprof::scripted {

/// Plays times, events, conditions and failures from a file (see Script) over a host step: the
/// protocol of a run can be tested, and a child can be made to crash, without a device and without
/// waiting. Neither it nor --script stands in --help.
class ScriptedExecutor final : public Executor {
  public:
    /// An empty path plays 1 us per replay and no failure. Counts the run where the script has a
    /// `state`: an executor is one run. @throws UsageError as read_script does.
    explicit ScriptedExecutor(const std::string& path);

    [[nodiscard]] Environment environment() const override;
    [[nodiscard]] ReadDevice watcher() const override;
    void require_room(const workload::StepPlan& plan) const override;
    [[nodiscard]] std::unique_ptr<PreparedStep> prepare(
        const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
    ) override;
    [[nodiscard]] MemoryLife memory_life(
        const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
    ) override;

  private:
    std::shared_ptr<const Script> script_;
};

} // namespace kvprof::scripted
