#include "kernels/attention_math.h"
#include "kernels/cuda/attention.h"
#include "kernels/launch_geometry_attention.h"

#include <algorithm>
#include <limits>

namespace kvprof::kernels::cuda {
namespace {

constexpr int kCombineColumns = 64;
constexpr int kMostCombineGroups = 8;
constexpr int kColumnsPerThread = kMaxHeadDim / kCombineColumns;

/// One block per (lane, head); row y of the block sums every blockDim.y-th split.
__global__ void combine_kernel(AttentionCombineCall call) {
    __shared__ float weights[kMaxAttentionSplits];
    __shared__ float group_sums[kMostCombineGroups][kMaxHeadDim];
    const int dim_v = static_cast<int>(call.heads.dim_v);
    const int splits = static_cast<int>(call.splits);
    const int width = static_cast<int>(partial_width(dim_v));
    const float* partials = call.partial + static_cast<std::int64_t>(blockIdx.x) * splits * width;
    const int thread = threadIdx.y * kCombineColumns + threadIdx.x;
    for (int split = thread; split < splits; split += kCombineColumns * blockDim.y) {
        weights[split] = partials[split * width + dim_v];
    }
    __syncthreads();
    float maximum = -std::numeric_limits<float>::infinity();
    for (int split = 0; split < splits; ++split) {
        maximum = fmaxf(maximum, weights[split]);
    }
    // Without a token the maximum is minus infinity, and every weight would be NaN.
    const bool is_empty = maximum == -std::numeric_limits<float>::infinity();
    float total = 0.0F;
    for (int split = 0; split < splits; ++split) {
        total += is_empty ? 0.0F : expf(weights[split] - maximum);
    }
    float sums[kColumnsPerThread] = {};
    for (int split = threadIdx.y; split < splits; split += blockDim.y) {
        const float weight = is_empty ? 0.0F : expf(weights[split] - maximum);
#pragma unroll
        for (int i = 0; i < kColumnsPerThread; ++i) {
            const int column = threadIdx.x + i * kCombineColumns;
            sums[i] += column < dim_v ? weight * partials[split * width + column] : 0.0F;
        }
    }
#pragma unroll
    for (int i = 0; i < kColumnsPerThread; ++i) {
        group_sums[threadIdx.y][threadIdx.x + i * kCombineColumns] = sums[i];
    }
    __syncthreads();
    for (int column = thread; column < dim_v; column += kCombineColumns * blockDim.y) {
        float sum = 0.0F;
        for (int group = 0; group < blockDim.y; ++group) {
            sum += group_sums[group][column];
        }
        call.out[static_cast<std::int64_t>(blockIdx.x) * dim_v + column] =
            total > 0.0F ? sum / total : 0.0F;
    }
}

} // namespace

cudaError_t launch(const AttentionCombineCall& call, cudaStream_t cuda_stream) {
    const auto rows = call.batch * call.heads.query_heads;
    if (rows <= 0) {
        return cudaSuccess;
    }
    if (call.splits <= 0 || call.splits > kMaxAttentionSplits || call.heads.dim_v > kMaxHeadDim) {
        return cudaErrorInvalidValue;
    }
    const auto groups = std::clamp<std::int64_t>(call.splits / 4, 1, kMostCombineGroups);
    const dim3 block(kCombineColumns, static_cast<unsigned>(groups));
    combine_kernel<<<static_cast<unsigned>(rows), block, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

} // namespace kvprof::kernels::cuda
