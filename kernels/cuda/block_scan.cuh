#pragma once

#include "kernels/cuda/warp_scan.cuh"

#include <cstdint>

namespace kvprof::kernels::cuda {

/// out[0] = 0, out[i + 1] = out[i] + length(i) for i < count, modulo 2^32. One whole block, of a
/// multiple of 32 threads, scans its own width at a time and carries the sum along; every length is
/// asked for once.
template<typename Length>
__device__ void scan_lengths(std::int64_t count, std::int32_t* out, Length length) {
    __shared__ std::uint32_t warp_sums[kWarp];
    const unsigned warp = threadIdx.x / kWarp;
    const unsigned warps = blockDim.x / kWarp;
    std::uint32_t carry = 0;
    for (std::int64_t base = 0; base < count; base += blockDim.x) {
        const auto item = base + threadIdx.x;
        const auto own = item < count ? static_cast<std::uint32_t>(length(item)) : 0U;
        const auto sum = warp_inclusive_sum(own);
        if (threadIdx.x % kWarp == kWarp - 1) {
            warp_sums[warp] = sum;
        }
        __syncthreads();
        // Every warp scans the warp sums for itself: one barrier fewer than handing them down.
        const unsigned reader = threadIdx.x % kWarp;
        const auto totals = warp_inclusive_sum(reader < warps ? warp_sums[reader] : 0U);
        const auto before = __shfl_sync(kWholeWarp, totals, warp == 0 ? 0 : warp - 1);
        if (item < count) {
            out[item + 1] = static_cast<std::int32_t>(carry + sum + (warp == 0 ? 0 : before));
        }
        carry += __shfl_sync(kWholeWarp, totals, kWarp - 1);
        __syncthreads(); // the sums are overwritten in the next round
    }
    if (threadIdx.x == 0) {
        out[0] = 0;
    }
}

} // namespace kvprof::kernels::cuda
