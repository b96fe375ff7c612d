#pragma once

#include "kernels/launch_geometry.h"

#include <cstdint>

namespace kvprof::kernels::cuda {

/// The item of this thread under item_shape: one item per thread.
__device__ inline std::int64_t item_index() {
    return static_cast<std::int64_t>(blockIdx.x) * kItemThreads + threadIdx.x;
}

} // namespace kvprof::kernels::cuda
