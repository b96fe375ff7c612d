#include "kernels/cuda/read_by_batch.h"
#include "kernels/cuda/read_kernels.cuh"

namespace kvprof::kernels::cuda {

cudaError_t launch_by_batch(const TokenStreamCall& call, cudaStream_t cuda_stream) {
    return is_shipped(call) ? launch_shipped(call, cuda_stream) : launch_tuned(call, cuda_stream);
}

} // namespace kvprof::kernels::cuda
