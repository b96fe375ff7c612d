#pragma once

#include "kernels/model_calls.h"

#include <algorithm>
#include <cstdint>

/// Limits and geometry of split-KV attention.
namespace kvprof::kernels {

/// Widest K or V head (MLA's latent row with its rope part).
inline constexpr std::int64_t kMaxHeadDim = 576;
inline constexpr std::int64_t kMaxQueryHeads = 128;
inline constexpr std::int64_t kMaxAttentionSplits = 128;

/// Widest head, and most query heads of a KV head, that one warp can serve from its registers.
inline constexpr std::int64_t kMaxWarpHeadDim = 128;
inline constexpr std::int64_t kMaxWarpHeads = 16;
/// Query heads of a KV head that a block serves; those beyond read every row again.
inline constexpr std::int64_t kMaxBlockHeads = 32;

inline constexpr std::int64_t kAttentionSms = 132; // of an H200
inline constexpr std::int64_t kWarpsPerSm = 8;     // of attention by warps: 26 KiB each

/// Whether a warp alone can attend a KV head: its V is no part of K, and both are narrow.
[[nodiscard]] constexpr bool fits_a_warp(const HeadShape& heads, bool is_v_in_k) {
    return !is_v_in_k && heads.dim_k <= kMaxWarpHeadDim && heads.dim_v <= kMaxWarpHeadDim
           && heads.query_heads <= kMaxWarpHeads * heads.kv_heads;
}

/// Whether attention runs by warps: narrow heads of which there are enough (KV heads of all lanes
/// and splits) to have about half of the device's warps at work; else blocks are faster.
[[nodiscard]] constexpr bool
is_by_warps(const HeadShape& heads, bool is_v_in_k, std::int64_t warps) {
    return fits_a_warp(heads, is_v_in_k) && warps >= 512;
}

/// Splits per lane: those after which an H200 would have read 8,192 tokens of each lane first. Work
/// goes in rounds of as many warps or blocks as the device holds, and the start and end of each
/// costs about as much as kStart tokens. From batch and heads alone, because a captured graph bakes
/// its grid.
[[nodiscard]] constexpr std::int64_t
attention_splits(std::int64_t batch, const HeadShape& heads, bool is_v_in_k) {
    constexpr std::int64_t kTokens = 8192;
    constexpr std::int64_t kStart = 256;
    const std::int64_t group = heads.query_heads / std::max<std::int64_t>(heads.kv_heads, 1);
    const std::int64_t tiles = (group + kMaxBlockHeads - 1) / kMaxBlockHeads;
    const std::int64_t units = std::max<std::int64_t>(batch * heads.kv_heads * tiles, 1);
    const std::int64_t held = kAttentionSms * (fits_a_warp(heads, is_v_in_k) ? kWarpsPerSm : 1);
    std::int64_t best = 1;
    std::int64_t best_cost = 0;
    for (std::int64_t splits = 1; splits <= kMaxAttentionSplits; ++splits) {
        const std::int64_t rounds = (units * splits + held - 1) / held;
        const std::int64_t cost = rounds * ((kTokens + splits - 1) / splits + kStart);
        if (splits == 1 || cost < best_cost) {
            best = splits;
            best_cost = cost;
        }
    }
    return best;
}

} // namespace kvprof::kernels
