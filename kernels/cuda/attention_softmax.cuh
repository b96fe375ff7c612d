#pragma once

#include "kernels/cuda/attention_tile.cuh"
#include "kernels/cuda/tensor_core.cuh"

#include <limits>

/// The arithmetic of one token tile: scores, online softmax and weighted sums of V, all by one warp
/// in fragments of a 16-row tensor-core tile.
namespace kvprof::kernels::cuda {

inline constexpr float kLog2E = 1.4426950408889634F;
inline constexpr float kLn2 = 0.6931471805599453F;
inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
inline constexpr int kKStep = 64; // four independent sums hide the latency of a tensor-core step
inline constexpr int kVStep = 16;

/// Writes this warp's 8 columns of the 16 x 32 scores, in units of log2.
__device__ inline void score_tokens(
    float* scores,
    const __nv_bfloat16* query,
    const __nv_bfloat16* k,
    const TilePlane& plane,
    float scale
) {
    const int warp = threadIdx.x / kWarp;
    const int lane = threadIdx.x % kWarp;
    const auto* query_row = query + lane % 16 * plane.pitch() + lane / 16 * 8;
    const auto* k_row = k + (warp * 8 + lane % 8) * plane.pitch() + lane / 8 * 8;
    float sums[4][4] = {};
    for (int dim = 0; dim < plane.padded; dim += kKStep) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            std::uint32_t b[4];
            load_matrices(b, k_row + dim + half * 32);
#pragma unroll
            for (int step = 0; step < 2; ++step) {
                std::uint32_t a[4];
                load_matrices(a, query_row + dim + half * 32 + step * 16);
                multiply_add(sums[half * 2 + step], a, b[step * 2], b[step * 2 + 1]);
            }
        }
    }
    float* out = scores + lane / 4 * kScorePitch + warp * 8 + lane % 4 * 2;
    const float factor = scale * kLog2E;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float sum = (sums[0][i] + sums[1][i]) + (sums[2][i] + sums[3][i]);
        out[i / 2 * 8 * kScorePitch + i % 2] = sum * factor;
    }
}

/// The running maximum and sum of one row (a head). Lanes 4r..4r+3 of every warp hold rows r and
/// r + 8, the maximum in common and the sum in parts.
struct RowState {
    float maximum = kMinusInfinity;
    float sum = 0.0F;

    /// Turns scores into weights, packed in pairs, and returns the factor for older sums. The sum
    /// takes the rounded weights, so that the result is a weighted mean of exactly what was read.
    __device__ float add(std::uint32_t (&weights)[kTokenTile / 8], const float* scores, int count) {
        float s[kTokenTile / 4];
        float newest = maximum;
#pragma unroll
        for (int i = 0; i < kTokenTile / 4; ++i) {
            const int column = i / 2 * 8 + threadIdx.x % 4 * 2 + i % 2;
            s[i] = column < count ? scores[column] : kMinusInfinity;
            newest = fmaxf(newest, s[i]);
        }
        newest = fmaxf(newest, __shfl_xor_sync(0xffffffffU, newest, 1));
        newest = fmaxf(newest, __shfl_xor_sync(0xffffffffU, newest, 2));
        const float kept = exp2f(maximum - newest);
        maximum = newest;
        sum *= kept;
#pragma unroll
        for (int i = 0; i < kTokenTile / 8; ++i) {
            const auto pair =
                __floats2bfloat162_rn(exp2f(s[2 * i] - newest), exp2f(s[2 * i + 1] - newest));
            sum += __low2float(pair) + __high2float(pair);
            weights[i] = *reinterpret_cast<const std::uint32_t*>(&pair);
        }
        return kept;
    }

    [[nodiscard]] __device__ float total() const {
        const float pair = sum + __shfl_xor_sync(0xffffffffU, sum, 1);
        return pair + __shfl_xor_sync(0xffffffffU, pair, 2);
    }
};

/// The weighted sums of V: warp w owns 16 columns at 16 * (w + 4i), for i < kPairs.
template<int kPairs>
struct Accumulators {
    float sums[kPairs][2][4] = {};

    __device__ void
    add(const __nv_bfloat16* v,
        int pitch,
        int padded,
        const std::uint32_t (&upper)[kTokenTile / 8],
        const std::uint32_t (&lower)[kTokenTile / 8],
        float upper_kept,
        float lower_kept) {
        const int lane = threadIdx.x % kWarp;
        const auto* row = v + lane % 16 * pitch + lane / 16 * 8;
#pragma unroll
        for (int i = 0; i < kPairs; ++i) {
            const int column = (threadIdx.x / kWarp + kAttentionWarps * i) * kVStep;
            if (column >= padded) {
                break;
            }
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                sums[i][half][0] *= upper_kept;
                sums[i][half][1] *= upper_kept;
                sums[i][half][2] *= lower_kept;
                sums[i][half][3] *= lower_kept;
            }
#pragma unroll
            for (int step = 0; step < kTokenTile / 16; ++step) {
                const std::uint32_t a[4] = {
                    upper[step * 2], lower[step * 2], upper[step * 2 + 1], lower[step * 2 + 1]};
                std::uint32_t b[4];
                load_matrices_transposed(b, row + step * 16 * pitch + column);
                multiply_add(sums[i][0], a, b[0], b[1]);
                multiply_add(sums[i][1], a, b[2], b[3]);
            }
        }
    }

    /// Writes the columns of one row times `scale`; `lower` picks the row 8 further down.
    __device__ void store(float* partial, int dim_v, bool lower, float scale) const {
#pragma unroll
        for (int i = 0; i < kPairs; ++i) {
            const int first = (threadIdx.x / kWarp + kAttentionWarps * i) * kVStep;
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const int column = first + j / 2 * 8 + threadIdx.x % 4 * 2 + j % 2;
                if (column < dim_v) {
                    const auto& part = sums[i][j / 2];
                    partial[column] = scale * (lower ? part[2 + j % 2] : part[j % 2]);
                }
            }
        }
    }
};

} // namespace kvprof::kernels::cuda
