#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// All index work of a decode step in one launch.
namespace kvprof::kernels::cuda {

/// No launch for an empty batch. Refuses, with cudaErrorInvalidValue, what the read kernels refuse,
/// windows whose v2p or stream has another element type than the full pool's, and a full stream
/// with a window.
[[nodiscard]] cudaError_t launch(const FusedMetadataCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
