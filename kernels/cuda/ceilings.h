#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

/// Kernels that do one thing as fast as a kernel of ours can: what others are held against.
namespace kvprof::kernels::cuda {

/// Copies `bytes`, 16 at a time and 64 a thread. cudaErrorInvalidValue unless bytes are a multiple
/// of 16 and both pointers aligned to it.
[[nodiscard]] cudaError_t
launch_copy(void* to, const void* from, std::int64_t bytes, cudaStream_t cuda_stream);

/// One block that does nothing.
[[nodiscard]] cudaError_t launch_nothing(cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
