#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/write_loc.h"
#include "kernels/read_rules.h"

namespace kvprof::kernels::cuda {
namespace {

constexpr int kPerThread = kWriteLocItems / kWriteLocThreads;

__global__ void __launch_bounds__(kWriteLocThreads)
    write_loc_kernel(const __grid_constant__ WriteLocCall call) {
    const auto first = static_cast<std::int64_t>(blockIdx.x) * kWriteLocItems + threadIdx.x;
    std::int64_t ids[kPerThread];
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
        const auto i = first + k * kWriteLocThreads;
        ids[k] = i < smaller(call.count, call.out_count) ? write_location(call, call.loc[i]) : 0;
    }
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
        const auto i = first + k * kWriteLocThreads;
        if (i < call.out_count) {
            call.out[i] = ids[k];
        }
    }
}

} // namespace

cudaError_t launch(const WriteLocCall& call, cudaStream_t cuda_stream) {
    if (call.out_count <= 0) {
        return cudaSuccess;
    }
    const auto shape = write_loc_shape(call.out_count);
    write_loc_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

} // namespace kvprof::kernels::cuda
