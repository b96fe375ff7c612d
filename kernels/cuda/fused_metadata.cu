#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/fused_form.cuh"
#include "kernels/cuda/fused_metadata.h"
#include "kernels/cuda/split_walk.cuh"
#include "kernels/cuda/tuned_launch.cuh"

namespace kvprof::kernels::cuda {
namespace {

template<int PageSize, typename Physical, typename Id>
__global__ void __launch_bounds__(ShippedWalk::kThreads, ShippedWalk::kBlocksOfSm)
    fused_metadata_kernel(const __grid_constant__ FusedForm<PageSize, Physical, Id> form) {
    walk_batch<ShippedWalk>(form);
}

template<typename Physical, typename Id>
cudaError_t launch_typed(const FusedMetadataCall& call, cudaStream_t cuda_stream) {
    constexpr int kSums = FusedForm<1, Physical, Id>::kSums;
    const auto shared = call.batch <= kMostSharedLanes ? shared_lane_bytes(call.batch, kSums) : 0;
    const EarlyLaunch how{fused_metadata_shape(call), call.starts_early, shared};
    return with_page_size(call.page_size, [&](auto page_size) {
        using Form = FusedForm<decltype(page_size)::value, Physical, Id>;
        return launch_early(
            fused_metadata_kernel<decltype(page_size)::value, Physical, Id>,
            how,
            cuda_stream,
            Form(call)
        );
    });
}

bool is_supported(const FusedMetadataCall& call) {
    const bool reads_windows = has_windows(call) || call.windows.write_loc != nullptr;
    return call.full.window == 0 && fits_narrow_ids(lanes_of(call, call.full))
           && (!reads_windows
               || (fits_narrow_ids(lanes_of(call, call.windows))
                   && call.windows.v2p.type == call.full.v2p.type
                   && (!has_windows(call) || call.windows.stream.type == call.full.stream.type)));
}

} // namespace

cudaError_t launch(const FusedMetadataCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    if (!is_supported(call)) {
        return cudaErrorInvalidValue;
    }
    return with_index_type(call.full.v2p.type, [&](auto physical) {
        return with_index_type(call.full.stream.type, [&](auto id) {
            return launch_typed<decltype(physical), decltype(id)>(call, cuda_stream);
        });
    });
}

} // namespace kvprof::kernels::cuda
