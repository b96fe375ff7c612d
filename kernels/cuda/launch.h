#pragma once

#include "kernels/calls.h"
#include "kernels/cuda/allocator.h"
#include "kernels/cuda/attention.h"
#include "kernels/cuda/backend_metadata.h"
#include "kernels/cuda/compaction.h"
#include "kernels/cuda/dcp.h"
#include "kernels/cuda/fused_metadata.h"
#include "kernels/cuda/kv_rows.h"
#include "kernels/cuda/metadata.h"
#include "kernels/cuda/read_index.h"
#include "kernels/cuda/state.h"
#include "kernels/cuda/tensor_ops.h"
#include "kernels/cuda/write_loc.h"

#include <cuda_runtime_api.h>

namespace kvprof::kernels::cuda {

/// Launches any kernel: one launch, or none for empty work.
[[nodiscard]] cudaError_t launch(const KernelCall& call, cudaStream_t cuda_stream);

} // namespace kvprof::kernels::cuda
