#pragma once

#include "kernels/cuda/programmatic_launch.cuh"
#include "kernels/cuda/shared_lanes.cuh"
#include "kernels/read_geometry.h"

#include <cstddef>

/// Picks the instance of a read kernel that a call's tuning asks for.
namespace kvprof::kernels::cuda {

/// What of a tuning is compiled in. A block's registers are bounded so that an SM holds 2,048
/// threads, its most, with one vector a thread, and half of them with two.
template<int Threads, int Vectors, Split kSplitOf>
struct WalkShape {
    static constexpr int kThreads = Threads;
    static constexpr int kVectors = Vectors;
    static constexpr Split kSplit = kSplitOf;
    static constexpr int kBlocksOfSm = 2048 / (Vectors * Threads);
};

using ShippedWalk = WalkShape<256, 1, Split::balanced>;

[[nodiscard]] constexpr bool is_shipped(const Tuning& tuning, Split split) {
    return tuning.threads == ShippedWalk::kThreads
           && tuning.items == ShippedWalk::kVectors * kVector && split == ShippedWalk::kSplit;
}

/// body(WalkShape<...>{}) for a supported tuning.
template<int Threads, typename Body>
cudaError_t with_walk_of(const Tuning& tuning, Split split, Body body) {
    if (split == Split::flat) {
        return body(WalkShape<Threads, 1, Split::flat>{}); // takes a vector at a time in any case
    }
    if (tuning.items == kVector) {
        return split == Split::rows ? body(WalkShape<Threads, 1, Split::rows>{})
                                    : body(WalkShape<Threads, 1, Split::balanced>{});
    }
    return split == Split::rows ? body(WalkShape<Threads, 2, Split::rows>{})
                                : body(WalkShape<Threads, 2, Split::balanced>{});
}

template<typename Body>
cudaError_t with_walk(const Tuning& tuning, Split split, Body body) {
    switch (tuning.threads) {
    case 128: return with_walk_of<128>(tuning, split, body);
    case 256: return with_walk_of<256>(tuning, split, body);
    case 512: return with_walk_of<512>(tuning, split, body);
    default: return cudaErrorInvalidValue;
    }
}

/// The launch of a call with such a tuning.
[[nodiscard]] inline EarlyLaunch
walk_launch(const Tuning& tuning, const LaunchShape& shape, Split split) {
    const std::size_t shared = split == Split::rows ? 0 : shared_lane_bytes(shape.grid_x, 0);
    return {shape, tuning.starts_early, shared};
}

} // namespace kvprof::kernels::cuda
