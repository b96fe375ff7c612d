#pragma once

#include "capture/device_watch.h"
#include "capture/memory_life.h"
#include "capture/model/run.h"
#include "capture/workload/contents.h"
#include "capture/workload/step_plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace kvprof {

/// A step that is ready to run: inputs, buffers and, on CUDA, a captured graph. Freed on
/// destruction.
class PreparedStep {
  public:
    PreparedStep() = default;
    PreparedStep(const PreparedStep&) = delete;
    PreparedStep& operator=(const PreparedStep&) = delete;
    virtual ~PreparedStep() = default;

    /// Runs `times` steps between two clock readings and waits for them.
    virtual Sample replay(std::int64_t times) = 0;
    /// Sets of buffers that replays cycle through (`--l2 loop`); 1 elsewhere.
    [[nodiscard]] virtual std::int64_t copies() const = 0;
    /// Copies the rows of a region of a buffer of one set densely into the result.
    [[nodiscard]] virtual std::vector<std::byte>
    read(workload::BufferId buffer, const workload::Region& region, std::int64_t copy) const = 0;
    /// Kernel nodes of the captured graph; on the host, the calls that would be captured.
    [[nodiscard]] virtual std::int64_t graph_nodes() const = 0;
    /// Device-free figures; the ledger comes from the plan. Empty where there is no device.
    [[nodiscard]] virtual std::vector<MemoryStat> memory() const = 0;
    /// Steps replayed since the step was prepared; numbers activity::Scope::step.
    [[nodiscard]] virtual std::int64_t steps_run() const = 0;
    /// Whether something that is no part of a step runs between two of them (L2 flush, restore).
    [[nodiscard]] virtual bool is_apart() const = 0;
    /// What issuing takes on the host, over `steps` steps with room in the launch queue; absent
    /// where the host is the device.
    [[nodiscard]] virtual std::optional<HostTimes> host_times(std::int64_t steps) = 0;
};

/// Where steps run: one device, or the host.
class Executor {
  public:
    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    /// Facts of the machine and the device, read now.
    [[nodiscard]] virtual Environment environment() const = 0;
    /// Looks at the device while a run measures; empty looks where there is nothing to watch.
    [[nodiscard]] virtual ReadDevice watcher() const = 0;
    /// Whether there is memory for the plan, before its inputs are generated.
    /// @throws UnavailableError with the bytes asked for and free.
    virtual void require_room(const workload::StepPlan& plan) const = 0;
    /// The plan must outlive the step. @throws UnavailableError when this machine can not hold or
    /// run the plan.
    [[nodiscard]] virtual std::unique_ptr<PreparedStep> prepare(
        const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
    ) = 0;
    /// Device memory over the life of the step's graph, CUPTI off and nothing else prepared.
    /// @throws UnavailableError where there is no graph or no room.
    [[nodiscard]] virtual MemoryLife memory_life(
        const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
    ) = 0;
};

} // namespace kvprof
