#include "kernels/backend_rules.h"
#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/read_index.h"
#include "kernels/read_rules.h"

namespace kvprof::kernels::cuda {
namespace {

/// One block walks its lane's window 512 tokens at a time: value(position) goes to out[offset + p].
/// The time grows with the longest lane, on purpose: it is the geometry of the kernels modelled.
template<typename Call, typename Value>
__device__ void walk_window(const Call& call, std::int64_t readable, Value value) {
    const auto lane = static_cast<std::int64_t>(blockIdx.x);
    const std::int64_t offset = __ldg(call.indptr + lane);
    const auto length = load_index(call.lens, lane);
    const auto start = start_of(call.starts, lane);
    const auto count = live_tokens(length, start, readable, call.capacity - offset);
    for (std::int64_t base = threadIdx.x; base < count; base += kLaneThreads * kLaneItems) {
        std::int64_t ids[kLaneItems];
#pragma unroll
        for (int i = 0; i < kLaneItems; ++i) {
            ids[i] = value(start + smaller(base + i * kLaneThreads, count - 1));
        }
#pragma unroll
        for (int i = 0; i < kLaneItems; ++i) {
            const auto item = base + i * kLaneThreads;
            if (item < count) {
                store_index(call.out, offset + item, ids[i]);
            }
        }
    }
}

template<int PageSize>
__global__ void __launch_bounds__(kLaneThreads)
    repack_kernel(const __grid_constant__ RepackCall call, std::int64_t readable) {
    const std::int32_t* entries = call.table + blockIdx.x * call.stride;
    const std::int64_t page_size = PageSize > 0 ? PageSize : call.page_size;
    walk_window(call, readable, [&](std::int64_t position) {
        return token_id_in_page(__ldg(entries + position / page_size), position, page_size);
    });
}

template<bool kIsMapped>
__global__ void __launch_bounds__(kLaneThreads)
    static_gather_kernel(const __grid_constant__ StaticGatherCall call) {
    const std::int32_t* tokens =
        call.req_to_token + __ldg(call.rows + blockIdx.x) * call.req_columns;
    walk_window(call, call.req_columns, [&](std::int64_t position) {
        const std::int64_t token = __ldg(tokens + position);
        return kIsMapped ? mapped_token(call.full_to_swa, call.map_rows, token) : token;
    });
}

__global__ void __launch_bounds__(kBlockTableThreads)
    static_block_table_kernel(const __grid_constant__ StaticBlockTableCall call, std::int64_t cap) {
    const auto lane = static_cast<std::int64_t>(blockIdx.y);
    const auto block_columns = block_table_columns(call.page_size);
    const auto first = blockIdx.x * block_columns;
    const auto live = live_columns(load_index(call.lens, lane), call.page_size, cap);
    const auto end = smaller(live, first + block_columns);
    const std::int32_t* tokens = call.req_to_token + call.rows[lane] * call.req_columns;
    for (auto column = first + threadIdx.x; column < end; column += kBlockTableThreads) {
        const auto page = static_page(
            call.full_to_swa, call.map_rows, __ldg(tokens + column * call.page_size), call.page_size
        );
        call.out[lane * call.stride + column] = static_cast<std::int32_t>(page);
    }
}

} // namespace

cudaError_t launch(const RepackCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0 || call.capacity <= 0) {
        return cudaSuccess;
    }
    return with_page_size(call.page_size, [&](auto page_size) {
        repack_kernel<decltype(page_size)::value>
            <<<static_cast<unsigned>(call.batch), kLaneThreads, 0, cuda_stream>>>(
                call, readable_tokens(call)
            );
        return cudaGetLastError();
    });
}

cudaError_t launch(const StaticGatherCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0 || call.capacity <= 0) {
        return cudaSuccess;
    }
    const auto blocks = static_cast<unsigned>(call.batch);
    if (call.full_to_swa.data == nullptr) {
        static_gather_kernel<false><<<blocks, kLaneThreads, 0, cuda_stream>>>(call);
    } else {
        static_gather_kernel<true><<<blocks, kLaneThreads, 0, cuda_stream>>>(call);
    }
    return cudaGetLastError();
}

cudaError_t launch(const StaticBlockTableCall& call, cudaStream_t cuda_stream) {
    const auto cap = column_cap(call);
    if (call.batch <= 0 || cap <= 0) {
        return cudaSuccess;
    }
    const auto shape = block_table_shape(call.batch, cap, call.page_size);
    static_block_table_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call, cap);
    return cudaGetLastError();
}

} // namespace kvprof::kernels::cuda
