#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// Kernels that write K and V rows, one warp per row; 16-byte stores where rows and heads allow.
/// The grid depends on the batch alone, so both can be captured while the lengths move.
namespace kvprof::kernels::cuda {

[[nodiscard]] cudaError_t launch(const KvWriteCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const KvFillCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
