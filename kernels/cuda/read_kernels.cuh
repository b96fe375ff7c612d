#pragma once

#include "kernels/cuda/read_forms.cuh"
#include "kernels/cuda/split_walk.cuh"
#include "kernels/cuda/tuned_launch.cuh"
#include "kernels/read_geometry.h"

/// The page table and the token stream with a grid from the batch.
namespace kvprof::kernels::cuda {

/// Lane blockIdx.x, part blockIdx.y of gridDim.y.
template<typename Walk, int PageSize, typename Physical>
__global__ void __launch_bounds__(Walk::kThreads, Walk::kBlocksOfSm)
    page_table_kernel(const __grid_constant__ TableForm<PageSize, Physical> table) {
    walk_batch<Walk>(table);
}

/// Lane blockIdx.x, part blockIdx.y of gridDim.y.
template<typename Walk, int PageSize, typename Physical, typename Id>
__global__ void __launch_bounds__(Walk::kThreads, Walk::kBlocksOfSm)
    token_stream_kernel(const __grid_constant__ StreamForm<PageSize, Physical, Id> stream) {
    walk_batch<Walk>(stream);
}

template<typename Walk, int PageSize>
cudaError_t launch_walk(const PageTableCall& call, cudaStream_t cuda_stream) {
    const auto how = walk_launch(call.tuning, page_table_shape(call), Walk::kSplit);
    return with_index_type(call.lanes.v2p.type, [&](auto physical) {
        using Physical = decltype(physical);
        return launch_early(
            page_table_kernel<Walk, PageSize, Physical>,
            how,
            cuda_stream,
            TableForm<PageSize, Physical>(call)
        );
    });
}

template<typename Walk, int PageSize>
cudaError_t launch_walk(const TokenStreamCall& call, cudaStream_t cuda_stream) {
    const auto how = walk_launch(call.tuning, token_stream_shape(call), Walk::kSplit);
    return with_index_type(call.lanes.v2p.type, [&](auto physical) {
        return with_index_type(call.out.type, [&](auto id) {
            using Physical = decltype(physical);
            using Id = decltype(id);
            return launch_early(
                token_stream_kernel<Walk, PageSize, Physical, Id>,
                how,
                cuda_stream,
                StreamForm<PageSize, Physical, Id>(call)
            );
        });
    });
}

/// The shipped walk, an instance for each usual page size.
template<typename Call>
cudaError_t launch_shipped(const Call& call, cudaStream_t cuda_stream) {
    return with_page_size(call.lanes.page_size, [&](auto page_size) {
        return launch_walk<ShippedWalk, decltype(page_size)::value>(call, cuda_stream);
    });
}

template<typename Call>
cudaError_t launch_other(const Call& call, cudaStream_t cuda_stream) {
    if (!is_supported(call.tuning)) {
        return cudaErrorInvalidValue;
    }
    const auto split = split_of(call.tuning, call.lanes.batch);
    return with_walk(call.tuning, split, [&](auto walk) {
        using Walk = decltype(walk);
        return call.lanes.page_size == 1 ? launch_walk<Walk, 1>(call, cuda_stream)
                                         : launch_walk<Walk, 0>(call, cuda_stream);
    });
}

template<typename Call>
[[nodiscard]] bool is_shipped(const Call& call) {
    return is_shipped(call.tuning, split_of(call.tuning, call.lanes.batch));
}

} // namespace kvprof::kernels::cuda
