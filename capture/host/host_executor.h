#pragma once

#include "capture/executor.h"
#include "capture/host/host_recorder.h"

#include <memory>

namespace kvprof::host {

/// Runs steps with the host twins of the kernels: the same ops, ids, launch counts and bytes as on
/// a device; its times are host times (on the host's clock) and are never compared with a device's.
class HostExecutor final : public Executor {
  public:
    /// With a recorder, which must outlive the executor's steps, every command is recorded.
    explicit HostExecutor(HostRecorder* recorder = nullptr)
        : recorder_(recorder) {}

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
    HostRecorder* recorder_;
};

} // namespace kvprof::host
