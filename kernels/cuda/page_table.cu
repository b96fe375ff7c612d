#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/lane_walk.cuh"
#include "kernels/cuda/read_by_batch.h"
#include "kernels/cuda/read_index.h"

#include <algorithm>

namespace kvprof::kernels::cuda {
namespace {

/// One column per thread, one pass; blocks past the live length exit at once, unless they have a
/// tail to clear.
template<int PageSize, typename Physical>
__global__ void __launch_bounds__(kContextThreads)
    page_table_ctx(const __grid_constant__ PageTableCall call, std::int64_t cap) {
    const auto lane = static_cast<std::int64_t>(blockIdx.y);
    const auto column = static_cast<std::int64_t>(blockIdx.x) * kContextThreads + threadIdx.x;
    const std::int64_t page_size = PageSize > 0 ? PageSize : call.lanes.page_size;
    const auto live = live_columns(load_index(call.lanes.lens, lane), page_size, cap);
    if (call.zero_tail) {
        const auto step = static_cast<std::int64_t>(gridDim.x) * kContextThreads;
        for (auto tail = column; tail < call.width; tail += step) {
            if (tail >= live) {
                call.out[lane * call.stride + tail] = 0;
            }
        }
    }
    if (column >= live) {
        return;
    }
    const TableWriter<PageSize, Physical> writer{
        {call.lanes, __ldg(call.lanes.rows + lane)},
        static_cast<std::uint32_t>(call.lanes.mult),
        call.out + lane * call.stride};
    const auto item = static_cast<int>(column);
    writer.store(item, writer.reader.physical_of(writer.token(item)));
}

template<int PageSize, typename Physical>
cudaError_t launch_ctx(const PageTableCall& call, cudaStream_t cuda_stream) {
    const auto columns = std::max<std::int64_t>(call.context_columns, 1); // 1: for the tail
    const auto shape = context_shape(call.lanes.batch, columns);
    page_table_ctx<PageSize, Physical>
        <<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call, column_cap(call));
    return cudaGetLastError();
}

} // namespace

cudaError_t launch(const PageTableCall& call, cudaStream_t cuda_stream) {
    if (call.lanes.batch <= 0 || (call.zero_tail ? call.width : column_cap(call)) <= 0) {
        return cudaSuccess;
    }
    if (!fits_narrow_ids(call.lanes)) {
        return cudaErrorInvalidValue;
    }
    if (call.grid == GridRule::bs) {
        return launch_by_batch(call, cuda_stream);
    }
    // The launch of idle blocks is the cost here: one instance for ps > 1 is enough.
    return with_index_type(call.lanes.v2p.type, [&](auto physical) {
        return call.lanes.page_size == 1 ? launch_ctx<1, decltype(physical)>(call, cuda_stream)
                                         : launch_ctx<0, decltype(physical)>(call, cuda_stream);
    });
}

} // namespace kvprof::kernels::cuda
