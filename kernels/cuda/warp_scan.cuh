#pragma once

namespace kvprof::kernels::cuda {

inline constexpr int kWarp = 32;
inline constexpr unsigned kWholeWarp = 0xffffffffU;

/// Sum of `value` over this lane of the warp and those below it. All 32 lanes take part.
template<typename T>
__device__ T warp_inclusive_sum(T value) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
#pragma unroll
    for (int distance = 1; distance < kWarp; distance *= 2) {
        const T below = __shfl_up_sync(kWholeWarp, value, distance);
        value += lane >= distance ? below : T{0};
    }
    return value;
}

} // namespace kvprof::kernels::cuda
