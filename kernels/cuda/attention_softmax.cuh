#pragma once

#include "kernels/cuda/attention_tile.cuh"
#include "kernels/cuda/tensor_core.cuh"

/// The arithmetic that all ways of attention share: fragments of the query, and online
/// softmax in units of log2.
namespace kvprof::kernels::cuda {

/// Loads kSteps x 16 columns of 16 query rows as fragments.
template<int kSteps>
__device__ void
load_query(std::uint32_t (&query)[kSteps][4], const __nv_bfloat16* rows, int pitch) {
    const int lane = threadIdx.x % kWarp;
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
        load_matrices(query[step], rows + lane % 16 * pitch + step * 16 + lane / 16 * 8);
    }
}

/// Multiplies a fragment of sums: its upper and its lower 8 rows by one factor each.
__device__ inline void rescale(float (&sums)[4], float upper, float lower) {
    sums[0] *= upper;
    sums[1] *= upper;
    sums[2] *= lower;
    sums[3] *= lower;
}

/// The largest of kLanes neighbouring lanes, a power of two.
template<int kLanes>
__device__ float largest_of(float value) {
#pragma unroll
    for (int step = 1; step < kLanes; step *= 2) {
        value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, step));
    }
    return value;
}

/// The running maximum and sum of one row (a head), which neighbouring lanes hold: the maximum in
/// common and the sum in parts.
struct RowState {
    float maximum = kMinusInfinity;
    float sum = 0.0F;

    /// Takes the newest maximum, which is a number, and returns the factor for older sums.
    __device__ float raise_to(float newest) {
        const float kept = exp2f(maximum - newest);
        maximum = newest;
        sum *= kept;
        return kept;
    }

    /// Two scores as weights, packed. The sum takes the rounded weights, so that the result is a
    /// weighted mean of exactly what was read.
    __device__ std::uint32_t add_pair(float first, float second) {
        const auto pair = __floats2bfloat162_rn(exp2f(first - maximum), exp2f(second - maximum));
        sum += __low2float(pair) + __high2float(pair);
        return *reinterpret_cast<const std::uint32_t*>(&pair);
    }

    /// Over the kLanes that hold the row.
    template<int kLanes>
    [[nodiscard]] __device__ float total() const {
        float all = sum;
#pragma unroll
        for (int step = 1; step < kLanes; step *= 2) {
            all += __shfl_xor_sync(kAllLanes, all, step);
        }
        return all;
    }
};

/// Softmax of a warp on its own: lanes 4r .. 4r + 3 hold rows r and r + 8.
struct WarpSoftmax {
    RowState rows[2];
    std::uint32_t weights[4] = {}; ///< of the newest 16 tokens, as a fragment
    float kept[2] = {};            ///< factors for older sums

    /// Takes 16 scores; those from `count` on have no weight.
    __device__ void add(const float (&scores)[2][4], int count, float scale) {
        const float factor = scale * kLog2E;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float s[4];
            float newest = rows[half].maximum;
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int column = i / 2 * 8 + threadIdx.x % 4 * 2 + i % 2;
                s[i] = column < count ? scores[i / 2][half * 2 + i % 2] * factor : kMinusInfinity;
                newest = fmaxf(newest, s[i]);
            }
            kept[half] = rows[half].raise_to(largest_of<4>(newest));
            weights[half] = rows[half].add_pair(s[0], s[1]);
            weights[2 + half] = rows[half].add_pair(s[2], s[3]);
        }
    }
};

/// The factor that turns weighted sums into a mean; zero without weights.
__device__ inline float inverse(float total) {
    return total > 0.0F ? 1.0F / total : 0.0F;
}

/// The log of a sum of exponentials; minus infinity of none.
__device__ inline float log_sum(float maximum, float total) {
    return total > 0.0F ? maximum * kLn2 + logf(total) : kMinusInfinity;
}

} // namespace kvprof::kernels::cuda
