#pragma once

#include "kernels/calls.h"

#include <cuda_runtime_api.h>

#include <span>

namespace kvprof::bench {

/// The batch-grid kernels with other compile-time choices than the shipped ones; ps = 1, i32 ids.
struct IndexVariant {
    const char* name;
    cudaError_t (*table)(const kernels::PageTableCall& call, cudaStream_t cuda_stream);
    cudaError_t (*stream)(const kernels::TokenStreamCall& call, cudaStream_t cuda_stream);
};

[[nodiscard]] std::span<const IndexVariant> index_variants();

} // namespace kvprof::bench
