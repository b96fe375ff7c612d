#pragma once

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/attention_softmax.cuh"
#include "kernels/cuda/attention_tile.cuh"

/// Attention by warps: each is a block of its own, serves the query heads of one KV head over one
/// split of one lane, and waits for nobody. For narrow heads. Warps of neighbouring KV heads run at
/// the same time, so that a token's row leaves memory as a whole.
namespace kvprof::kernels::cuda {

/// kDimSteps steps of 16 elements hold a K head or a V head.
template<int kDimSteps>
struct WarpShape {
    static constexpr int kTokens = 16;
    static constexpr int kStages = 3;
    static constexpr int kColumns = kDimSteps * 16;
    static constexpr int kPitch = kColumns + kPack;
    static constexpr int kStageElements = 2 * kTokens * kPitch; ///< K, then V
    static constexpr int kSharedBytes = kStages * kStageElements * 2;
};

/// Starts copying tile `tile` of one head's K and V to `stage`; a part of a 16-byte copy is not.
template<int kDimSteps, typename Window>
__device__ void start_warp_tile(
    __nv_bfloat16* stage, const AttentionCall& call, int kv_head, const Window& window, int tile
) {
    using Shape = WarpShape<kDimSteps>;
    constexpr int kLanesPerRow = Shape::kColumns / kPack;
    const int pack = threadIdx.x % kLanesPerRow * kPack;
    const bool is_in_k = pack < call.heads.dim_k;
    const bool is_in_v = pack < call.heads.dim_v;
    const auto* k = call.layer.k + (kv_head * call.heads.dim_k + pack) * 2;
    const auto* v = call.layer.v + (kv_head * call.heads.dim_v + pack) * 2;
#pragma unroll
    for (int first = 0; first < Shape::kTokens; first += kWarp / kLanesPerRow) {
        const int row = first + static_cast<int>(threadIdx.x) / kLanesPerRow;
        const std::int64_t offset = window.row(tile, row) * call.layer.row_bytes;
        auto* out = stage + row * Shape::kPitch + pack;
        if (is_in_k) {
            copy_async_16(out, k + offset);
        }
        if (is_in_v) {
            copy_async_16(out + Shape::kTokens * Shape::kPitch, v + offset);
        }
    }
}

/// Scores of 16 tokens, not yet scaled: two columns of 8 in fragments.
template<int kDimSteps>
__device__ void score_warp_tile(
    float (&scores)[2][4], const std::uint32_t (&query)[kDimSteps][4], const __nv_bfloat16* k
) {
    const int lane = threadIdx.x;
    const auto* row =
        k + (lane / 16 * 8 + lane % 8) * WarpShape<kDimSteps>::kPitch + lane / 8 % 2 * 8;
    float odd[2][4] = {}; // a second set of sums hides the latency of a tensor-core step
#pragma unroll
    for (int step = 0; step < kDimSteps; ++step) {
        std::uint32_t b[4];
        load_matrices(b, row + step * 16);
        auto& sums = step % 2 == 0 ? scores : odd;
        multiply_add(sums[0], query[step], b[0], b[1]);
        multiply_add(sums[1], query[step], b[2], b[3]);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        scores[0][i] += odd[0][i];
        scores[1][i] += odd[1][i];
    }
}

/// sums = sums * kept + weights * V, for the newest 16 tokens.
template<int kDimSteps>
__device__ void
sum_warp_tile(float (&sums)[kDimSteps][2][4], const WarpSoftmax& softmax, const __nv_bfloat16* v) {
    const auto* row = v + threadIdx.x % 16 * WarpShape<kDimSteps>::kPitch + threadIdx.x / 16 * 8;
#pragma unroll
    for (int step = 0; step < kDimSteps; ++step) {
        std::uint32_t b[4];
        load_matrices_transposed(b, row + step * 16);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            rescale(sums[step][half], softmax.kept[0], softmax.kept[1]);
            multiply_add(sums[step][half], softmax.weights, b[half * 2], b[half * 2 + 1]);
        }
    }
}

