#pragma once

#include "capture/model/run.h"
#include "capture/workload/contents.h"
#include "capture/workload/step_plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
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
    /// Whether there is memory for the plan, before its inputs are generated.
    /// @throws UnavailableError with the bytes asked for and free.
    virtual void require_room(const workload::StepPlan& plan) const = 0;
    /// The plan must outlive the step. @throws UnavailableError when this machine can not hold or
    /// run the plan.
    [[nodiscard]] virtual std::unique_ptr<PreparedStep> prepare(
        const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
    ) = 0;
};

} // namespace kvprof
