#pragma once

#include "kernels/cuda/tuned_launch.cuh"

#include <cstdint>

/// What the fused launch writes besides streams: rows that planning reads, and write locations.
namespace kvprof::kernels::cuda {

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

} // namespace kvprof::kernels::cuda
