#pragma once

#include "capture/workload/contents.h"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

namespace kvprof::host {

/// A plan's buffers in host memory. Pages of a buffer that nothing touches cost no memory.
class HostMemory {
  public:
    /// @throws UnavailableError with the bytes asked for and free.
    explicit HostMemory(std::span<const workload::BufferSpec> buffers);

    /// Fills the buffers with the initial state and poisons the outputs.
    void load(const workload::StepPlan& plan, const workload::InitialState& state);

    [[nodiscard]] const workload::BufferTable& table() const { return table_; }

    [[nodiscard]] std::vector<std::byte>
    read(workload::BufferId id, const workload::Region& region) const;

  private:
    struct Free {
        void operator()(void* address) const noexcept { std::free(address); }
    };

    std::vector<std::unique_ptr<void, Free>> blocks_;
    workload::BufferTable table_;
};

} // namespace kvprof::host
