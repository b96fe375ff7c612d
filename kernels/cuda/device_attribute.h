#pragma once

#include <cuda_runtime_api.h>

namespace kvprof::kernels::cuda {

/// Of the device in use; -1 when it can not be told.
[[nodiscard]] inline int attribute_of_device(cudaDeviceAttr attribute) {
    int device = 0;
    int value = 0;
    const bool is_known = cudaGetDevice(&device) == cudaSuccess
                          && cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess;
    return is_known ? value : -1;
}

} // namespace kvprof::kernels::cuda
