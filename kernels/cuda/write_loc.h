#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// The write-location translate: one launch, none for an empty output.
namespace kvprof::kernels::cuda {

/// Never writes past `out_count`. `out` may be `loc` itself.
[[nodiscard]] cudaError_t launch(const WriteLocCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
