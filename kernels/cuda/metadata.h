#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// Per-step metadata: one launch per call, none for an empty batch.
namespace kvprof::kernels::cuda {

/// Writes nothing for an empty batch, not even out[0].
[[nodiscard]] cudaError_t launch(const IndptrCall& call, cudaStream_t cuda_stream);
/// A lane whose length is 0, or past the row, writes nothing.
[[nodiscard]] cudaError_t launch(const AppendCall& call, cudaStream_t cuda_stream);
[[nodiscard]] cudaError_t launch(const KvSplitsCall& call, cudaStream_t cuda_stream);
/// One thread waits on the device's global timer.
[[nodiscard]] cudaError_t launch(const DelayCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
