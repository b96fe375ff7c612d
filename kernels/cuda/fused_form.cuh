#pragma once

#include "kernels/cuda/lane_inputs.cuh"
#include "kernels/cuda/programmatic_launch.cuh"
#include "kernels/cuda/vector_walk.cuh"
#include "kernels/fused_rules.h"

#include <cstdint>
#include <limits>
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

    static int at_most_int(std::int64_t value) {
        return static_cast<int>(smaller(value, std::numeric_limits<std::int32_t>::max()));
    }
};

/// What describes a lane, and where it begins in the stream and in the windows'.
struct FusedLoads {
    LaneLoads lane;
    int offset = 0;
    int window_offset = 0;
};

template<int PageSize, typename Physical, typename Id>
struct FusedForm {
    using Writer = StreamWriter<PageSize, Physical, Id>;
    using Lane = VectorLane<Writer>;
    using Loads = FusedLoads;
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

    __device__ __forceinline__ bool may_share() const { return shares; }

    __device__ __forceinline__ Loads ask(int lane) const { return {in.ask(lane), 0, 0}; }

    __device__ __forceinline__ int length_in_all(const Loads& loads) const {
        return loads.lane.length + delta;
    }

    __device__ __forceinline__ float length(int lane) const {
        return static_cast<float>(max(in.lens.at(lane) + delta, 0));
    }

    __device__ __forceinline__ float length_of(const Loads& loads) const {
        return static_cast<float>(max(length_in_all(loads), 0));
    }

    /// Tokens that a lane lists in stream 0, or in the windows (1).
    __device__ __forceinline__ int listed(const Loads& loads, int stream) const {
        return stream == 0 ? length_in_all(loads) : min(length_in_all(loads), window);
    }

    __device__ __forceinline__ static Loads
    placed(const Loads& loads, const Offsets<kSums>& before) {
        return {loads.lane, before.at[0], before.at[1]};
    }

    __device__ __forceinline__ Lane lane(int /*lane*/, const Loads& loads) const {
        return lane_of(full, loads, 0, loads.offset);
    }

    /// The last tokens of the lane's length, those that its window has.
    __device__ __forceinline__ Lane window_lane(const Loads& loads) const {
        const int start = length_in_all(loads) - listed(loads, 1);
        return lane_of(windows, loads, start, loads.window_offset);
    }

    __device__ void begin(int lane, const Loads& loads) const;

    __device__ static void finish(int /*lane*/) {}

  private:
    /// The tokens of a lane from position `start` on, to element `offset` and those after it.
    __device__ __forceinline__ Lane
    lane_of(const Stream& stream, const Loads& loads, int start, int offset) const {
        const bool is_inside =
            static_cast<std::uint32_t>(start) < static_cast<std::uint32_t>(readable);
        const int room = min(readable - start, stream.capacity - offset);
        const Writer writer{
            {in.row(loads.lane.row), stream.v2p, stream.v2p_rows, in.page_size},
            stream.mult,
            is_inside ? static_cast<std::uint32_t>(start) : 0,
            stream.out + offset};
        return in.in_vectors(writer, is_inside ? min(length_in_all(loads) - start, room) : 0);
    }
};

} // namespace kvprof::kernels::cuda
