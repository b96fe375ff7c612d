#include "kernels/cuda/launch.h"

#include <variant>

namespace kvprof::kernels::cuda {

cudaError_t launch(const KernelCall& call, cudaStream_t cuda_stream) {
    const auto launch_one = [cuda_stream]<typename Call>(const Call& one) {
        // Names the exact overload: a missing twin would otherwise convert back to the variant.
        constexpr cudaError_t (*twin)(const Call&, cudaStream_t) = launch;
        return twin(one, cuda_stream);
    };
    return std::visit(launch_one, call);
}

} // namespace kvprof::kernels::cuda
