#pragma once

#include "kernels/cuda/attention_block_shape.cuh"
#include "kernels/cuda/attention_block_softmax.cuh"
#include "kernels/cuda/attention_rows.cuh"
#include "kernels/cuda/attention_tile.cuh"

/// Attention by blocks: eight warps serve up to 32 query heads of one KV head over one split of one
/// lane, so that wide rows (MLA's) are read once. Each warp takes a quarter of the dimensions of K
/// for half of the tokens, and later an eighth of V's columns; scores meet in shared memory.
namespace kvprof::kernels::cuda {

template<typename Shape>
__device__ void write_query(
    __nv_bfloat16* stage,
    const AttentionCall& call,
    const HeadTile& heads,
    typename Shape::Query& query
) {
    const int warp = threadIdx.x / kWarp;
    build_query<Shape::kHeads, Shape::kKColumns>(
        stage, call, heads, call.owners[blockIdx.z], kBlockWarps
    );
    __syncthreads();
#pragma unroll
    for (int tile = 0; tile < Shape::kHeadTiles; ++tile) {
        const auto* rows = stage + tile * kHeadTile * Shape::kKPitch;
        load_query(query[tile], rows + warp % kQuarters * Shape::kKSteps * 16, Shape::kKPitch);
    }
    fence_async_proxy();
    __syncthreads();
}

/// Writes the partials of the tile's heads by way of shared memory, whole rows at a time.
template<typename Shape>
__device__ void store_block_partials(
    const AttentionCall& call,
    const HeadTile& heads,
    const BlockSoftmax<Shape>& softmax,
    const BlockSums<Shape>& sums,
    BlockOutput<Shape>& out
) {
    const int warp = threadIdx.x / kWarp;
    const int lane = threadIdx.x % kWarp;
    const auto dim_v = static_cast<int>(call.heads.dim_v);
    const float total = softmax.state.template total<BlockSoftmax<Shape>::kLanes>();
    __syncthreads(); // nobody reads stages any more
    if (softmax.is_first_lane()) {
        out.inverses[softmax.head()] = inverse(total);
        if (softmax.head() < heads.heads) {
            partial_of(call, heads, softmax.head())[dim_v] = log_sum(softmax.state.maximum, total);
        }
    }
    sums.write(out);
    __syncthreads();
    for (int row = warp; row < heads.heads; row += kBlockWarps) {
        float* partial = partial_of(call, heads, row);
        const float factor = out.inverses[row];
#pragma unroll 4
        for (int column = lane; column < dim_v; column += kWarp) {
            partial[column] = factor * out.sums[row][column];
        }
    }
}

template<typename Shape>
__global__ void __launch_bounds__(kBlockThreads, 1) attention_by_blocks(
    const __grid_constant__ AttentionCall call, const __grid_constant__ RowPlan plan
) {
    extern __shared__ __align__(16) std::uint8_t shared[];
    auto* arrived = reinterpret_cast<CopyBarrier*>(shared);
    auto* scores = reinterpret_cast<BlockScores<Shape>*>(shared + kBarrierBytes);
    auto* out = reinterpret_cast<BlockOutput<Shape>*>(shared + kBarrierBytes); // when all is read
    auto* stages = reinterpret_cast<__nv_bfloat16*>(scores + 1);
    const HeadTile heads = head_tile(call.heads, Shape::kHeads, blockIdx.x);
    const auto range = attended_range(call, blockIdx.z, blockIdx.y);
    const int tiles = (range.end - range.begin + kBlockTokens - 1) / kBlockTokens;
    BlockSoftmax<Shape> softmax;
    BlockSums<Shape> sums;
    if (tiles > 0) {
        RowCopies<Shape> copies(call, plan, heads.kv_head, range, arrived);
        copies.set_up(stages);
        for (int tile = 0; tile < plan.stages - 1 && tile < tiles; ++tile) {
            copies.start(stages, tile, tile);
        }
        // The last stage is still empty: the query goes through it, to registers.
        typename Shape::Query query;
        const int stage_elements = plan.template stage_elements<Shape>();
        write_query<Shape>(stages + (plan.stages - 1) * stage_elements, call, heads, query);
        const int v_offset = plan.is_v_in_k ? 0 : kBlockTokens * Shape::kKPitch;
        const int v_pitch = plan.is_v_in_k ? Shape::kKPitch : Shape::kVPitch;
        int slot = 0;
        int free_slot = plan.stages - 1;
        std::uint32_t parity = 0;
        for (int tile = 0; tile < tiles; ++tile) {
            const auto* k = stages + slot * stage_elements;
            arrived[slot].wait(parity);
            score_tokens<Shape>(*scores, query, k);
            __syncthreads(); // scores are there, and nobody reads the free slot any more
            if (tile + plan.stages - 1 < tiles) {
                copies.start(stages, tile + plan.stages - 1, free_slot);
            }
            softmax.add(*scores, range.end - range.begin - tile * kBlockTokens, call.scale);
            __syncthreads();
            sums.add(*scores, k + v_offset, v_pitch);
            free_slot = slot;
            slot = slot + 1 == plan.stages ? 0 : slot + 1;
            parity ^= slot == 0 ? 1U : 0U;
        }
    }
    store_block_partials<Shape>(call, heads, softmax, sums, *out);
}

} // namespace kvprof::kernels::cuda
