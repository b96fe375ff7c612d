#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/fused_form.cuh"
#include "kernels/cuda/fused_metadata.h"
#include "kernels/cuda/split_walk.cuh"
#include "kernels/cuda/tuned_launch.cuh"

namespace kvprof::kernels::cuda {
namespace {

/// What planning reads of a lane in one of its streams.
template<typename Stream>
__device__ __forceinline__ void
write_lane(const Stream& stream, int lane, int start, int tokens, int offset) {
    if (lane == 0) {
        stream.indptr[0] = 0;
    }
    stream.indptr[lane + 1] = offset + tokens;
    if (stream.lens != nullptr) {
        stream.lens[lane] = tokens;
    }
    if (stream.starts != nullptr) {
        stream.starts[lane] = start;
    }
}

/// Write id of a location, by write_location's rule; an id past 32 bits has no page.
template<int PageSize, typename Stream>
__device__ __forceinline__ std::int64_t
write_id_of(std::int64_t location, const Stream& stream, std::uint32_t runtime_page_size) {
    const std::uint32_t page_size = PageSize > 0 ? PageSize : runtime_page_size;
    const auto token = static_cast<std::uint32_t>(location);
    const std::uint32_t page = token / page_size;
    const bool is_mapped = static_cast<std::int64_t>(token) == location && page < stream.v2p_rows;
    const std::int64_t physical = __ldg(stream.v2p + (is_mapped ? page : 0U));
    const std::int64_t id = physical * stream.write_rows + token % page_size;
    return is_mapped && physical >= 0 && id > 0 ? id : 0;
}

/// Locations blockIdx.x * threads + threadIdx.x and those a row of blocks further.
template<int PageSize, typename Form>
__device__ __forceinline__ void write_locations(const Form& form) {
    constexpr int kThreads = ShippedWalk::kThreads;
    const int step = static_cast<int>(gridDim.x) * kThreads;
#pragma unroll 1
    for (int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); i < form.out_count;
         i += step) {
        const std::int64_t location = i < form.count ? form.loc[i] : -1; // before it is overwritten
        std::int64_t full = 0;
        if (form.full.write_loc != nullptr) {
            full = write_id_of<PageSize>(location, form.full, form.in.page_size);
        }
        if (form.windows.write_loc != nullptr) {
            form.windows.write_loc[i] =
                write_id_of<PageSize>(location, form.windows, form.in.page_size);
        }
        if (form.full.write_loc != nullptr) {
            form.full.write_loc[i] = full;
        }
    }
}

} // namespace

/// The first block of a lane writes what planning reads of it, in the thread with the least to
/// list; the last ones list its window, and some of them translate locations.
template<int PageSize, typename Physical, typename Id>
__device__ __forceinline__ void
FusedForm<PageSize, Physical, Id>::begin(int lane, int row, const Extent& extent) const {
    if (blockIdx.y == 0 && threadIdx.x == ShippedWalk::kThreads - 1) {
        const int tokens = listed(extent.length, 0);
        write_lane(full, lane, 0, tokens, extent.offset);
        if (window > 0) {
            const int in_window = listed(extent.length, 1);
            write_lane(windows, lane, tokens - in_window, in_window, extent.window_offset);
        }
    }
    const int behind = static_cast<int>(gridDim.y - blockIdx.y);
    if (behind <= window_parts) {
        PartWalk<1, Writer>(window_lane(row, extent), behind - 1, window_parts).run();
    }
    if (behind == 1) {
        write_locations<PageSize>(*this);
    }
}

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
    return call.full.window == 0 && fits_narrow_ids(lanes_of(call, call.full))
           && (!has_windows(call)
               || (fits_narrow_ids(lanes_of(call, call.windows))
                   && call.windows.v2p.type == call.full.v2p.type
                   && call.windows.stream.type == call.full.stream.type));
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
