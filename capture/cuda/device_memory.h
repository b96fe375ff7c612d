#pragma once

#include "capture/workload/contents.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace kvprof::cuda {

struct DeviceFree {
    void operator()(void* address) const noexcept { cudaFree(address); }
};

using DeviceBlock = std::unique_ptr<void, DeviceFree>;

/// Memory of the current device as it says itself.
struct DeviceRoom {
    Bytes free;
    Bytes total;
};

[[nodiscard]] DeviceRoom device_room();

/// Plain cudaMalloc. @throws UnavailableError with the bytes asked for and free.
[[nodiscard]] DeviceBlock allocate(std::string_view name, Bytes size);

/// A plan's buffers on the device.
class DeviceMemory {
  public:
    /// @throws UnavailableError naming the buffer that did not fit, and by how much.
    explicit DeviceMemory(std::span<const workload::BufferSpec> buffers);

    /// Zeroes everything, poisons the outputs and uploads the initial state.
    void load(const workload::StepPlan& plan, const workload::InitialState& state);

    [[nodiscard]] const workload::BufferTable& table() const { return table_; }

    [[nodiscard]] std::vector<std::byte>
    read(workload::BufferId id, const workload::Region& region) const;

  private:
    std::vector<DeviceBlock> blocks_;
    workload::BufferTable table_;
};

} // namespace kvprof::cuda
