#pragma once

#include "kernels/cuda/attention_tile.cuh"

#include <algorithm>
#include <cstdint>

/// Sizes of attention by blocks.
namespace kvprof::kernels::cuda {

inline constexpr int kBlockWarps = 8;
inline constexpr int kBlockThreads = kWarp * kBlockWarps;
inline constexpr int kBlockTokens = 32; // of a tile
inline constexpr int kQuarters = 4;     // parts of K's dimensions, which the softmax adds up
inline constexpr int kMostStages = 4;   // tiles in shared memory; more did not help
inline constexpr int kBarrierBytes = 8 * kMostStages;
/// V's last matrix load may begin in its row and end behind it, in columns that nobody keeps.
inline constexpr int kSlackBytes = 256;

/// kTiles tiles of 16 heads; kSteps steps of 16 dimensions in a quarter of K; kStrips strips of 16
/// columns of V for each warp.
template<int kTiles, int kSteps, int kStrips>
struct BlockShape {
    static constexpr int kHeadTiles = kTiles;
    static constexpr int kKSteps = kSteps;
    static constexpr int kVStrips = kStrips;
    static constexpr int kHeads = kHeadTile * kTiles;
    static constexpr int kKColumns = kQuarters * kSteps * 16;
    static constexpr int kKPitch = kKColumns + kPack;
    static constexpr int kVColumns = kBlockWarps * kStrips * 16;
    static constexpr int kVPitch = kVColumns + kPack;
    static constexpr int kScorePitch = kBlockTokens + 8;
    using Query = std::uint32_t[kTiles][kSteps][4]; ///< fragments of one quarter
};

/// What the warps of a block exchange about one tile of tokens.
template<typename Shape>
struct alignas(16) BlockScores {
    float parts[kQuarters][Shape::kHeads][Shape::kScorePitch];
    float kept[Shape::kHeads]; ///< factors for older sums
    alignas(16) __nv_bfloat16 weights[Shape::kHeads][Shape::kScorePitch];
};

/// At the end: the partials, by way of shared memory.
template<typename Shape>
struct BlockOutput {
    float inverses[Shape::kHeads];
    float sums[Shape::kHeads][Shape::kVPitch];
};

/// How rows are read and kept.
struct RowPlan {
    RowGrid grid;
    bool is_v_in_k = false;
    bool is_packed = false; ///< 16-byte copies are aligned
    int stages = 2;

    template<typename Shape>
    [[nodiscard]] __host__ __device__ int stage_elements() const {
        return kBlockTokens * (Shape::kKPitch + (is_v_in_k ? 0 : Shape::kVPitch));
    }

    template<typename Shape>
    [[nodiscard]] int shared_bytes() const {
        const auto scores = static_cast<int>(sizeof(BlockScores<Shape>));
        const int rows = stages * stage_elements<Shape>() * 2;
        const auto output = static_cast<int>(sizeof(BlockOutput<Shape>));
        return kBarrierBytes + std::max(scores + rows + kSlackBytes, output);
    }
};

} // namespace kvprof::kernels::cuda
