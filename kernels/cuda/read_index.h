#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// The kernels that turn req_to_token into a page table or a token stream: one launch per call,
/// none for an empty batch or width. The first three refuse, with cudaErrorInvalidValue, a
/// req_to_token row of more than 2^30 columns, an empty v2p, and a page size or multiplier below 1.
namespace kvprof::kernels::cuda {

[[nodiscard]] cudaError_t launch(const PageTableCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const TokenStreamCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const TableAndStreamCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const RepackCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const StaticGatherCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const StaticBlockTableCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
