#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// Split-KV decode attention on tensor cores (compute capability 8.0 or newer): bf16 products, fp32
/// sums. Narrow heads of which there are enough go by warps (is_by_warps), MLA on Hopper by
/// warpgroups, all others by blocks. The grid is (head tiles, splits, batch) and the lengths are
/// read on the device, so both launches can be captured while the lengths move.
/// docs/kernels/attention.md has the design and its figures.
namespace kvprof::kernels::cuda {

/// At most kMaxHeadDim, kMaxQueryHeads and kMaxAttentionSplits; query_heads a multiple of kv_heads;
/// a page pitch of whole rows; anything else is cudaErrorInvalidValue. By warpgroups a block takes
/// 186 KiB of shared memory for 32 heads; by blocks it takes up to four tiles of rows and needs
/// two: 177 KiB for the widest heads, 96 KiB for MLA. A device with less refuses the launch with
/// the same error.
[[nodiscard]] cudaError_t launch(const AttentionCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const AttentionCombineCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
