#pragma once

#include "kernels/balance_rules.h"
#include "kernels/cuda/lane_inputs.cuh"
#include "kernels/cuda/split_walk.cuh"
#include "kernels/fused_rules.h"

#include <cstdint>
#include <limits>
#include <type_traits>

/// Streams of the fused launch, whose row starts no kernel has made before: each block adds up the
/// lengths in front of its lane.
namespace kvprof::kernels::cuda {

/// A stream of the call, narrowed. A full stream is a window that cuts nothing.
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
    int window;
    int capacity;
    int parts; ///< blocks of each lane

    NarrowStream() = default;

    NarrowStream(const FusedMetadataCall& call, const FusedStream& stream, std::int64_t blocks)
        : v2p(static_cast<const Physical*>(stream.v2p.data)),
          out(static_cast<Id*>(stream.stream.data)),
          lens(stream.lens),
          starts(stream.starts),
          indptr(stream.indptr),
          write_loc(stream.write_loc),
          write_rows(stream.mult * call.page_size),
          mult(static_cast<std::make_unsigned_t<Id>>(stream.mult)),
          v2p_rows(reachable_rows(stream.v2p)),
          window(at_most_int(stream.window > 0 ? stream.window : kMostInt)),
          capacity(at_most_int(stream.capacity)),
          parts(static_cast<int>(blocks)) {}

  private:
    static constexpr std::int64_t kMostInt = std::numeric_limits<std::int32_t>::max();

    static int at_most_int(std::int64_t value) {
        return static_cast<int>(smaller(value, kMostInt));
    }
};

/// What the launch's blocks load.
template<typename Physical, typename Id>
struct FusedInputs {
    using Stream = NarrowStream<Physical, Id>;

    LaneInputs in;
    int delta;
    int readable; ///< readable_tokens
    bool balances;
    Stream streams[2]; ///< full, windows
    const std::int64_t* loc;
    int count;
    int out_count;

    explicit FusedInputs(const FusedMetadataCall& call)
        : in(lanes_of(call, call.full)),
          delta(static_cast<int>(call.delta)),
          readable(static_cast<int>(readable_tokens(lanes_of(call, call.full)))),
          balances(call.batch <= kMostSharedLanes),
          streams{{call, call.full, full_parts(call)}, {call, call.windows, window_parts(call)}},
          loc(call.loc),
          count(static_cast<int>(smaller(call.count, call.out_count))),
          out_count(static_cast<int>(call.out_count)) {}
};

/// A stream as walk_share takes it.
template<int PageSize, typename Physical, typename Id>
struct FusedForm {
    using Writer = StreamWriter<PageSize, Physical, Id>;
    using Lane = VectorLane<Writer>;

    const FusedInputs<Physical, Id>& all;
    const NarrowStream<Physical, Id>& stream;

    __device__ __forceinline__ int batch() const { return all.in.batch; }

    /// Tokens that a lane of this length lists.
    __device__ __forceinline__ int listed(int length) const {
        return min(length + all.delta, stream.window);
    }

    /// Whether lengths differ so that it is worth while to add them up.
    __device__ __forceinline__ bool is_apart_from(int first_length, int tokens) const {
        return is_apart(
            static_cast<float>(tokens),
            static_cast<float>(listed(first_length)),
            static_cast<float>(batch())
        );
    }

    __device__ __forceinline__ Writer
    writer(const std::int32_t* tokens, std::uint32_t start, Id* first) const {
        return {{tokens, stream.v2p, stream.v2p_rows, all.in.page_size}, stream.mult, start, first};
    }

    __device__ __forceinline__ Lane lane(const LaneLoads& loads, int offset) const {
        const int listed_tokens = listed(loads.length);
        const int start = loads.length + all.delta - listed_tokens;
        const bool is_inside =
            static_cast<std::uint32_t>(start) < static_cast<std::uint32_t>(all.readable);
        const int room = min(all.readable - start, stream.capacity - offset);
        return all.in.in_vectors(
            writer(
                all.in.row(loads.row),
                is_inside ? static_cast<std::uint32_t>(start) : 0,
                stream.out + offset
            ),
            is_inside ? min(listed_tokens, room) : 0
        );
    }

