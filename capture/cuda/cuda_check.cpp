#include "capture/cuda/cuda_check.h"

#include "capture/model/error.h"

#include <fmt/format.h>

namespace kvprof::cuda {

void check(cudaError_t result, std::string_view action) {
    if (result == cudaSuccess) {
        return;
    }
    throw UnavailableError(
        fmt::format(
            "could not {}: {}: {}", action, cudaGetErrorName(result), cudaGetErrorString(result)
        ),
        "kvprof doctor shows what this machine has"
    );
}

} // namespace kvprof::cuda
