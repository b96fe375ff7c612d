#include "kernels/backend_rules.h"
#include "kernels/cuda/dcp.h"
#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/items.cuh"
#include "kernels/read_geometry.h"

namespace kvprof::kernels::cuda {
namespace {

constexpr auto kTuning = kGatherTuning;

__global__ void __launch_bounds__(kItemThreads)
    local_lens_kernel(const __grid_constant__ LocalLensCall call) {
    const auto lane = item_index();
    if (lane < call.batch) {
        const auto tokens = load_index(call.lens, lane) + call.delta;
        call.out[lane] = static_cast<std::int32_t>(local_length(tokens, call.dcp, call.rank));
    }
}

/// Lane blockIdx.x, part blockIdx.y of gridDim.y: passes lie a whole lane's blocks apart.
template<typename Id>
__global__ void __launch_bounds__(kTuning.threads)
    dcp_gather_kernel(const __grid_constant__ DcpGatherCall call) {
    const auto lane = static_cast<std::int64_t>(blockIdx.x);
    const auto start = start_of(call.starts, lane);
    if (start < 0) {
        return;
    }
    const auto first = first_position(start, call.dcp, call.rank);
    const auto count = local_tokens(call, lane, first);
    const auto dcp = static_cast<std::uint32_t>(call.dcp);
    const std::int32_t* tokens =
        call.req_to_token + __ldg(call.rows + lane) * call.req_columns + first;
    Id* out = static_cast<Id*>(call.out.data) + __ldg(call.indptr + lane);
    constexpr int kPass = kTuning.threads * kTuning.items;
    for (std::int64_t base = blockIdx.y * kPass + threadIdx.x; base < count;
         base += gridDim.y * kPass) {
        std::int32_t widened[kTuning.items];
#pragma unroll
        for (int i = 0; i < kTuning.items; ++i) {
            const auto k = smaller(base + i * kTuning.threads, count - 1);
            widened[i] = __ldg(tokens + k * dcp);
        }
#pragma unroll
        for (int i = 0; i < kTuning.items; ++i) {
            const auto k = base + i * kTuning.threads;
            const auto quotient = static_cast<Id>(static_cast<std::uint32_t>(widened[i]) / dcp);
            if (k < count) {
                out[k] = widened[i] < 0 ? Id{-1} : quotient;
            }
        }
    }
}

constexpr int kPerThread = kWriteLocItems / kWriteLocThreads;

/// Blocks stride over the stream: its length is on the device, the grid follows from its capacity.
template<int PageSize, typename Id>
__global__ void __launch_bounds__(kWriteLocThreads)
    stream_translate_kernel(const __grid_constant__ StreamTranslateCall call) {
    const auto count = stream_tokens(call);
    const std::int64_t page_size = PageSize > 0 ? PageSize : call.page_size;
    Id* ids = static_cast<Id*>(call.ids.data);
    const auto step = static_cast<std::int64_t>(gridDim.x) * kWriteLocItems;
    for (auto base = static_cast<std::int64_t>(blockIdx.x) * kWriteLocItems + threadIdx.x;
         base < count;
         base += step) {
        std::int64_t read[kPerThread];
#pragma unroll
        for (int k = 0; k < kPerThread; ++k) {
            read[k] = ids[smaller(base + k * kWriteLocThreads, count - 1)];
        }
#pragma unroll
        for (int k = 0; k < kPerThread; ++k) {
            const auto i = base + k * kWriteLocThreads;
            if (i < count) {
                ids[i] = static_cast<Id>(translated(call, page_size, read[k]));
            }
        }
    }
}

bool is_rank(std::int64_t dcp, std::int64_t rank) {
    return dcp >= 1 && dcp <= kMostColumns && rank >= 0 && rank < dcp;
}

} // namespace

cudaError_t launch(const LocalLensCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    if (!is_rank(call.dcp, call.rank)) {
        return cudaErrorInvalidValue;
    }
    const auto shape = item_shape(call.batch);
    local_lens_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const DcpGatherCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0 || call.capacity <= 0 || call.req_columns <= 0) {
        return cudaSuccess;
    }
    if (!is_rank(call.dcp, call.rank) || call.req_columns > kMostColumns) {
        return cudaErrorInvalidValue;
    }
    const auto shape = dcp_gather_shape(call);
    return with_index_type(call.out.type, [&](auto id) {
        dcp_gather_kernel<decltype(id)><<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
        return cudaGetLastError();
    });
}

cudaError_t launch(const StreamTranslateCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0 || call.capacity <= 0) {
        return cudaSuccess;
    }
    if (call.page_size < 1) {
        return cudaErrorInvalidValue;
    }
    const auto shape = stream_translate_shape(call.capacity);
    return with_page_size(call.page_size, [&](auto page_size) {
        return with_index_type(call.ids.type, [&](auto id) {
            stream_translate_kernel<decltype(page_size)::value, decltype(id)>
                <<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
            return cudaGetLastError();
        });
    });
}

} // namespace kvprof::kernels::cuda
