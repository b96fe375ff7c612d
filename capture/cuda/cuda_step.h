#pragma once

#include "capture/cuda/device_memory.h"
#include "capture/cuda/graph.h"
#include "capture/cuda/replay_clock.h"
#include "capture/executor.h"
#include "capture/workload/step_program.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace kvprof::cuda {

/// Launches commands on a stream, in order, each under the tag of its op; an op's launches share an
/// NVTX range. @throws UnavailableError naming the kernel.
void issue(const workload::Commands& commands, const Stream& stream, Role role);

/// A step on the device: buffers, contents and a captured graph.
class CudaStep final : public PreparedStep {
  public:
    CudaStep(
        const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
    );

    Sample replay(std::int64_t times) override;
    [[nodiscard]] std::int64_t copies() const override;
    [[nodiscard]] std::vector<std::byte> read(
        workload::BufferId buffer, const workload::Region& region, std::int64_t copy
    ) const override;
    [[nodiscard]] std::int64_t graph_nodes() const override;
    [[nodiscard]] std::vector<MemoryStat> memory() const override;

    [[nodiscard]] std::int64_t steps_run() const override { return steps_run_; }

    [[nodiscard]] bool is_apart() const override;
    [[nodiscard]] std::optional<HostTimes> host_times(std::int64_t steps) override;

  private:
    /// One set of buffers and its graph. `--l2 loop` cycles through several.
    struct Copy {
        Copy(
            const workload::StepPlan& plan,
            const workload::InitialState& state,
            const HeldBlock* cache,
            const Stream& stream
        );

        DeviceMemory memory;
        workload::StepProgram program;
        Graph graph;
    };

    /// The set of buffers whose turn it is.
    [[nodiscard]] Copy& next_copy();
    void replay_once(Copy& copy);
    void launch(const Copy& copy);
    /// Occupies the device while the host issues the first step of a batch, so that the clock
    /// starts when the step can: on an idle device it would time the way to it.
    void keep_busy() const;
    void flush_l2();
    [[nodiscard]] std::int64_t copies_to_loop(const workload::StepPlan& plan) const;

    L2Mode l2_;
    HeldBlock cache_;
    Stream stream_;
    ReplayClock clock_;
    std::int64_t free_before_ = 0;
    std::int64_t free_after_ = 0;
    std::vector<std::unique_ptr<Copy>> copies_;
    std::size_t next_copy_ = 0;
    std::int64_t steps_run_ = 0;
    DeviceBlock flush_block_;
    std::int64_t flush_bytes_ = 0;
};

} // namespace kvprof::cuda
