#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

namespace kvprof::cuda {

/// @throws UnavailableError "could not <action>: <name>: <text>" unless the result is success.
void check(cudaError_t result, std::string_view action);

} // namespace kvprof::cuda