/// Writes the partials of the tile's heads, of which this lane has columns of two.
template<int kDimSteps>
__device__ void store_warp_partials(
    const AttentionCall& call,
    const HeadTile& tile,
    const WarpSoftmax& softmax,
    const float (&sums)[kDimSteps][2][4]
) {
    const int lane = threadIdx.x;
    const auto dim_v = static_cast<int>(call.heads.dim_v);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const float total = softmax.rows[half].total<4>(); // every lane takes part
        const int row = lane / 4 + half * 8;
        if (row >= tile.heads) {
            continue;
        }
        float* partial = partial_of(call, tile, row);
#pragma unroll
        for (int i = 0; i < kDimSteps * 4; ++i) {
            const int column = i / 2 * 8 + lane % 4 * 2 + i % 2;
            if (column < dim_v) {
                partial[column] = sums[i / 4][i / 2 % 2][half * 2 + i % 2] * inverse(total);
            }
        }
        if (lane % 4 == 0) {
            partial[dim_v] = log_sum(softmax.rows[half].maximum, total);
        }
    }
}

template<int kDimSteps>
__global__ void __launch_bounds__(kWarp) attention_by_warps(
    const __grid_constant__ AttentionCall call, const __grid_constant__ RowGrid grid
) {
    using Shape = WarpShape<kDimSteps>;
    extern __shared__ __align__(16) __nv_bfloat16 stages[];
    const HeadTile heads = head_tile(call.heads, kHeadTile, blockIdx.x);
    const std::int64_t owner = call.owners[blockIdx.z]; // long before it is wanted
    const auto range = attended_range(call, blockIdx.z, blockIdx.y);
    const int tiles = (range.end - range.begin + Shape::kTokens - 1) / Shape::kTokens;
    WarpSoftmax softmax;
    float sums[kDimSteps][2][4] = {};
    if (tiles > 0) {
        RowWindow<Shape::kTokens, Shape::kTokens> window(call, grid, range, range.begin);
        const auto start = [&](int tile, int slot) {
            window.enter(tile);
            if (tile < tiles) {
                start_warp_tile<kDimSteps>(
                    stages + slot * Shape::kStageElements, call, heads.kv_head, window, tile
                );
            }
            end_copy_group();
        };
        const auto dim_k = static_cast<int>(call.heads.dim_k);
        clear_padding<Shape::kColumns>(
            stages, Shape::kSharedBytes / 2 / Shape::kPitch, dim_k, 0, 1
        );
        __syncwarp(); // what is cleared may be what another lane copies
#pragma unroll
        for (int tile = 0; tile < Shape::kStages - 1; ++tile) {
            start(tile, tile);
        }
        // The last stage is still empty: the query goes through it, to registers.
        auto* query_rows = stages + (Shape::kStages - 1) * Shape::kStageElements;
        build_query<kHeadTile, Shape::kColumns>(query_rows, call, heads, owner, 1);
        __syncwarp();
        std::uint32_t query[kDimSteps][4];
        load_query(query, query_rows, Shape::kPitch);
        int slot = 0;
        int free_slot = Shape::kStages - 1;
        for (int tile = 0; tile < tiles; ++tile) {
            __syncwarp(); // nobody reads the free slot any more
            start(tile + Shape::kStages - 1, free_slot);
            wait_for_copy_groups<Shape::kStages - 1>();
            __syncwarp();
            const auto* k = stages + slot * Shape::kStageElements;
            float scores[2][4] = {};
            score_warp_tile(scores, query, k);
            softmax.add(scores, range.end - range.begin - tile * Shape::kTokens, call.scale);
            sum_warp_tile(sums, softmax, k + Shape::kTokens * Shape::kPitch);
            free_slot = slot;
            slot = slot == Shape::kStages - 1 ? 0 : slot + 1;
        }
    }
    store_warp_partials(call, heads, softmax, sums);
}

} // namespace kvprof::kernels::cuda
