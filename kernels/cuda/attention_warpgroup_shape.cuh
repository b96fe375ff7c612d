#pragma once

#include "kernels/cuda/attention_tile.cuh"
#include "kernels/cuda/warpgroup_mma.cuh"

/// Sizes of attention by a warpgroup, and what lies where in shared memory.
namespace kvprof::kernels::cuda {

inline constexpr int kGroupWarps = 4;
inline constexpr int kGroupThreads = kGroupWarps * kWarp;
inline constexpr int kGroupBlockWarps = 2 * kGroupWarps; ///< one group computes, one copies
inline constexpr int kGroupBlockThreads = kGroupBlockWarps * kWarp;
inline constexpr int kLatentK = 576;                 ///< MLA's row: what K takes
inline constexpr int kLatentV = 512;                 ///< and what of it V takes
inline constexpr int kRowChunks = kLatentK * 2 / 16; ///< of 16 bytes
inline constexpr int kGroupTokens = 64;              ///< of a tile: wgmma's M
inline constexpr int kGroupStages = 2;
/// A row is cut in segments of 64 dimensions, which are rows of 128 bytes to wgmma.
inline constexpr int kSegments = kLatentK * 2 / kSwizzledRowBytes;
inline constexpr int kSegmentBytes = kGroupTokens * kSwizzledRowBytes;

/// Rows of `kRows` tokens or heads, segment after segment.
template<int kRows>
struct alignas(kSwizzledGroupBytes) SegmentedRows {
    std::uint8_t bytes[kSegments * kRows * kSwizzledRowBytes];
};

/// Columns of a fragment: of one head for two rows, eight apart.
template<int kHeads>
using HeadColumns = float[kHeads / 2];

/// At the end: the sums by way of shared memory. The pitch keeps stores of fragments, eight columns
/// of each of four heads two apart, free of bank conflicts.
template<int kHeads>
struct GroupOutput {
    float sums[kHeads][kLatentV + 4];
};

template<int kHeads>
struct GroupShared {
    SegmentedRows<kGroupTokens> stages[kGroupStages]; ///< the output, when all is read
    SegmentedRows<kHeads> query;
    alignas(kSwizzledGroupBytes) std::uint8_t weights[kHeads * kSwizzledRowBytes]; ///< of a tile
    alignas(16) float parts[kGroupWarps][kHeads]; ///< maxima of each warp's tokens; later sums
    float inverses[kHeads];
    CopyBarrier full[kGroupStages];
    CopyBarrier empty[kGroupStages];

    static_assert(sizeof(GroupOutput<kHeads>) <= sizeof(stages[0]));

    [[nodiscard]] __device__ GroupOutput<kHeads>& output() {
        return *reinterpret_cast<GroupOutput<kHeads>*>(&stages[0]);
    }
};

/// Room for the alignment that the launch does not promise.
template<int kHeads>
inline constexpr int kGroupSharedBytes = static_cast<int>(sizeof(GroupShared<kHeads>))
                                         + kSwizzledGroupBytes;

/// Waits for kThreads threads, whole warps, at barrier kId. Barrier 0 is __syncthreads's.
template<int kId, int kThreads>
__device__ inline void meet() {
    asm volatile("bar.sync %0, %1;" ::"n"(kId), "n"(kThreads) : "memory");
}

__device__ inline void meet_computing_warps() {
    meet<1, kGroupThreads>();
}

__device__ inline void meet_all_warps() {
    meet<2, kGroupBlockThreads>();
}

} // namespace kvprof::kernels::cuda
