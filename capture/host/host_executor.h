#pragma once

#include "capture/executor.h"

#include <memory>

namespace kvprof::host {

/// Whether a host step holds the KV pool. Without it the model's ops are skipped: enough to be the
/// twin of a device step's ids, at a fraction of the memory.
enum class KvPool : std::uint8_t { held, left_out };

/// A step in host memory. @throws UnavailableError when the machine has too little of it.
[[nodiscard]] std::unique_ptr<PreparedStep>
prepare_host_step(const workload::StepPlan& plan, const workload::InitialState& state, KvPool kv);

/// Runs steps with the host twins of the kernels: the same ops, ids, launch counts and bytes as on
/// a device; its times are host times (on the host's clock) and are never compared with a device's.
class HostExecutor final : public Executor {
  public:
    [[nodiscard]] Environment environment() const override;
    void require_room(const workload::StepPlan& plan) const override;
    [[nodiscard]] std::unique_ptr<PreparedStep> prepare(
        const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
    ) override;
};

} // namespace kvprof::host
