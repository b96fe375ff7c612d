#pragma once

#include "kernels/balance_rules.h"
#include "kernels/cuda/warp_scan.cuh"

#include <cstddef>
#include <cstdint>

/// The lanes of a batch one behind the other, counted through in chunks: where each ends, in a
/// block's shared memory; and the sums over a block that this takes.
namespace kvprof::kernels::cuda {

/// An int a lane for where it ends, and one for each of `sums` running sums.
[[nodiscard]] constexpr std::size_t shared_lane_bytes(std::int64_t batch, int sums) {
    return static_cast<std::size_t>(batch * (1 + sums)) * sizeof(int);
}

/// What the warps of a block have each left in shared memory, added up, and their maximum of
/// numbers from 0 on. Entries of warps that take no part are 0.
template<int kThreads>
__device__ __forceinline__ int sum_of_warps(const int* of_warps) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    return __reduce_add_sync(kWholeWarp, lane < kThreads / kWarp ? of_warps[lane] : 0);
}

template<int kThreads>
__device__ __forceinline__ int most_of_warps(const int* of_warps) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    return __reduce_max_sync(kWholeWarp, lane < kThreads / kWarp ? of_warps[lane] : 0);
}

/// The sum of the values of the threads before this one, and of the whole block.
struct BlockPrefix {
    int before = 0;
    int all = 0;
};

/// All threads of a block take part; those of a warp with `is_zero` have 0. `warp_sums` has an
/// entry a warp. Has one barrier.
template<int kThreads>
__device__ __forceinline__ BlockPrefix block_sums(int value, bool is_zero, int* warp_sums) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const int inclusive = is_zero ? 0 : warp_inclusive_sum(value);
    if (lane == kWarp - 1) {
        warp_sums[warp] = inclusive;
    }
    __syncthreads();
    const int of_warp = lane < kThreads / kWarp ? warp_sums[lane] : 0;
    const int all = __reduce_add_sync(kWholeWarp, of_warp);
    if (is_zero) {
        return {0, all};
    }
    const int of_earlier = __reduce_add_sync(kWholeWarp, lane < warp ? of_warp : 0);
    return {of_earlier + inclusive - value, all};
}

/// The lane that chunk `at` belongs to, the same in the whole warp, which searches together: two
/// steps for kMostSharedLanes. at < ends[batch - 1].
__device__ __forceinline__ int lane_with(const int* ends, int batch, int at) {
    static_assert(kMostSharedLanes <= kWarp * kWarp);
    const int own = static_cast<int>(threadIdx.x) % kWarp;
    const int each = (batch + kWarp - 1) / kWarp;
    const int group_end = ends[min((own + 1) * each, batch) - 1];
    const int group = __ffs(__ballot_sync(kWholeWarp, group_end > at)) - 1;
    const int end = ends[min(group * each + own, batch - 1)];
    return group * each + __ffs(__ballot_sync(kWholeWarp, end > at)) - 1;
}

} // namespace kvprof::kernels::cuda
