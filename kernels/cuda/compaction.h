#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// Moves of whole page envelopes: one launch per call, none for empty work. cudaErrorInvalidValue
/// unless buffers and page_bytes are aligned to 8 bytes.
namespace kvprof::kernels::cuda {

/// Pages of one call must be unique.
[[nodiscard]] cudaError_t launch(const CompactMoveCall& call, cudaStream_t cuda_stream);
/// A negative page is skipped.
[[nodiscard]] cudaError_t launch(const EnvelopeCopyCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
