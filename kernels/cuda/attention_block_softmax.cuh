#pragma once

#include "kernels/cuda/attention_block_shape.cuh"
#include "kernels/cuda/attention_softmax.cuh"
#include "kernels/cuda/tensor_core.cuh"

/// The arithmetic of one tile of tokens by the warps of a block: scores, softmax, sums of V. A
/// barrier lies between each two.
namespace kvprof::kernels::cuda {

/// Writes this warp's part of the scores: its quarter of the dimensions, its half of the tokens.
template<typename Shape>
__device__ void score_tokens(
    BlockScores<Shape>& scores, const typename Shape::Query& query, const __nv_bfloat16* k
) {
    const int lane = threadIdx.x % kWarp;
    const int quarter = threadIdx.x / kWarp % kQuarters;
    const int half = threadIdx.x / kWarp / kQuarters * kBlockTokens / 2;
    const auto* row = k + (half + lane / 16 * 8 + lane % 8) * Shape::kKPitch
                      + quarter * Shape::kKSteps * 16 + lane / 8 % 2 * 8;
    float sums[Shape::kHeadTiles][2][4] = {};
#pragma unroll
    for (int step = 0; step < Shape::kKSteps; ++step) {
        std::uint32_t b[4];
        load_matrices(b, row + step * 16);
#pragma unroll
        for (int tile = 0; tile < Shape::kHeadTiles; ++tile) {
            multiply_add(sums[tile][0], query[tile][step], b[0], b[1]);
            multiply_add(sums[tile][1], query[tile][step], b[2], b[3]);
        }
    }
#pragma unroll
    for (int i = 0; i < Shape::kHeadTiles * 4; ++i) {
        const int head = i / 4 * kHeadTile + i / 2 % 2 * 8 + lane / 4;
        const float* pair = &sums[i / 4][i % 2][i / 2 % 2 * 2];
        float* out = &scores.parts[quarter][head][half + i % 2 * 8 + lane % 4 * 2];
        *reinterpret_cast<float2*>(out) = make_float2(pair[0], pair[1]);
    }
}

/// What one access moves.
template<typename T, int kCount>
struct alignas(sizeof(T) * kCount) Packed {
    T at[kCount];
};

/// Softmax of the heads of a block; kLanes neighbouring lanes hold a head.
template<typename Shape>
struct BlockSoftmax {
    static constexpr int kLanes = kBlockThreads / Shape::kHeads;
    static constexpr int kOwn = kBlockTokens / kLanes; ///< tokens of a lane: two or four

    RowState state;

    [[nodiscard]] __device__ static int head() { return static_cast<int>(threadIdx.x) / kLanes; }

    [[nodiscard]] __device__ static bool is_first_lane() { return threadIdx.x % kLanes == 0; }

    /// Turns scores into weights; those from `count` on have none.
    __device__ void add(BlockScores<Shape>& scores, int count, float scale) {
        const int first = static_cast<int>(threadIdx.x) % kLanes * kOwn;
        float own[kOwn] = {};
#pragma unroll
        for (int quarter = 0; quarter < kQuarters; ++quarter) {
            const auto part =
                *reinterpret_cast<const Packed<float, kOwn>*>(&scores.parts[quarter][head()][first]
                );
#pragma unroll
            for (int i = 0; i < kOwn; ++i) {
                own[i] += part.at[i];
            }
        }
        const float factor = scale * kLog2E;
        float newest = state.maximum;
#pragma unroll
        for (int i = 0; i < kOwn; ++i) {
            own[i] = first + i < count ? own[i] * factor : kMinusInfinity;
            newest = fmaxf(newest, own[i]);
        }
        const float kept = state.raise_to(largest_of<kLanes>(newest));
        if (is_first_lane()) {
            scores.kept[head()] = kept;
        }
        Packed<std::uint32_t, kOwn / 2> weights;
#pragma unroll
        for (int i = 0; i < kOwn; i += 2) {
            weights.at[i / 2] = state.add_pair(own[i], own[i + 1]);
        }
        *reinterpret_cast<Packed<std::uint32_t, kOwn / 2>*>(&scores.weights[head()][first]) =
            weights;
    }
};

/// The weighted sums of V: warp w has the strips of 16 columns at 16 * (w + 8i), of all heads.
template<typename Shape>
struct BlockSums {
    float sums[Shape::kVStrips][Shape::kHeadTiles][2][4] = {};

    /// sums = sums * kept + weights * V.
    __device__ void add(const BlockScores<Shape>& scores, const __nv_bfloat16* v, int pitch) {
        constexpr int kSteps = kBlockTokens / 16;
        const int lane = threadIdx.x % kWarp;
        std::uint32_t weights[Shape::kHeadTiles][kSteps][4];
#pragma unroll
        for (int tile = 0; tile < Shape::kHeadTiles; ++tile) {
            const float* kept = &scores.kept[tile * kHeadTile + lane / 4];
#pragma unroll
            for (int i = 0; i < Shape::kVStrips * 2; ++i) {
                rescale(sums[i / 2][tile][i % 2], kept[0], kept[8]);
            }
#pragma unroll
            for (int step = 0; step < kSteps; ++step) {
                load_matrices(
                    weights[tile][step],
                    &scores.weights[tile * kHeadTile + lane % 16][step * 16 + lane / 16 * 8]
                );
            }
        }
        const auto* row = v + lane % 16 * pitch + lane / 16 * 8 + column(0);
#pragma unroll
        for (int i = 0; i < Shape::kVStrips * kSteps; ++i) {
            const int strip = i / kSteps;
            const int step = i % kSteps;
            std::uint32_t b[4];
            load_matrices_transposed(b, row + step * 16 * pitch + column(strip) - column(0));
#pragma unroll
            for (int tile = 0; tile < Shape::kHeadTiles; ++tile) {
                multiply_add(sums[strip][tile][0], weights[tile][step], b[0], b[1]);
                multiply_add(sums[strip][tile][1], weights[tile][step], b[2], b[3]);
            }
        }
    }

    __device__ void write(BlockOutput<Shape>& out) const {
        const int lane = threadIdx.x % kWarp;
#pragma unroll
        for (int i = 0; i < Shape::kVStrips * Shape::kHeadTiles * 4; ++i) {
            const int strip = i / 4 / Shape::kHeadTiles;
            const int tile = i / 4 % Shape::kHeadTiles;
            const float* pair = &sums[strip][tile][i % 2][i / 2 % 2 * 2];
            const int head = tile * kHeadTile + i / 2 % 2 * 8 + lane / 4;
            float* to = &out.sums[head][column(strip) + i % 2 * 8 + lane % 4 * 2];
            *reinterpret_cast<float2*>(to) = make_float2(pair[0], pair[1]);
        }
    }

  private:
    /// First column of a strip.
    [[nodiscard]] __device__ static int column(int strip) {
        return (static_cast<int>(threadIdx.x) / kWarp + strip * kBlockWarps) * 16;
    }
};

} // namespace kvprof::kernels::cuda
