#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// Metadata kernels of backends that read page tables: one launch per call. A stride or width of a
/// table may be anything, the page size at least 1 (else cudaErrorInvalidValue).
namespace kvprof::kernels::cuda {

/// Writes nothing for an empty batch, not even cu_seqlens_k[0].
[[nodiscard]] cudaError_t launch(const FaMetadataCall& call, cudaStream_t cuda_stream);
/// An empty batch still clears the window locations.
[[nodiscard]] cudaError_t launch(const TrtllmMetadataCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
