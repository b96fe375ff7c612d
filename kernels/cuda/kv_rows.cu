#include "kernels/content.h"
#include "kernels/cuda/kv_rows.h"
#include "kernels/kv_layout.h"

#include <algorithm>

namespace kvprof::kernels::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kWarps = kThreads / kWarp;
constexpr int kPack = 8; // bf16 elements in a 16-byte store
constexpr std::int64_t kMostGridRows = 65535;
// A prefill keeps this many blocks busy over all lanes: 16 for each of an H200's 132 SMs, doubled
// so that one long lane in a big batch still gets its share.
constexpr std::int64_t kFillBlocks = 132 * 32;
constexpr std::int64_t kLeastFillBlocksPerLane = 16;

__device__ void write_plane(
    std::uint8_t* row, std::uint64_t key, std::int64_t plane, std::int64_t elements, bool is_packed
) {
    const int lane = threadIdx.x % kWarp;
    if (!is_packed) {
        auto* out = reinterpret_cast<std::uint16_t*>(row);
        for (std::int64_t element = lane; element < elements; element += kWarp) {
            out[element] = content_bf16(key, plane, element);
        }
        return;
    }
    for (std::int64_t first = lane * kPack; first < elements; first += kWarp * kPack) {
        std::uint32_t words[kPack / 2];
#pragma unroll
        for (int i = 0; i < kPack / 2; ++i) {
            const std::uint32_t low = content_bf16(key, plane, first + 2 * i);
            const std::uint32_t high = content_bf16(key, plane, first + 2 * i + 1);
            words[i] = low | (high << 16U);
        }
        reinterpret_cast<uint4*>(row)[first / kPack] = {words[0], words[1], words[2], words[3]};
    }
}

__device__ void write_row(
    const KvLayer& layer, const HeadShape& heads, std::int64_t id, std::uint64_t key, bool is_packed
) {
    const auto offset = row_offset(layer, id);
    write_plane(layer.k + offset, key, layer.plane, k_elements(heads), is_packed);
    write_plane(layer.v + offset, key, layer.plane + 1, v_elements(layer, heads), is_packed);
}

__global__ void __launch_bounds__(kThreads) kv_write_kernel(KvWriteCall call, bool is_packed) {
    const std::int64_t lane = static_cast<std::int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarp;
    if (lane < call.bucket) {
        const auto key = content_key(call.seed, call.owners[lane], call.lens[lane] - 1);
        write_row(call.layer, call.heads, call.write_loc[lane], key, is_packed);
    }
}

__global__ void __launch_bounds__(kThreads) kv_fill_kernel(KvFillCall call, bool is_packed) {
    const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * kWarps;
    const std::int64_t warp = static_cast<std::int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarp;
    for (std::int64_t lane = blockIdx.y; lane < call.lanes.batch; lane += gridDim.y) {
        const auto positions = fill_positions(call, lane);
        for (std::int64_t k = warp; k < positions; k += warps) {
            const auto position = fill_position(call, k);
            const auto id = fill_row(call, lane, position);
            if (id >= 0) {
                const auto key = fill_key(call, lane, position);
                write_row(call.layer, call.heads, id, key, is_packed);
            }
        }
    }
}

bool has_packed_rows(const KvLayer& layer, const HeadShape& heads) {
    const auto is_packed = [](std::int64_t bytes) { return bytes % (2 * kPack) == 0; };
    return is_packed(layer.row_bytes) && is_packed(layer.page_pitch)
           && k_elements(heads) % kPack == 0 && v_elements(layer, heads) % kPack == 0
           && is_packed(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(layer.k)))
           && is_packed(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(layer.v)));
}

} // namespace

cudaError_t launch(const KvWriteCall& call, cudaStream_t cuda_stream) {
    if (call.bucket <= 0) {
        return cudaSuccess;
    }
    const auto blocks = static_cast<unsigned>((call.bucket + kWarps - 1) / kWarps);
    const bool is_packed = has_packed_rows(call.layer, call.heads);
    kv_write_kernel<<<blocks, kThreads, 0, cuda_stream>>>(call, is_packed);
    return cudaGetLastError();
}

cudaError_t launch(const KvFillCall& call, cudaStream_t cuda_stream) {
    const auto batch = call.lanes.batch;
    if (batch <= 0 || call.lanes.req_columns <= 0) {
        return cudaSuccess;
    }
    const auto per_lane = std::max(kFillBlocks / batch, kLeastFillBlocksPerLane);
    const dim3 grid(
        static_cast<unsigned>(per_lane), static_cast<unsigned>(std::min(batch, kMostGridRows))
    );
    const bool is_packed = has_packed_rows(call.layer, call.heads);
    kv_fill_kernel<<<grid, kThreads, 0, cuda_stream>>>(call, is_packed);
    return cudaGetLastError();
}

} // namespace kvprof::kernels::cuda
