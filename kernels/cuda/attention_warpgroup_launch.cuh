#pragma once

#include "kernels/cuda/attention_block_shape.cuh"

#include <cuda_runtime_api.h>

/// Attention of MLA by a warpgroup (wgmma), for devices of compute capability 9.0: code for sm_90a
/// runs nowhere else. Part of builds whose CUDA architectures name 90 (KVPROF_WARPGROUP).
namespace kvprof::kernels::cuda {

/// Whether it can serve a call that attention supports, on the current device.
[[nodiscard]] bool fits_a_warpgroup(const AttentionCall& call, const RowPlan& plan);

/// `grid` has a block for each kHeads heads, split and lane; kHeads is 16 or 32.
template<int kHeads>
[[nodiscard]] cudaError_t launch_by_warpgroup(
    const AttentionCall& call, const RowGrid& rows, dim3 grid, cudaStream_t cuda_stream
);

} // namespace kvprof::kernels::cuda
