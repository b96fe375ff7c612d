#pragma once

#include "kernels/cuda/fused_parts.cuh"
#include "kernels/cuda/lane_inputs.cuh"
#include "kernels/cuda/vector_walk.cuh"
#include "kernels/fused_rules.h"

#include <cstdint>
#include <type_traits>

/// The fused launch as a form that split_walk.cuh divides over blocks: the full stream, before
/// which a block does its part of the windows and of the write locations.
namespace kvprof::kernels::cuda {

/// One pool's part of the call, narrowed.
template<typename Physical, typename Id>
struct NarrowStream {
    const Physical* v2p;
    Id* out;
    std::int32_t* lens;
    std::int32_t* starts;
    std::int32_t* indptr;
    std::int64_t* write_loc;
    std::int64_t write_rows; ///< ids from one page to the next
    std::make_unsigned_t<Id> mult;
    std::uint32_t v2p_rows;
    int capacity;

    NarrowStream(const FusedMetadataCall& call, const FusedStream& stream)
        : v2p(static_cast<const Physical*>(stream.v2p.data)),
          out(static_cast<Id*>(stream.stream.data)),
          lens(stream.lens),
          starts(stream.starts),
          indptr(stream.indptr),
          write_loc(stream.write_loc),
          write_rows(stream.mult * call.page_size),
          mult(static_cast<std::make_unsigned_t<Id>>(stream.mult)),
          v2p_rows(reachable_rows(stream.v2p)),
          capacity(at_most_int(stream.capacity)) {}
};

/// The length of a lane, and where it begins in the stream and in the windows'.
struct FusedExtent {
    int length = 0;
    int offset = 0;
    int window_offset = 0;
};

template<int PageSize, typename Physical, typename Id>
struct FusedForm {
    using Writer = StreamWriter<PageSize, Physical, Id>;
    using Lane = VectorLane<Writer>;
    using Extent = FusedExtent;
    using Stream = NarrowStream<Physical, Id>;
    static constexpr int kSums = 2; ///< tokens, and tokens of windows

    LaneInputs in;
    int delta;
    int readable; ///< readable_tokens
    int window;   ///< most tokens that a lane has in the windows; 0 without windows
    int window_parts;
    bool shares;
    Stream full;
    Stream windows;
    const std::int64_t* loc;
    int count;
    int out_count;

    explicit FusedForm(const FusedMetadataCall& call)
        : in(lanes_of(call, call.full)),
          delta(static_cast<int>(call.delta)),
          readable(static_cast<int>(readable_tokens(lanes_of(call, call.full)))),
          window(has_windows(call) ? static_cast<int>(most_in_window(call)) : 0),
          window_parts(static_cast<int>(kernels::window_parts(call))),
          shares(call.batch <= kMostSharedLanes),
          full(call, call.full),
          windows(call, call.windows),
          loc(call.loc),
          count(static_cast<int>(smaller(call.count, call.out_count))),
          out_count(static_cast<int>(call.out_count)) {}

    __device__ __forceinline__ int batch() const { return in.batch; }

    __device__ __forceinline__ int row(int lane) const { return in.rows.at(lane); }

    __device__ __forceinline__ bool may_share() const { return shares; }

    __device__ __forceinline__ int ask_length(int lane) const { return in.lens.at(lane) + delta; }

    __device__ __forceinline__ Extent ask(int lane, const Offsets<kSums>& before) const {
        return placed(ask_length(lane), before);
    }

    __device__ __forceinline__ static Extent placed(int length, const Offsets<kSums>& before) {
        return {length, before.at[0], before.at[1]};
    }

    __device__ __forceinline__ static int items(int length) { return max(length, 0); }

    /// Tokens that a lane lists in stream 0, or in the windows (1).
    __device__ __forceinline__ int listed(int length, int stream) const {
        return stream == 0 ? length : min(length, window);
    }

    __device__ __forceinline__ Lane lane(int /*lane*/, int row, const Extent& extent) const {
        const int room = min(readable, full.capacity - extent.offset);
        return in.in_vectors(writer(full, row, 0, extent.offset), min(extent.length, room));
    }

    /// The last tokens of the lane's length, those that its window has.
    __device__ __forceinline__ Lane window_lane(int row, const Extent& extent) const {
        const int tokens = listed(extent.length, 1);
        const int start = extent.length - tokens;
        const int room = min(readable - start, windows.capacity - extent.window_offset);
        const int first = start < readable ? start : 0;
        return in.in_vectors(writer(windows, row, first, extent.window_offset), min(tokens, room));
    }

    /// The first block of a lane writes what planning reads of it, in the thread with the least to
    /// list; the last ones list its window, and some of them translate locations.
    __device__ __forceinline__ void begin(int lane, int row, const Extent& extent) const {
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

    __device__ static void finish(int /*lane*/) {}

  private:
    __device__ __forceinline__ Writer
    writer(const Stream& stream, int row, int start, int offset) const {
        return {
            {in.row(row), stream.v2p, stream.v2p_rows, in.page_size},
            stream.mult,
            static_cast<std::uint32_t>(start),
            stream.out + offset};
    }
};

} // namespace kvprof::kernels::cuda
