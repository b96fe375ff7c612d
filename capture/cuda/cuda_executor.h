#pragma once

#include "capture/executor.h"
#include "capture/nvml_api.h"

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

namespace kvprof::cuda {

/// Runs steps on one CUDA device. Creating it opens the device.
class CudaExecutor final : public Executor {
  public:
    /// @throws UnavailableError without a driver or such a device, with how many there are.
    explicit CudaExecutor(int device);

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
    cudaDeviceProp properties_{};
    std::string uuid_; ///< "GPU-..."
    /// Held so that whoever else opens NVML in this process finds it started; null without one.
    std::shared_ptr<const Nvml> nvml_;
    std::string nvml_version_; ///< "driver ...", or "not found: <why>"
};

} // namespace kvprof::cuda
