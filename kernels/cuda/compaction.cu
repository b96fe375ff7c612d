#include "kernels/cuda/compaction.h"
#include "kernels/cuda/dispatch.cuh"
#include "kernels/index_access.h"
#include "kernels/read_rules.h"

namespace kvprof::kernels::cuda {
namespace {

constexpr int kWords = kZeroWords / kZeroThreads;

/// This block's 2,048 words of an envelope; all loads are issued before the first store.
__device__ void
copy_words(std::uint8_t* target, const std::uint8_t* source, std::int64_t page_bytes) {
    const auto* from = reinterpret_cast<const std::uint64_t*>(source);
    auto* to = reinterpret_cast<std::uint64_t*>(target);
    const auto words = page_bytes / 8;
    const auto first = static_cast<std::int64_t>(blockIdx.y) * kZeroWords + threadIdx.x;
    std::uint64_t held[kWords];
#pragma unroll
    for (int k = 0; k < kWords; ++k) {
        const auto word = first + k * kZeroThreads;
        held[k] = word < words ? __ldcs(from + word) : 0;
    }
#pragma unroll
    for (int k = 0; k < kWords; ++k) {
        const auto word = first + k * kZeroThreads;
        if (word < words) {
            to[word] = held[k];
        }
    }
}

/// The blocks of a page read its p2v entries before they count themselves done, and the last one
/// done rewrites them: no block finds a move half made. The count lives in the target's own p2v
/// entry, which is -1 while the target is free.
__global__ void __launch_bounds__(kZeroThreads)
    compact_move_kernel(const __grid_constant__ CompactMoveCall call) {
    const auto from = call.from[blockIdx.x];
    const auto to = call.to[blockIdx.x];
    if (from < 0 || to < 0) {
        return;
    }
    __shared__ std::int64_t vpage;
    if (threadIdx.x == 0) {
        const auto target = static_cast<volatile std::int64_t*>(call.p2v)[to];
        vpage = target >= 0 ? -1 : static_cast<volatile std::int64_t*>(call.p2v)[from];
    }
    __syncthreads();
    if (!has_row(vpage, call.v2p.rows)) {
        return;
    }
    copy_words(
        call.buffer + to * call.page_bytes, call.buffer + from * call.page_bytes, call.page_bytes
    );
    if (threadIdx.x != 0) {
        return;
    }
    auto* count = reinterpret_cast<unsigned long long*>(call.p2v + to);
    const auto before = static_cast<std::int64_t>(atomicAdd(count, ~0ULL));
    if (before == -static_cast<std::int64_t>(gridDim.y)) {
        store_index({call.v2p.data, call.v2p.type}, vpage, to);
        call.p2v[to] = vpage;
        call.p2v[from] = -1;
    }
}

__global__ void __launch_bounds__(kZeroThreads)
    envelope_copy_kernel(const __grid_constant__ EnvelopeCopyCall call) {
    const auto index = call.pages[blockIdx.x];
    if (index < 0) {
        return;
    }
    std::uint8_t* page = call.buffer + index * call.page_bytes;
    std::uint8_t* staged = call.staging + blockIdx.x * call.page_bytes;
    copy_words(call.is_gather ? staged : page, call.is_gather ? page : staged, call.page_bytes);
}

bool is_aligned(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 8 == 0;
}

} // namespace

cudaError_t launch(const CompactMoveCall& call, cudaStream_t cuda_stream) {
    if (call.count <= 0 || call.page_bytes <= 0) {
        return cudaSuccess;
    }
    if (call.page_bytes % 8 != 0 || !is_aligned(call.buffer)) {
        return cudaErrorInvalidValue;
    }
    const auto shape = envelope_shape(call.count, call.page_bytes);
    compact_move_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const EnvelopeCopyCall& call, cudaStream_t cuda_stream) {
    if (call.count <= 0 || call.page_bytes <= 0) {
        return cudaSuccess;
    }
    if (call.page_bytes % 8 != 0 || !is_aligned(call.buffer) || !is_aligned(call.staging)) {
        return cudaErrorInvalidValue;
    }
    const auto shape = envelope_shape(call.count, call.page_bytes);
    envelope_copy_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

} // namespace kvprof::kernels::cuda
