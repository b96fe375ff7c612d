#pragma once

#include "kernels/cuda/lane_inputs.cuh"

#include <cstdint>
#include <limits>

/// The page table and the token stream as forms that split_walk.cuh divides over blocks. Positions
/// and counts have 32 bits here: a row has at most 2^30 columns, and row starts are int32.
namespace kvprof::kernels::cuda {

/// What forms have in common that need no sums: each lane's place is known from its loads.
template<typename LaneLoadsOf>
struct PlacedForm {
    using Loads = LaneLoadsOf;
    static constexpr int kSums = 0;

    __device__ static int listed(const Loads& /*loads*/, int /*stream*/) { return 0; }

    __device__ static Loads placed(const Loads& loads, const Offsets<kSums>& /*before*/) {
        return loads;
    }

    __device__ static constexpr bool may_share() { return true; }

    __device__ static void begin(int /*lane*/, const Loads& /*loads*/) {}
};

template<int PageSize, typename Physical>
struct TableForm : PlacedForm<LaneLoads> {
    using Writer = TableWriter<PageSize, Physical>;
    using Lane = VectorLane<Writer>;

    LaneInputs in;
    std::int32_t* out;
    std::int64_t stride;
    std::int64_t tail_end; ///< the columns up to here are zeroed; 0: none
    std::uint32_t mult;
    int cap; ///< column_cap(call)

    explicit TableForm(const PageTableCall& call)
        : in(call.lanes),
          out(call.out),
          stride(call.stride),
          tail_end(call.zero_tail ? call.width : 0),
          mult(static_cast<std::uint32_t>(call.lanes.mult)),
          cap(static_cast<int>(column_cap(call))) {}

    __device__ int batch() const { return in.batch; }

    __device__ Loads ask(int lane) const { return in.ask(lane); }

    __device__ int columns(int length) const {
        const int page_size = PageSize > 0 ? PageSize : static_cast<int>(in.page_size);
        return min(length <= 0 ? 0 : (length - 1) / page_size + 1, cap);
    }

    __device__ float length(int lane) const {
        return static_cast<float>(columns(in.lens.at(lane)));
    }

    __device__ float length_of(const Loads& loads) const {
        return static_cast<float>(columns(loads.length));
    }

    __device__ Lane lane(int lane, const Loads& loads) const {
        const auto reader = in.reader<PageSize, Physical>(in.row(loads.row));
        return in.in_vectors(Writer{reader, mult, out + lane * stride}, columns(loads.length));
    }

    __device__ void finish(int lane) const {
        if (tail_end > 0) {
            zero_columns(out + lane * stride, columns(in.lens.at(lane)), tail_end);
        }
    }
};

/// What describes a lane of a stream.
struct StreamLoads {
    LaneLoads lane;
    int offset = 0; ///< of its first element
    int start = 0;  ///< position of its first token
};

template<int PageSize, typename Physical, typename Id>
struct StreamForm : PlacedForm<StreamLoads> {
    using Writer = StreamWriter<PageSize, Physical, Id>;
    using Lane = VectorLane<Writer>;

    LaneInputs in;
    WordArray starts; ///< some readable array where there are none, under a mask of 0
    int starts_mask;
    const std::int32_t* indptr;
    Id* out;
    std::make_unsigned_t<Id> mult;
    int readable; ///< readable_tokens(call.lanes)
    int capacity; ///< elements of the output that a row start can name

    explicit StreamForm(const TokenStreamCall& call)
        : in(call.lanes),
          starts(call.starts.data == nullptr ? call.lanes.lens : call.starts),
          starts_mask(call.starts.data == nullptr ? 0 : -1),
          indptr(call.indptr),
          out(static_cast<Id*>(call.out.data)),
          mult(static_cast<std::make_unsigned_t<Id>>(call.lanes.mult)),
          readable(static_cast<int>(readable_tokens(call.lanes))),
          capacity(static_cast<int>(smaller(call.capacity, std::numeric_limits<std::int32_t>::max())
          )) {}

    __device__ int batch() const { return in.batch; }

    __device__ Loads ask(int lane) const {
        return {in.ask(lane), __ldg(indptr + lane), starts.at(lane) & starts_mask};
    }

    __device__ float length(int lane) const { return rough(in.lens.at(lane)); }

    __device__ float length_of(const Loads& loads) const { return rough(loads.lane.length); }

    /// Tokens of a lane, but for what the capacity or the row cuts off.
    __device__ static float rough(int length) { return static_cast<float>(max(length, 0)); }

    __device__ Lane lane(int /*lane*/, const Loads& loads) const {
        const auto start = static_cast<std::uint32_t>(loads.start);
        const bool is_inside = start < static_cast<std::uint32_t>(readable);
        const int room = min(readable - loads.start, capacity - loads.offset);
        const int count = is_inside ? min(loads.lane.length, room) : 0;
        const auto reader = in.reader<PageSize, Physical>(in.row(loads.lane.row));
        return in.in_vectors(
            Writer{reader, mult, is_inside ? start : 0, out + loads.offset}, count
        );
    }

    __device__ void finish(int /*lane*/) const {}
};

} // namespace kvprof::kernels::cuda
