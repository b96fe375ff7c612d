#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/fused_form.cuh"
#include "kernels/cuda/fused_metadata.h"
#include "kernels/cuda/programmatic_launch.cuh"
#include "kernels/cuda/vector_walk.cuh"

namespace kvprof::kernels::cuda {
namespace {

constexpr int kThreads = kFusedTuning.threads;
constexpr int kBlocksOfSm = 2048 / kThreads;

/// What planning reads of a lane, by one thread of its first block: the last, whose warp has the
/// least to list.
template<typename Form>
__device__ __forceinline__ void write_lane(const Form& form, int length, int offset) {
    const int lane = static_cast<int>(blockIdx.x);
    const int tokens = form.listed(length);
    if (lane == 0) {
        form.stream.indptr[0] = 0;
    }
    form.stream.indptr[lane + 1] = offset + tokens;
    if (form.stream.lens != nullptr) {
        form.stream.lens[lane] = tokens;
    }
    if (form.stream.starts != nullptr) {
        form.stream.starts[lane] = length + form.all.delta - tokens;
    }
}

/// Lane blockIdx.x, part `part` of a stream. Windows are no longer than they are, and stay in rows.
template<bool kBalances, typename Form>
__device__ __forceinline__ void list_stream(const Form& form, int part) {
    __shared__ int sums[kWarp];
    const LaneInputs& in = form.all.in;
    const int own = static_cast<int>(blockIdx.x);
    const LaneLoads loads = in.ask(own);
    const int first = kBalances ? in.lens.at(0) : 0;
    int before = 0;
    bool is_any_apart = false;
    for_own_lanes(in, [&](int lane, int length) {
        const int tokens = form.listed(length);
        before += lane < own ? tokens : 0;
        if constexpr (kBalances) {
            is_any_apart = is_any_apart || form.is_apart_from(first, tokens);
        }
    });
    sums[threadIdx.x / kWarp] = __reduce_add_sync(kWholeWarp, before);
    is_any_apart = __syncthreads_or(is_any_apart ? 1 : 0) != 0;
    const int offset = sum_of_warps(sums);
    let_next_start();
    if (part == 0 && threadIdx.x == kThreads - 1) {
        write_lane(form, loads.length, offset);
    }
    if constexpr (kBalances) {
        if (is_any_apart && form.all.balances && is_skewed_stream(form)) {
            const int lanes = static_cast<int>(gridDim.x);
            const int end = share_fused_lanes(form);
            walk_share(form, end, part * lanes + own, form.stream.parts * lanes);
            return;
        }
    }
    walk_part<1>(form.lane(loads, offset), part, form.stream.parts);
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

/// Locations blockIdx.x * kThreads + threadIdx.x and those a row of blocks further.
template<int PageSize, typename Inputs>
__device__ __forceinline__ void write_locations(const Inputs& all) {
    const int step = static_cast<int>(gridDim.x) * kThreads;
#pragma unroll 1
    for (int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); i < all.out_count;
         i += step) {
        const std::int64_t location = i < all.count ? all.loc[i] : -1; // before it is overwritten
        std::int64_t ids[2];
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            const auto& stream = all.streams[s];
            const bool is_written = stream.write_loc != nullptr;
            ids[s] = is_written ? write_id_of<PageSize>(location, stream, all.in.page_size) : 0;
        }
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            if (all.streams[s].write_loc != nullptr) {
                all.streams[s].write_loc[i] = ids[s];
            }
        }
    }
}

/// Rows of blocks in y: the full stream's, the windows', and one for the write locations.
template<int PageSize, typename Physical, typename Id>
__global__ void __launch_bounds__(kThreads, kBlocksOfSm)
    fused_metadata_kernel(const __grid_constant__ FusedInputs<Physical, Id> all) {
    using Form = FusedForm<PageSize, Physical, Id>;
    wait_for_previous();
    const int row = static_cast<int>(blockIdx.y);
    const int full_rows = all.streams[0].parts;
    if (row >= full_rows + all.streams[1].parts) {
        let_next_start();
        write_locations<PageSize>(all);
        return;
    }
    if (row < full_rows) {
        list_stream<true>(Form{all, all.streams[0]}, row);
    } else {
        list_stream<false>(Form{all, all.streams[1]}, row - full_rows);
    }
}

template<typename Physical, typename Id>
cudaError_t launch_typed(const FusedMetadataCall& call, cudaStream_t cuda_stream) {
    const FusedInputs<Physical, Id> inputs(call);
    const auto shared = inputs.balances ? shared_lane_bytes(call.batch) : 0;
    const EarlyLaunch how{fused_metadata_shape(call), call.starts_early, shared};
    return with_page_size(call.page_size, [&](auto page_size) {
        return launch_early(
            fused_metadata_kernel<decltype(page_size)::value, Physical, Id>,
            how,
            cuda_stream,
            inputs
        );
    });
}

bool is_narrow(const FusedMetadataCall& call) {
    return fits_narrow_ids(lanes_of(call, call.full))
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
    if (!is_narrow(call)) {
        return cudaErrorInvalidValue;
    }
    return with_index_type(call.full.v2p.type, [&](auto physical) {
        return with_index_type(call.full.stream.type, [&](auto id) {
            return launch_typed<decltype(physical), decltype(id)>(call, cuda_stream);
        });
    });
}

} // namespace kvprof::kernels::cuda
