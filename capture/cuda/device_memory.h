#pragma once

#include "capture/workload/contents.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
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

/// A block held from before a step exists, as a caching allocator holds memory freed to it.
struct HeldBlock {
    DeviceBlock memory;
    Bytes size;
};

/// The block of `--cached-block`; empty at 0. @throws UnavailableError
[[nodiscard]] HeldBlock hold_block(std::int64_t mebibytes);

/// A plan's buffers on the device.
class DeviceMemory {
  public:
    /// With `cache`, buffers of the group `graph` are placed in it (first fit) as long as they fit;
    /// it must outlive this object, and serve one at a time: each starts from the whole block.
    /// @throws UnavailableError naming the buffer that did not fit, and by how much.
    explicit DeviceMemory(
        std::span<const workload::BufferSpec> buffers, const HeldBlock* cache = nullptr
    );

    /// Zeroes everything, poisons the outputs and uploads the initial state.
    void load(const workload::StepPlan& plan, const workload::InitialState& state);

    [[nodiscard]] const workload::BufferTable& table() const { return table_; }

    /// Bytes of the buffers that the cache served; 0 without one.
    [[nodiscard]] Bytes from_cache() const { return from_cache_; }

    [[nodiscard]] std::vector<std::byte>
    read(workload::BufferId id, const workload::Region& region) const;

  private:
    std::vector<DeviceBlock> blocks_;
    workload::BufferTable table_;
    Bytes from_cache_;
};

} // namespace kvprof::cuda
