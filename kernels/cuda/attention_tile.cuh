#pragma once

#include "kernels/attention_math.h"
#include "kernels/calls.h"
#include "kernels/content.h"
#include "kernels/cuda/tensor_core.cuh"

#include <cstdint>

/// Stages of the attention kernel's shared memory: the query tile, and 32 tokens of K and V at a
/// time. Rows are padded by 16 bytes, which keeps matrix loads free of bank conflicts.
namespace kvprof::kernels::cuda {

inline constexpr int kWarp = 32;
inline constexpr int kAttentionWarps = 4;
inline constexpr int kAttentionThreads = kAttentionWarps * kWarp;
inline constexpr int kHeadTile = 16;  // rows of a tensor-core tile
inline constexpr int kTokenTile = 32; // one id per lane of a warp
inline constexpr int kScorePitch = kTokenTile + 8;
inline constexpr int kPack = 8; // bf16 elements in a 16-byte copy
inline constexpr int kStages = 2;

/// One head's part of the rows of K or of V, in elements.
struct TilePlane {
    int dim = 0;
    int padded = 0; ///< with zeros up to a whole number of matrix steps

    [[nodiscard]] __host__ __device__ int pitch() const { return padded + kPack; }
};

/// Which row of the buffer an id stands for, when a page's rows are followed by other layers' rows.
struct RowGrid {
    int page_rows = 1;
    int pitch_rows = 1; ///< rows from one page's first to the next's

    [[nodiscard]] __device__ std::int32_t row_of(std::int32_t id) const {
        return page_rows == pitch_rows ? id : id / page_rows * pitch_rows + id % page_rows;
    }
};

struct AttentionTiles {
    TilePlane k;
    TilePlane v;
    bool is_v_in_k = false;
    bool is_packed = false; ///< 16-byte copies are aligned
    int tiles_per_kv_head = 1;
    RowGrid rows;

    [[nodiscard]] __host__ __device__ int stage_elements() const {
        return kTokenTile * (k.pitch() + (is_v_in_k ? 0 : v.pitch()));
    }

    [[nodiscard]] __host__ __device__ int shared_bytes() const {
        const int elements = kHeadTile * k.pitch() + kStages * stage_elements();
        return elements * 2 + kHeadTile * kScorePitch * 4;
    }
};

/// Which heads a block serves.
struct HeadTile {
    int kv_head = 0;
    int first_head = 0;
    int heads = 0;
};

__device__ inline HeadTile head_tile(const HeadShape& shape, int tiles_per_kv_head, int tile) {
    const int group = static_cast<int>(shape.query_heads / shape.kv_heads);
    const int kv_head = tile / tiles_per_kv_head;
    const int first = tile % tiles_per_kv_head * kHeadTile;
    return {kv_head, kv_head * group + first, min(kHeadTile, group - first)};
}

/// Builds the query rows of the tile; rows and columns past the real ones are zero.
__device__ inline void build_query(
    __nv_bfloat16* out,
    const TilePlane& plane,
    const HeadTile& tile,
    std::uint64_t seed,
    std::int64_t owner
) {
    for (int row = threadIdx.x / kWarp; row < kHeadTile; row += kAttentionWarps) {
        const auto key = content_key(seed, owner, -1 - (tile.first_head + row));
        const int real = row < tile.heads ? plane.dim : 0;
        for (int element = threadIdx.x % kWarp; element < plane.padded; element += kWarp) {
            // k / 64 is exact in bf16, and a conversion is cheaper than content_bf16's shifts.
            const int k = element < real ? content_sixty_fourths(key, 0, element) : 0;
            out[row * plane.pitch() + element] =
                __float2bfloat16(static_cast<float>(k) * (1.0F / 64.0F));
        }
    }
}

/// Starts copying one head's part of `count` rows; the rest of the tile becomes zeros. Lane i of
/// every warp holds the id of row i.
__device__ inline void start_copy(
    __nv_bfloat16* out,
    const TilePlane& plane,
    const std::uint8_t* rows,
    std::int32_t row_bytes,
    std::int32_t row_id,
    int count
) {
    const int packs = plane.padded / kPack;
    const int row_step = kAttentionThreads / packs;
    const int pack_step = kAttentionThreads % packs;
    int row = static_cast<int>(threadIdx.x) / packs;
    int pack = static_cast<int>(threadIdx.x) % packs;
    // Whole warps leave together: kTokenTile * packs is a multiple of 32.
    for (int i = threadIdx.x; i < kTokenTile * packs; i += kAttentionThreads) {
        const std::int64_t id = __shfl_sync(0xffffffffU, row_id, row);
        const bool is_wanted = row < count && pack * kPack < plane.dim;
        const auto* source = rows + id * row_bytes + (is_wanted ? pack * kPack * 2 : 0);
        copy_async_16(out + row * plane.pitch() + pack * kPack, source, is_wanted);
        row += row_step;
        pack += pack_step;
        if (pack >= packs) {
            pack -= packs;
            ++row;
        }
    }
}

/// The same for heads that are not aligned to 16 bytes: element by element, and waiting.
__device__ inline void copy_elements(
    __nv_bfloat16* out,
    const TilePlane& plane,
    const std::uint8_t* rows,
    std::int32_t row_bytes,
    std::int32_t row_id,
    int count
) {
    for (int row = threadIdx.x / kWarp; row < kTokenTile; row += kAttentionWarps) {
        const std::int64_t id = __shfl_sync(0xffffffffU, row_id, row);
        const auto* source = reinterpret_cast<const __nv_bfloat16*>(rows + id * row_bytes);
        for (int element = threadIdx.x % kWarp; element < plane.padded; element += kWarp) {
            const bool is_wanted = row < count && element < plane.dim;
            out[row * plane.pitch() + element] =
                is_wanted ? source[element] : __float2bfloat16(0.0F);
        }
    }
}

/// Fills one stage with the K and V of `count` tokens.
__device__ inline void start_stage(
    __nv_bfloat16* stage,
    const AttentionCall& call,
    const AttentionTiles& tiles,
    int kv_head,
    std::int32_t row_id,
    int count
) {
    const auto row_bytes = static_cast<std::int32_t>(call.layer.row_bytes);
    const auto* k = call.layer.k + kv_head * tiles.k.dim * 2;
    const auto* v = call.layer.v + kv_head * tiles.v.dim * 2;
    auto* v_stage = stage + kTokenTile * tiles.k.pitch();
    if (tiles.is_packed) {
        start_copy(stage, tiles.k, k, row_bytes, row_id, count);
    } else {
        copy_elements(stage, tiles.k, k, row_bytes, row_id, count);
    }
    if (!tiles.is_v_in_k && tiles.is_packed) {
        start_copy(v_stage, tiles.v, v, row_bytes, row_id, count);
    } else if (!tiles.is_v_in_k) {
        copy_elements(v_stage, tiles.v, v, row_bytes, row_id, count);
    }
}

} // namespace kvprof::kernels::cuda
