#pragma once

#include "kernels/cuda/device_attribute.h"
#include "kernels/cuda/dispatch.cuh"

#include <cuda_runtime_api.h>

#include <cstddef>

/// Programmatic dependent launch: a kernel's blocks are placed while the kernel before it drains,
/// and wait there. In a graph it becomes an edge of that kind between two kernel nodes.
namespace kvprof::kernels::cuda {

/// All that came before in the stream is complete and visible. Every block has to call it before
/// it reads anything: a kernel that does not wait would let the one after it run ahead of both.
__device__ __forceinline__ void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// The kernel after this one may place its blocks, once all blocks have said so or ended.
__device__ __forceinline__ void let_next_start() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Whether the device in use has it: compute capability 9.0 and later.
[[nodiscard]] inline bool has_programmatic_launch() {
    return attribute_of_device(cudaDevAttrComputeCapabilityMajor) >= 9;
}

/// A launch whose kernel calls wait_for_previous.
struct EarlyLaunch {
    LaunchShape shape;
    bool starts_early = true; ///< false: after the kernel before it has ended
    std::size_t shared_bytes = 0;
};

template<typename... Parameters, typename... Arguments>
[[nodiscard]] cudaError_t launch_early(
    void (*kernel)(Parameters...),
    const EarlyLaunch& how,
    cudaStream_t cuda_stream,
    const Arguments&... arguments
) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid_of(how.shape);
    config.blockDim = dim3(static_cast<unsigned>(how.shape.threads));
    config.dynamicSmemBytes = how.shared_bytes;
    config.stream = cuda_stream;
    config.attrs = &attribute;
    config.numAttrs = how.starts_early && has_programmatic_launch() ? 1 : 0;
    const cudaError_t launched = cudaLaunchKernelEx(&config, kernel, arguments...);
    if (launched != cudaSuccess) {
        static_cast<void>(cudaGetLastError()); // or the next launch would report it again
    }
    return launched;
}

} // namespace kvprof::kernels::cuda
