#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/programmatic_launch.cuh"
#include "kernels/cuda/write_loc.h"
#include "kernels/read_rules.h"

namespace kvprof::kernels::cuda {
namespace {

constexpr int kPerThread = kWriteLocItems / kWriteLocThreads;

/// PageSize 0 and Dcp 0: known at run time only. A division by a number that is not known takes
/// more instructions than all the rest.
template<int PageSize, int Dcp>
__global__ void __launch_bounds__(kWriteLocThreads)
    write_loc_kernel(const __grid_constant__ WriteLocCall given) {
    WriteLocCall call = given;
    call.page_size = PageSize > 0 ? PageSize : given.page_size;
    call.dcp = Dcp > 0 ? Dcp : given.dcp;
    wait_for_previous();
    let_next_start();
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
    const EarlyLaunch how{write_loc_shape(call.out_count), call.starts_early};
    return with_page_size(call.page_size, [&](auto page_size) {
        constexpr int kPageSize = decltype(page_size)::value;
        return call.dcp == 1 ? launch_early(write_loc_kernel<kPageSize, 1>, how, cuda_stream, call)
                             : launch_early(write_loc_kernel<kPageSize, 0>, how, cuda_stream, call);
    });
}

} // namespace kvprof::kernels::cuda
