#pragma once

#include <algorithm>
#include <cstdint>

/// Limits and geometry of split-KV attention.
namespace kvprof::kernels {

/// Widest K or V head (MLA's latent row with its rope part).
inline constexpr std::int64_t kMaxHeadDim = 576;
inline constexpr std::int64_t kMaxQueryHeads = 128;
inline constexpr std::int64_t kMaxAttentionSplits = 128;

/// Splits per lane, from the batch alone because a captured graph bakes its grid: about two blocks
/// for each of an H200's 132 SMs.
[[nodiscard]] constexpr std::int64_t attention_splits(std::int64_t batch) {
    constexpr std::int64_t kTargetBlocks = 2 * 132;
    const std::int64_t splits = batch <= 0 ? 1 : (kTargetBlocks + batch / 2) / batch;
    return std::clamp<std::int64_t>(splits, 1, kMaxAttentionSplits);
}

} // namespace kvprof::kernels
