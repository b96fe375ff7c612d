#pragma once

#include "kernels/balance_rules.h"
#include "kernels/cuda/warp_scan.cuh"

#include <cstddef>
#include <cstdint>

/// The lanes of a batch in a block's shared memory, and where their vectors end when all of them
/// are counted through.
namespace kvprof::kernels::cuda {

/// A lane as a vector of it is found.
struct __align__(16) SharedLane {
    const std::int32_t* tokens = nullptr; ///< row of req_to_token
    void* out = nullptr;                  ///< its first element
    std::uint32_t start = 0;              ///< position of the first item, of a stream
    int count = 0;                        ///< items
    int lead = 0; ///< as in VectorLane; kNotPacked more where its tokens are loaded one by one
    int end = 0;  ///< vectors of this lane and all before it
};

inline constexpr int kNotPacked = kVector;

[[nodiscard]] constexpr std::size_t shared_lane_bytes(std::int64_t batch) {
    return static_cast<std::size_t>(batch) * sizeof(SharedLane);
}

/// The sum of the values of the threads before this one, and of the whole block.
struct BlockPrefix {
    int before = 0;
    int all = 0;
};

/// All threads of a block of whole warps take part; `warp_sums` has an entry a warp.
__device__ __forceinline__ BlockPrefix block_sums(int value, int* warp_sums) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const int inclusive = warp_inclusive_sum(value);
    if (lane == kWarp - 1) {
        warp_sums[warp] = inclusive;
    }
    __syncthreads();
    const int of_warp = lane < static_cast<int>(blockDim.x) / kWarp ? warp_sums[lane] : 0;
    const int of_earlier = __reduce_add_sync(kWholeWarp, lane < warp ? of_warp : 0);
    return {of_earlier + inclusive - value, __reduce_add_sync(kWholeWarp, of_warp)};
}

/// The lane that vector `at` belongs to.
__device__ __forceinline__ int lane_with(const SharedLane* lanes, int batch, int at) {
    int low = 0;
    int high = batch - 1;
#pragma unroll 1
    while (low < high) {
        const int middle = (low + high) / 2;
        if (lanes[middle].end > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

} // namespace kvprof::kernels::cuda
