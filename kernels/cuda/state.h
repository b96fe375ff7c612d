#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

/// State slots: one launch per call, none for an empty batch.
namespace kvprof::kernels::cuda {

[[nodiscard]] cudaError_t launch(const StateSlotsCall& call, cudaStream_t cuda_stream);
/// cudaErrorInvalidValue unless the states and slot_bytes are aligned to 8 bytes. Two lanes may
/// write the same slot only when they have the same owner.
[[nodiscard]] cudaError_t launch(const StateWordsCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