    __device__ __forceinline__ Lane lane_from(const SharedLane& shared) const {
        return vector_lane(
            writer(shared.tokens, shared.start, static_cast<Id*>(shared.out)), shared
        );
    }
};

/// body(lane, length) for this thread's lanes: threadIdx.x and those whole blocks further. The
/// first two are asked for at once.
template<typename Body>
__device__ __forceinline__ void for_own_lanes(const LaneInputs& in, const Body& body) {
    const int width = static_cast<int>(blockDim.x);
    int lane = static_cast<int>(threadIdx.x);
    const int first = lane < in.batch ? in.lens.at(lane) : 0;
    const int second = lane + width < in.batch ? in.lens.at(lane + width) : 0;
    if (lane < in.batch) {
        body(lane, first);
    }
    if (lane + width < in.batch) {
        body(lane + width, second);
    }
#pragma unroll 1
    for (lane += 2 * width; lane < in.batch; lane += width) {
        body(lane, in.lens.at(lane));
    }
}

/// Sum over the warps of a block of what each has left in shared memory.
__device__ __forceinline__ int sum_of_warps(const int* of_warps) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const bool is_warp = lane < static_cast<int>(blockDim.x) / kWarp;
    return __reduce_add_sync(kWholeWarp, is_warp ? of_warps[lane] : 0);
}

/// Whether equal shares pay (balance_rules.h): the same answer in every block of a stream.
template<typename Form>
__device__ __forceinline__ bool is_skewed_stream(const Form& form) {
    __shared__ int sums[kWarp];
    __shared__ int most[kWarp];
    int total = 0;
    int longest = 0;
    for_own_lanes(form.all.in, [&](int /*lane*/, int length) {
        const int tokens = max(form.listed(length), 0);
        total += static_cast<int>(length_units(tokens));
        longest = max(longest, tokens);
    });
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    sums[warp] = __reduce_add_sync(kWholeWarp, total);
    most[warp] = __reduce_max_sync(kWholeWarp, longest);
    __syncthreads();
    total = sum_of_warps(sums);
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const bool is_warp = lane < static_cast<int>(blockDim.x) / kWarp;
    longest = __reduce_max_sync(kWholeWarp, is_warp ? most[lane] : 0);
    return is_skewed(
        static_cast<float>(longest),
        static_cast<float>(form.batch()),
        static_cast<float>(total * kLengthUnit)
    );
}

/// Puts all lanes into shared memory and returns the vectors of all of them.
template<typename Form>
__device__ __forceinline__ int share_fused_lanes(const Form& form) {
    extern __shared__ SharedLane lanes[];
    __shared__ int token_sums[kWarp];
    __shared__ int vector_sums[kWarp];
    const int width = static_cast<int>(blockDim.x);
    int tokens_before = 0;
    int vectors_before = 0;
#pragma unroll 1
    for (int base = 0; base < form.batch(); base += width) {
        const int at = base + static_cast<int>(threadIdx.x);
        const bool is_lane = at < form.batch();
        const LaneLoads loads = form.all.in.ask(is_lane ? at : 0);
        const BlockPrefix tokens = block_sums(is_lane ? form.listed(loads.length) : 0, token_sums);
        const auto whole = form.lane(loads, tokens_before + tokens.before);
        const int own = is_lane ? whole.vectors() : 0;
        const BlockPrefix vectors = block_sums(own, vector_sums);
        if (is_lane) {
            SharedLane lane = shared_lane(whole, whole.lane.start);
            lane.end = vectors_before + vectors.before + own;
            lanes[at] = lane;
        }
        tokens_before += tokens.all;
        vectors_before += vectors.all;
        __syncthreads(); // and the sums may be overwritten
    }
    return vectors_before;
}

} // namespace kvprof::kernels::cuda
