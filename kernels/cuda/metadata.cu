#include "kernels/cuda/block_scan.cuh"
#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/items.cuh"
#include "kernels/cuda/metadata.h"
#include "kernels/cuda/programmatic_launch.cuh"
#include "kernels/read_rules.h"

namespace kvprof::kernels::cuda {
namespace {

__global__ void indptr_kernel(const __grid_constant__ IndptrCall call) {
    wait_for_previous();
    let_next_start();
    scan_lengths(call.batch, call.out, [&](std::int64_t lane) {
        return load_index(call.lens, lane);
    });
}

__global__ void __launch_bounds__(kItemThreads)
    append_kernel(const __grid_constant__ AppendCall call) {
    const auto lane = item_index();
    if (lane >= call.batch) {
        return;
    }
    const auto row = call.rows[lane];
    const auto position = call.lens[lane] - 1;
    if (position >= 0 && position < call.req_columns) {
        call.req_to_token[row * call.req_columns + position] =
            static_cast<std::int32_t>(call.ids[lane]);
    }
}

__global__ void __launch_bounds__(kItemThreads)
    kv_splits_kernel(const __grid_constant__ KvSplitsCall call) {
    const auto lane = item_index();
    if (lane < call.batch) {
        call.out[lane] = splits_of(call, load_index(call.lens, lane));
    }
}

__global__ void delay_kernel(std::int64_t nanoseconds) {
    std::uint64_t start = 0;
    std::uint64_t now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < static_cast<std::uint64_t>(nanoseconds));
}

} // namespace

cudaError_t launch(const IndptrCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    const EarlyLaunch how{indptr_shape(call.batch), call.starts_early};
    return launch_early(indptr_kernel, how, cuda_stream, call);
}

cudaError_t launch(const AppendCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    const auto shape = item_shape(call.batch);
    append_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const KvSplitsCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    const auto shape = item_shape(call.batch);
    kv_splits_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const DelayCall& call, cudaStream_t cuda_stream) {
    delay_kernel<<<1, 1, 0, cuda_stream>>>(call.nanoseconds);
    return cudaGetLastError();
}

} // namespace kvprof::kernels::cuda
