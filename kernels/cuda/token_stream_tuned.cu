#include "kernels/cuda/read_by_batch.h"
#include "kernels/cuda/read_kernels.cuh"

namespace kvprof::kernels::cuda {

cudaError_t launch_tuned(const TokenStreamCall& call, cudaStream_t cuda_stream) {
    return launch_other(call, cuda_stream);
}

} // namespace kvprof::kernels::cuda
