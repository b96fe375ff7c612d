#include "capture/cuda/device_memory.h"

#include "capture/block_cache.h"
#include "capture/cuda/cuda_check.h"
#include "capture/model/error.h"
#include "capture/workload/checked_region.h"

#include <fmt/format.h>

#include <optional>

namespace kvprof::cuda {

DeviceRoom device_room() {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes), "read free device memory");
    return {
        .free = {static_cast<std::int64_t>(free_bytes)},
        .total = {static_cast<std::int64_t>(total_bytes)},
    };
}

DeviceBlock allocate(std::string_view name, Bytes size) {
    void* address = nullptr;
    const auto result = cudaMalloc(&address, static_cast<std::size_t>(size.count) + 16);
    if (result == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError()); // the failure is reported here and is not sticky
        const DeviceRoom room = device_room();
        throw UnavailableError(
            fmt::format(
                "could not allocate {}: {} asked, {} of {} device memory free",
                name,
                format_bytes(size),
                format_bytes(room.free),
                format_bytes(room.total)
            ),
            "lower --batch, --seq-len, --pool-tokens or --max-context, or raise --tp"
        );
    }
    check(result, fmt::format("allocate {}", name));
    return DeviceBlock(address);
}

HeldBlock hold_block(std::int64_t mebibytes) {
    const Bytes size{mebibytes << 20};
    if (mebibytes == 0) {
        return {nullptr, size};
    }
    return {allocate(fmt::format("the block of --cached-block {}", mebibytes), size), size};
}

DeviceMemory::DeviceMemory(std::span<const workload::BufferSpec> buffers, const HeldBlock* cache) {
    BlockCache places(cache == nullptr ? Bytes{} : cache->size);
    for (const workload::BufferSpec& buffer : buffers) {
        const Bytes size{buffer.bytes()};
        std::optional<std::int64_t> place;
        if (cache != nullptr && buffer.group == workload::LedgerGroup::graph) {
            place = places.place(size);
        }
        if (place) {
            table_.set(buffer.id, static_cast<std::byte*>(cache->memory.get()) + *place);
            from_cache_ += size;
        } else {
            blocks_.push_back(allocate(buffer.name, size));
            table_.set(buffer.id, blocks_.back().get());
        }
    }
}

void DeviceMemory::load(const workload::StepPlan& plan, const workload::InitialState& state) {
    for (const workload::BufferSpec& buffer : plan.buffers) {
        auto* const start = table_.at<std::byte>(buffer.id);
        check(
            cudaMemset(start, 0, static_cast<std::size_t>(buffer.bytes())),
            fmt::format("zero {}", buffer.name)
        );
        const auto region = workload::checked_region(plan, buffer);
        if (region && workload::is_poisoned(state, buffer)) {
            check(
                cudaMemset2D(
                    start,
                    static_cast<std::size_t>(region->pitch_bytes),
                    workload::kPoison,
                    static_cast<std::size_t>(region->row_bytes),
                    static_cast<std::size_t>(region->rows)
                ),
                fmt::format("poison {}", buffer.name)
            );
        }
    }
    for (const workload::InitialBuffer& given : state.buffers) {
        if (given.data.empty()) {
            continue;
        }
        const auto row_bytes = static_cast<std::size_t>(given.region.row_bytes);
        check(
            cudaMemcpy2D(
                table_.at<std::byte>(given.id),
                static_cast<std::size_t>(given.region.pitch_bytes),
                given.data.data(),
                row_bytes,
                row_bytes,
                static_cast<std::size_t>(given.region.rows),
                cudaMemcpyHostToDevice
            ),
            "upload the initial state"
        );
    }
    // Steps run on a stream of their own, which does not wait for the default one.
    check(cudaDeviceSynchronize(), "load the initial state");
}

std::vector<std::byte>
DeviceMemory::read(workload::BufferId id, const workload::Region& region) const {
    const auto row_bytes = static_cast<std::size_t>(region.row_bytes);
    const std::size_t pitch =
        region.rows == 1 ? row_bytes : static_cast<std::size_t>(region.pitch_bytes);
    std::vector<std::byte> out(row_bytes * static_cast<std::size_t>(region.rows));
    check(
        cudaMemcpy2D(
            out.data(),
            row_bytes,
            table_.at<std::byte>(id) + region.offset_bytes,
            pitch,
            row_bytes,
            static_cast<std::size_t>(region.rows),
            cudaMemcpyDeviceToHost
        ),
        "read a buffer back"
    );
    return out;
}

} // namespace kvprof::cuda
