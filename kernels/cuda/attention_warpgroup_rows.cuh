#pragma once

#include "kernels/cuda/attention_warpgroup_shape.cuh"

/// What four warps of attention by a warpgroup bring to shared memory: rows of tokens. All eight
/// write the query.
namespace kvprof::kernels::cuda {

/// Copies tiles of 64 tokens, 16 a warp, 16 bytes a lane: four rows are nine instructions of 32
/// neighbouring chunks each. What a lane copies of four rows is the same for all of them.
template<int kHeads>
class GroupCopies {
  public:
    __device__ GroupCopies(
        const AttentionCall& call,
        const RowGrid& grid,
        const SplitRange& range,
        GroupShared<kHeads>& shared
    )
        : rows_(call.layer.k),
          row_bytes_(static_cast<std::int32_t>(call.layer.row_bytes)),
          shared_(shared),
          window_(call, grid, range, range.begin + warp() * kRows) {
#pragma unroll
        for (int i = 0; i < kPieces; ++i) {
            const int piece = i * kWarp + static_cast<int>(threadIdx.x) % kWarp;
            const int chunk = piece % kRowChunks;
            row_[i] = piece / kRowChunks;
            from_[i] = chunk * 16;
            to_[i] = chunk / 8 * kSegmentBytes + swizzled_128(row_[i], chunk % 8 * 16);
        }
    }

    /// Tiles in order. The stage's barrier ends a phase when the tile is there.
    __device__ void start(int tile) {
        const int stage = tile % kGroupStages;
        window_.enter(tile);
        if (tile >= kGroupStages) {
            shared_.empty[stage].wait((tile / kGroupStages - 1) % 2);
        }
        auto* first = shared_.stages[stage].bytes + warp() * kRows * kSwizzledRowBytes;
#pragma unroll
        for (int four = 0; four < kRows / 4; ++four) {
            auto* out = first + four * 4 * kSwizzledRowBytes;
            const int flip = four % 2 * 4 * 16; // the swizzle of rows 4 to 7 of eight
#pragma unroll
            for (int i = 0; i < kPieces; ++i) {
                const std::int64_t row = window_.row(tile, four * 4 + row_[i]);
                copy_async_16(out + (to_[i] ^ flip), rows_ + row * row_bytes_ + from_[i]);
            }
        }
        shared_.full[stage].arrive_with_copies();
    }

  private:
    static constexpr int kRows = kGroupTokens / kGroupWarps; ///< of a tile
    static constexpr int kPieces = 4 * kRowChunks / kWarp;   ///< of four rows, for a lane
    static_assert(kPieces * kWarp == 4 * kRowChunks && kRows % 8 == 0);

    [[nodiscard]] __device__ static int warp() {
        return static_cast<int>(threadIdx.x) / kWarp - kGroupWarps;
    }

    const std::uint8_t* rows_;
    std::int32_t row_bytes_;
    GroupShared<kHeads>& shared_;
    RowWindow<kGroupTokens, kRows> window_;
    int row_[kPieces];
    int from_[kPieces]; ///< bytes into the row
    int to_[kPieces];   ///< bytes into the stage, from the first of eight rows
};

/// By all eight warps. Rows of heads that are none are zero.
template<int kHeads>
__device__ void
write_group_query(GroupShared<kHeads>& shared, const AttentionCall& call, const HeadTile& heads) {
    const std::int64_t owner = call.owners[blockIdx.z];
    for (int row = static_cast<int>(threadIdx.x) / kWarp; row < kHeads; row += kGroupBlockWarps) {
        const QueryRow query(call, heads, owner, row);
#pragma unroll 6
        for (int i = 0; i < kLatentK / kWarp; ++i) {
            const int element = static_cast<int>(threadIdx.x) % kWarp + i * kWarp;
            auto* out = shared.query.bytes + element / 64 * kHeads * kSwizzledRowBytes
                        + swizzled_128(row, element % 64 * 2);
            *reinterpret_cast<__nv_bfloat16*>(out) = query[element];
        }
    }
    fence_async_proxy();
}

} // namespace kvprof::kernels::cuda
