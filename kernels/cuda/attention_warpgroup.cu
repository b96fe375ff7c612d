#include "kernels/cuda/attention_warpgroup.cuh"
#include "kernels/cuda/attention_warpgroup_launch.cuh"
#include "kernels/cuda/device_attribute.h"

#include <limits>

namespace kvprof::kernels::cuda {
namespace {

bool is_device_9_0() {
    return attribute_of_device(cudaDevAttrComputeCapabilityMajor) == 9
           && attribute_of_device(cudaDevAttrComputeCapabilityMinor) == 0;
}

} // namespace

bool fits_a_warpgroup(const AttentionCall& call, const RowPlan& plan) {
    return plan.is_v_in_k && plan.is_packed && call.heads.kv_heads == 1
           && call.heads.dim_k == kLatentK && call.heads.dim_v == kLatentV
           && call.layer.row_bytes <= std::numeric_limits<std::int32_t>::max() && is_device_9_0();
}

template<int kHeads>
cudaError_t launch_by_warpgroup(
    const AttentionCall& call, const RowGrid& rows, dim3 grid, cudaStream_t cuda_stream
) {
    constexpr int kBytes = kGroupSharedBytes<kHeads>;
    const auto status = cudaFuncSetAttribute(
        attention_by_warpgroup<kHeads>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes
    );
    if (status != cudaSuccess) {
        return cudaGetLastError(); // takes it back, or the next launch would report it again
    }
    attention_by_warpgroup<kHeads><<<grid, kGroupBlockThreads, kBytes, cuda_stream>>>(call, rows);
    return cudaGetLastError();
}

template cudaError_t
launch_by_warpgroup<16>(const AttentionCall&, const RowGrid&, dim3, cudaStream_t);
template cudaError_t
launch_by_warpgroup<32>(const AttentionCall&, const RowGrid&, dim3, cudaStream_t);

} // namespace kvprof::kernels::cuda
