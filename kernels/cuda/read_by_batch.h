#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// The read kernels under GridRule::bs, for calls that have work and whose ids are narrow.
namespace kvprof::kernels::cuda {

[[nodiscard]] cudaError_t launch_by_batch(const PageTableCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch_by_batch(const TokenStreamCall& call, cudaStream_t cuda_stream);

/// With another tuning than the shipped one: compiled for page size 1 and for any other.
/// cudaErrorInvalidValue for a tuning that is not supported.
[[nodiscard]] cudaError_t launch_tuned(const PageTableCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch_tuned(const TokenStreamCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
