#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// Decode context parallelism's reads: one launch per call, none for an empty batch or capacity.
/// cudaErrorInvalidValue for a rank outside [0, dcp), and for a req_to_token row of more than 2^30
/// columns.
namespace kvprof::kernels::cuda {

[[nodiscard]] cudaError_t launch(const LocalLensCall& call, cudaStream_t cuda_stream);
/// The ids that come out are local and virtual.
[[nodiscard]] cudaError_t launch(const DcpGatherCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const StreamTranslateCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
