#include "capture/host/host_memory.h"

#include "capture/host_facts.h"
#include "capture/model/error.h"
#include "capture/workload/checked_region.h"

#include <fmt/format.h>

#include <cstring>

namespace kvprof::host {

namespace {

[[noreturn]] void refuse(const workload::BufferSpec& buffer) {
    throw UnavailableError(
        fmt::format(
            "could not allocate {}: {} asked, {} of memory available",
            buffer.name,
            format_bytes(Bytes{buffer.bytes()}),
            format_bytes(Bytes{host_facts().memory_available_bytes})
        ),
        "lower --batch, --seq-len, --pool-tokens or --max-context, or take a smaller --preset"
    );
}

} // namespace

HostMemory::HostMemory(std::span<const workload::BufferSpec> buffers) {
    for (const workload::BufferSpec& buffer : buffers) {
        void* const block = std::calloc(static_cast<std::size_t>(buffer.bytes()) + 16, 1);
        if (block == nullptr) {
            refuse(buffer);
        }
        blocks_.emplace_back(block);
        table_.set(buffer.id, block);
    }
}

void HostMemory::load(const workload::StepPlan& plan, const workload::InitialState& state) {
    for (const workload::BufferSpec& buffer : plan.buffers) {
        auto* const start = table_.at<std::byte>(buffer.id);
        const auto region = workload::checked_region(plan, buffer);
        if (start == nullptr || !region || !workload::is_poisoned(state, buffer)) {
            continue;
        }
        for (std::int64_t row = 0; row < region->rows; ++row) {
            std::memset(
                start + row * region->pitch_bytes,
                workload::kPoison,
                static_cast<std::size_t>(region->row_bytes)
            );
        }
    }
    for (const workload::InitialBuffer& given : state.buffers) {
        auto* const start = table_.at<std::byte>(given.id);
        const auto row_bytes = static_cast<std::size_t>(given.region.row_bytes);
        for (std::int64_t row = 0; row < given.region.rows && start != nullptr && row_bytes > 0;
             ++row) {
            std::memcpy(
                start + row * given.region.pitch_bytes,
                given.data.data() + row * given.region.row_bytes,
                row_bytes
            );
        }
    }
}

std::vector<std::byte>
HostMemory::read(workload::BufferId id, const workload::Region& region) const {
    const auto row_bytes = static_cast<std::size_t>(region.row_bytes);
    std::vector<std::byte> out(row_bytes * static_cast<std::size_t>(region.rows));
    const auto* const start = table_.at<std::byte>(id) + region.offset_bytes;
    for (std::int64_t row = 0; row < region.rows; ++row) {
        std::memcpy(
            out.data() + row * region.row_bytes, start + row * region.pitch_bytes, row_bytes
        );
    }
    return out;
}

} // namespace kvprof::host
