#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// The page allocator's device operations: one launch per call, none for empty work. Pages of one
/// call must be unique: they are written in no order.
namespace kvprof::kernels::cuda {

[[nodiscard]] cudaError_t launch(const AllocBindCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const BindCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const FreeUnbindCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const AllocDecodeCall& call, cudaStream_t cuda_stream);
/// cudaErrorInvalidValue when page_bytes is not a multiple of 8.
[[nodiscard]] cudaError_t launch(const ZeroPagesCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
