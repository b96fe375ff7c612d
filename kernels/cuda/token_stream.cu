#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/lane_walk.cuh"
#include "kernels/cuda/read_by_batch.h"
#include "kernels/cuda/read_index.h"

namespace kvprof::kernels::cuda {
namespace {

/// One position per thread, one pass; blocks past the live length exit at once.
template<int PageSize, typename Physical, typename Id>
__global__ void __launch_bounds__(kContextThreads)
    token_stream_ctx(const __grid_constant__ TokenStreamCall call, std::int64_t readable) {
    const auto lane = static_cast<std::int64_t>(blockIdx.y);
    const auto column = static_cast<std::int64_t>(blockIdx.x) * kContextThreads + threadIdx.x;
    const Window window = window_of(call, readable, lane);
    if (column >= smaller(window.live, call.context_columns)) {
        return;
    }
    const StreamWriter<PageSize, Physical, Id> writer{
        {call.lanes, __ldg(call.lanes.rows + lane)},
        static_cast<std::make_unsigned_t<Id>>(call.lanes.mult),
        window.start,
        static_cast<Id*>(call.out.data) + window.offset};
    const auto item = static_cast<int>(column);
    writer.store(item, writer.reader.physical_of(writer.token(item)));
}

template<int PageSize, typename Physical, typename Id>
cudaError_t launch_ctx(const TokenStreamCall& call, cudaStream_t cuda_stream) {
    const auto shape = context_shape(call.lanes.batch, call.context_columns);
    token_stream_ctx<PageSize, Physical, Id>
        <<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call, readable_tokens(call.lanes));
    return cudaGetLastError();
}

} // namespace

cudaError_t launch(const TokenStreamCall& call, cudaStream_t cuda_stream) {
    const bool by_context = call.grid == GridRule::ctx;
    if (call.lanes.batch <= 0 || call.capacity <= 0 || call.lanes.req_columns <= 0
        || (by_context && call.context_columns <= 0)) {
        return cudaSuccess;
    }
    if (!fits_narrow_ids(call.lanes)) {
        return cudaErrorInvalidValue;
    }
    if (!by_context) {
        return launch_by_batch(call, cuda_stream);
    }
    return with_index_type(call.lanes.v2p.type, [&](auto physical) {
        return with_index_type(call.out.type, [&](auto id) {
            using Physical = decltype(physical);
            using Id = decltype(id);
            return call.lanes.page_size == 1 ? launch_ctx<1, Physical, Id>(call, cuda_stream)
                                             : launch_ctx<0, Physical, Id>(call, cuda_stream);
        });
    });
}

} // namespace kvprof::kernels::cuda
