#include "kernels/cuda/allocator.h"
#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/items.cuh"
#include "kernels/cuda/programmatic_launch.cuh"
#include "kernels/id_math.h"
#include "kernels/index_access.h"
#include "kernels/read_rules.h"

namespace kvprof::kernels::cuda {
namespace {

/// A tombstone has no row in p2v, and a hole none in v2p: -1 would be written before the tables.
__device__ void
bind_page(const V2p& v2p, std::int64_t* p2v, std::int64_t vpage, std::int64_t ppage) {
    if (!has_row(vpage, v2p.rows) || ppage < 0) {
        return;
    }
    store_index({v2p.data, v2p.type}, vpage, ppage);
    p2v[ppage] = vpage;
}

__global__ void __launch_bounds__(kItemThreads)
    alloc_bind_kernel(const __grid_constant__ AllocBindCall call) {
    wait_for_previous();
    let_next_start();
    const auto i = item_index();
    if (i < call.count) {
        const auto ppage = call.start + i;
        bind_page(call.v2p, call.p2v, call.vpages[i], ppage);
        call.out[i] = ppage;
    }
}

__global__ void __launch_bounds__(kItemThreads) bind_kernel(const __grid_constant__ BindCall call) {
    wait_for_previous();
    let_next_start();
    const auto i = item_index();
    if (i < call.count) {
        bind_page(call.v2p, call.p2v, call.vpages[i], call.ppages[i]);
    }
}

__global__ void __launch_bounds__(kItemThreads)
    free_unbind_kernel(const __grid_constant__ FreeUnbindCall call) {
    wait_for_previous();
    let_next_start();
    const auto i = item_index();
    if (i >= call.count) {
        return;
    }
    const auto vpage = call.vpages[i];
    const auto ppage = physical_page(call.v2p, vpage);
    call.out[i] = ppage;
    if (ppage >= 0) { // an unbound page has no p2v entry: -1 would be written before the table
        store_index({call.v2p.data, call.v2p.type}, vpage, -1);
        call.p2v[ppage] = -1;
    }
}

/// Block b serves lane b: its place in the free list is the number of earlier lanes that open a
/// page, which every block counts for itself, so that no block waits for another.
__global__ void __launch_bounds__(kItemThreads)
    alloc_decode_kernel(const __grid_constant__ AllocDecodeCall call) {
    const auto lane = static_cast<std::int64_t>(blockIdx.x);
    if (!opens_page(call.lens[lane], call.page_size)) {
        if (threadIdx.x == 0) {
            call.out[lane] = call.last_loc[lane] + 1;
        }
        return;
    }
    std::int64_t opened = 0;
    for (std::int64_t base = 0; base < lane; base += kItemThreads) {
        const auto earlier = base + threadIdx.x;
        const bool opens = earlier < lane && opens_page(call.lens[earlier], call.page_size);
        opened += __syncthreads_count(opens ? 1 : 0);
    }
    if (threadIdx.x == 0) {
        call.out[lane] = call.free_pages[opened] * call.page_size;
    }
}

__global__ void __launch_bounds__(kZeroThreads)
    zero_pages_kernel(const __grid_constant__ ZeroPagesCall call) {
    const auto ppage = call.ppages[blockIdx.x];
    if (ppage < 0) {
        return;
    }
    auto* words = reinterpret_cast<std::uint64_t*>(call.buffer + ppage * call.page_bytes);
    const auto page_words = call.page_bytes / static_cast<std::int64_t>(sizeof(std::uint64_t));
    const auto first = static_cast<std::int64_t>(blockIdx.y) * kZeroWords + threadIdx.x;
#pragma unroll
    for (int k = 0; k < kZeroWords / kZeroThreads; ++k) {
        const auto word = first + k * kZeroThreads;
        if (word < page_words) {
            words[word] = 0;
        }
    }
}

} // namespace

cudaError_t launch(const AllocBindCall& call, cudaStream_t cuda_stream) {
    if (call.count <= 0) {
        return cudaSuccess;
    }
    const EarlyLaunch how{item_shape(call.count), call.starts_early};
    return launch_early(alloc_bind_kernel, how, cuda_stream, call);
}

cudaError_t launch(const BindCall& call, cudaStream_t cuda_stream) {
    if (call.count <= 0) {
        return cudaSuccess;
    }
    const EarlyLaunch how{item_shape(call.count), call.starts_early};
    return launch_early(bind_kernel, how, cuda_stream, call);
}

cudaError_t launch(const FreeUnbindCall& call, cudaStream_t cuda_stream) {
    if (call.count <= 0) {
        return cudaSuccess;
    }
    const EarlyLaunch how{item_shape(call.count), call.starts_early};
    return launch_early(free_unbind_kernel, how, cuda_stream, call);
}

cudaError_t launch(const AllocDecodeCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    const auto shape = alloc_decode_shape(call.batch);
    alloc_decode_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const ZeroPagesCall& call, cudaStream_t cuda_stream) {
    if (call.count <= 0 || call.page_bytes <= 0) {
        return cudaSuccess;
    }
    if (call.page_bytes % 8 != 0) {
        return cudaErrorInvalidValue;
    }
    const auto shape = zero_pages_shape(call.count, call.page_bytes);
    zero_pages_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

} // namespace kvprof::kernels::cuda
