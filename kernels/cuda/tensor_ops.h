#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// The tensor operations that unfused forms are made of: one kernel per call, none for empty work.
/// The conditions on aliasing and indices are those of the host twins.
namespace kvprof::kernels::cuda {

[[nodiscard]] cudaError_t launch(const MapCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const GatherCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const Gather2dCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const ScatterCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const Scatter2dCall& call, cudaStream_t cuda_stream);
/// One block of 1,024 threads, whatever the count: right for any count, and fast up to a few
/// thousand items (a batch), where a second kernel would cost more than the scan.
[[nodiscard]] cudaError_t launch(const CumsumCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const ConcatCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
