#include "kernels/cuda/tensor_ops.h"
#include "kernels/cuda/warp_scan.cuh"
#include "kernels/index_access.h"
#include "kernels/tensor_math.h"

#include <algorithm>
#include <bit>

namespace kvprof::kernels::cuda {
namespace {

constexpr int kThreads = 256;
// Enough blocks to fill any device eight times; longer arrays stride.
constexpr std::int64_t kMostBlocks = 132 * 8 * 8;
constexpr std::int64_t kMostGridRows = 65535;
constexpr int kScanThreads = 1024;
constexpr int kScanWarps = kScanThreads / kWarp;

dim3 grid_1d(std::int64_t items) {
    return {static_cast<unsigned>(std::min((items + kThreads - 1) / kThreads, kMostBlocks))};
}

/// Blocks are as wide as the row needs and as tall as 256 threads allow.
struct Launch2d {
    dim3 grid;
    dim3 block;

    Launch2d(std::int64_t rows, std::int64_t cols) {
        const auto width = static_cast<std::int64_t>(
            std::bit_ceil(static_cast<std::uint64_t>(std::min<std::int64_t>(cols, kThreads)))
        );
        const std::int64_t height = kThreads / width;
        const auto row_blocks = std::min((rows + height - 1) / height, kMostGridRows);
        const auto col_blocks = std::min(
            (cols + width - 1) / width, std::max<std::int64_t>(1, kMostBlocks / row_blocks)
        );
        grid = {static_cast<unsigned>(col_blocks), static_cast<unsigned>(row_blocks)};
        block = {static_cast<unsigned>(width), static_cast<unsigned>(height)};
    }
};

__device__ std::int64_t first_item() {
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::int64_t item_stride() {
    return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

/// Calls body(row, col) once for every element of [rows, cols].
template<typename Body>
__device__ void for_each_element(std::int64_t rows, std::int64_t cols, Body body) {
    const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
    const std::int64_t row_stride = static_cast<std::int64_t>(gridDim.y) * blockDim.y;
    for (std::int64_t row = first_row; row < rows; row += row_stride) {
        for (std::int64_t col = first_item(); col < cols; col += item_stride()) {
            body(row, col);
        }
    }
}

__global__ void map_kernel(MapCall call) {
    for_each_element(call.rows, call.cols, [&](std::int64_t row, std::int64_t col) {
        map_store(call, row, col);
    });
}

__global__ void gather_kernel(GatherCall call) {
    for_each_element(call.rows, call.cols, [&](std::int64_t row, std::int64_t col) {
        const auto index = wrap_index(load_operand(call.index, row, col), call.table_rows);
        store_index(call.out, row * call.cols + col, load_index(call.table, index));
    });
}

__global__ void gather_2d_kernel(Gather2dCall call) {
    for_each_element(call.rows, call.cols, [&](std::int64_t row, std::int64_t col) {
        call.out[row * call.cols + col] =
            call.matrix[call.row_ids[row] * call.matrix_columns + col * call.column_step];
    });
}

__global__ void scatter_kernel(ScatterCall call) {
    for (auto i = first_item(); i < call.count; i += item_stride()) {
        const auto index = wrap_index(load_index(call.index, i), call.table_rows);
        const bool has_values = call.value.data != nullptr;
        store_index(call.table, index, has_values ? load_index(call.value, i) : call.scalar);
    }
}

__global__ void scatter_2d_kernel(Scatter2dCall call) {
    for (auto i = first_item(); i < call.count; i += item_stride()) {
        call.matrix[call.row_ids[i] * call.matrix_columns + call.column_ids[i]] =
            static_cast<std::int32_t>(call.value[i]);
    }
}

__global__ void __launch_bounds__(kScanThreads) cumsum_kernel(CumsumCall call) {
    __shared__ std::int64_t warp_totals[kScanWarps];
    const int warp = threadIdx.x / kWarp;
    const int lane = threadIdx.x % kWarp;
    std::int64_t carry = 0;
    for (std::int64_t base = 0; base < call.count; base += kScanThreads) {
        const std::int64_t i = base + threadIdx.x;
        const auto sum =
            warp_inclusive_sum(i < call.count ? load_index(call.in, i) : std::int64_t{0});
        if (lane == kWarp - 1) {
            warp_totals[warp] = sum;
        }
        __syncthreads();
        // Every warp scans the 32 totals for itself, which saves a barrier.
        const auto totals = warp_inclusive_sum(warp_totals[lane]);
        const auto before = __shfl_sync(kWholeWarp, totals, (warp + kWarp - 1) % kWarp);
        if (i < call.count) {
            store_index(call.out, i, carry + (warp == 0 ? 0 : before) + sum);
        }
        carry += __shfl_sync(kWholeWarp, totals, kWarp - 1);
        __syncthreads(); // the totals are overwritten by the next tile
    }
}

__global__ void concat_kernel(ConcatCall call) {
    const auto count = call.first_count + call.second_count;
    for (auto i = first_item(); i < count; i += item_stride()) {
        call.out[i] = i < call.first_count ? call.first[i] : call.second[i - call.first_count];
    }
}

} // namespace

cudaError_t launch(const MapCall& call, cudaStream_t cuda_stream) {
    if (call.rows <= 0 || call.cols <= 0) {
        return cudaSuccess;
    }
    const Launch2d shape(call.rows, call.cols);
    map_kernel<<<shape.grid, shape.block, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const GatherCall& call, cudaStream_t cuda_stream) {
    if (call.rows <= 0 || call.cols <= 0) {
        return cudaSuccess;
    }
    const Launch2d shape(call.rows, call.cols);
    gather_kernel<<<shape.grid, shape.block, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const Gather2dCall& call, cudaStream_t cuda_stream) {
    if (call.rows <= 0 || call.cols <= 0) {
        return cudaSuccess;
    }
    const Launch2d shape(call.rows, call.cols);
    gather_2d_kernel<<<shape.grid, shape.block, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const ScatterCall& call, cudaStream_t cuda_stream) {
    if (call.count <= 0) {
        return cudaSuccess;
    }
    scatter_kernel<<<grid_1d(call.count), kThreads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const Scatter2dCall& call, cudaStream_t cuda_stream) {
    if (call.count <= 0) {
        return cudaSuccess;
    }
    scatter_2d_kernel<<<grid_1d(call.count), kThreads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const CumsumCall& call, cudaStream_t cuda_stream) {
    if (call.count <= 0) {
        return cudaSuccess;
    }
    cumsum_kernel<<<1, kScanThreads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const ConcatCall& call, cudaStream_t cuda_stream) {
    const auto count = call.first_count + call.second_count;
    if (count <= 0) {
        return cudaSuccess;
    }
    concat_kernel<<<grid_1d(count), kThreads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

} // namespace kvprof::kernels::cuda
