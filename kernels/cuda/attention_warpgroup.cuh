#pragma once

#include "kernels/cuda/attention_warpgroup_products.cuh"
#include "kernels/cuda/attention_warpgroup_rows.cuh"

/// Attention by a warpgroup: a block of eight warps serves up to 32 query heads of MLA over one
/// split of one lane. Four warps copy rows, four compute, and barriers in shared memory pass tiles
/// of 64 tokens between them, two stages deep.
namespace kvprof::kernels::cuda {

template<int kHeads>
__device__ void set_up_barriers(GroupShared<kHeads>& shared) {
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < kGroupStages; ++stage) {
            shared.full[stage].set_up(kGroupThreads);
            shared.empty[stage].set_up(kGroupThreads);
        }
    }
    __syncthreads();
}

/// By the warps that copy. The query is written while the first tiles are on their way.
template<int kHeads>
__device__ void copy_tiles(
    GroupShared<kHeads>& shared,
    const AttentionCall& call,
    const RowGrid& grid,
    const HeadTile& heads,
    const SplitRange& range,
    int tiles
) {
    GroupCopies<kHeads> copies(call, grid, range, shared);
    for (int tile = 0; tile < min(tiles, kGroupStages); ++tile) {
        copies.start(tile);
    }
    write_group_query(shared, call, heads);
    meet_all_warps();
    for (int tile = kGroupStages; tile < tiles; ++tile) {
        copies.start(tile);
    }
}

/// By the warps that compute. Leaves the sums of the whole range, not yet divided, in the output.
template<int kHeads>
__device__ void attend_tiles(
    GroupShared<kHeads>& shared,
    const AttentionCall& call,
    const HeadTile& heads,
    int tokens,
    int tiles
) {
    GroupSoftmax<kHeads> softmax;
    GroupSums<kHeads> sums;
    write_group_query(shared, call, heads);
    meet_all_warps();
    for (int tile = 0; tile < tiles; ++tile) {
        const int stage = tile % kGroupStages;
        shared.full[stage].wait(tile / kGroupStages % 2);
        fence_async_proxy();
        HeadColumns<kHeads> scores;
        score_tile<kHeads>(scores, shared, stage);
        softmax.add(shared, scores, tokens - tile * kGroupTokens, call.scale);
        sums.add(shared, softmax, stage);
        shared.empty[stage].arrive();
    }
    float totals[GroupSoftmax<kHeads>::kOwn];
    softmax.total(shared, totals); // and nobody reads stages any more
#pragma unroll
    for (int own = 0; own < GroupSoftmax<kHeads>::kOwn; ++own) {
        const int head = softmax.head(own);
        if (threadIdx.x < 4) {
            shared.inverses[head] = inverse(totals[own]);
            if (head < heads.heads) {
                partial_of(call, heads, head)[kLatentV] =
                    log_sum(softmax.state[own].maximum, totals[own]);
            }
        }
    }
    sums.write(shared.output());
}

__device__ inline void store_empty_partials(const AttentionCall& call, const HeadTile& heads) {
    for (int row = static_cast<int>(threadIdx.x) / kWarp; row < heads.heads;
         row += kGroupBlockWarps) {
        float* partial = partial_of(call, heads, row);
        for (int column = static_cast<int>(threadIdx.x) % kWarp; column <= kLatentV;
             column += kWarp) {
            partial[column] = column < kLatentV ? 0.0F : kMinusInfinity;
        }
    }
}

/// Whole rows at a time, by all warps.
template<int kHeads>
__device__ void store_group_partials(
    GroupShared<kHeads>& shared, const AttentionCall& call, const HeadTile& heads
) {
    for (int row = static_cast<int>(threadIdx.x) / kWarp; row < heads.heads;
         row += kGroupBlockWarps) {
        float* partial = partial_of(call, heads, row);
        const float factor = shared.inverses[row];
#pragma unroll 4
        for (int column = static_cast<int>(threadIdx.x) % kWarp; column < kLatentV;
             column += kWarp) {
            partial[column] = factor * shared.output().sums[row][column];
        }
    }
}

template<int kHeads>
__global__ void __launch_bounds__(kGroupBlockThreads, 1) attention_by_warpgroup(
    const __grid_constant__ AttentionCall call, const __grid_constant__ RowGrid grid
) {
    extern __shared__ std::uint8_t memory[];
    const std::uint32_t past = shared_address(memory) % kSwizzledGroupBytes;
    auto& shared = *reinterpret_cast<GroupShared<kHeads>*>(
        memory + (kSwizzledGroupBytes - past) % kSwizzledGroupBytes
    );
    const HeadTile heads = head_tile(call.heads, kHeads, blockIdx.x);
    const auto range = attended_range(call, blockIdx.z, blockIdx.y);
    const int tokens = range.end - range.begin;
    const int tiles = (tokens + kGroupTokens - 1) / kGroupTokens;
    if (tiles == 0) {
        store_empty_partials(call, heads);
        return;
    }
    set_up_barriers(shared);
    if (static_cast<int>(threadIdx.x) < kGroupThreads) {
        attend_tiles(shared, call, heads, tokens, tiles);
    } else {
        copy_tiles(shared, call, grid, heads, range, tiles);
    }
    __syncthreads();
    store_group_partials(shared, call, heads);
}

} // namespace kvprof::kernels::cuda
