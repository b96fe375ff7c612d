#pragma once

#include "kernels/cuda/lane_inputs.cuh"

#include <cstdint>
#include <limits>

/// The page table and the token stream as forms that split_walk.cuh divides over blocks. Positions
/// and counts have 32 bits here: a row has at most 2^30 columns, and row starts are int32.
namespace kvprof::kernels::cuda {

template<int PageSize, typename Physical>
struct TableForm {
    using Writer = TableWriter<PageSize, Physical>;
    using Lane = VectorLane<Writer>;
    using Loads = LaneLoads;

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

    __device__ Writer writer(const std::int32_t* tokens, std::int32_t* row) const {
        return {in.reader<PageSize, Physical>(tokens), mult, row};
    }

    __device__ Lane lane(int lane, const Loads& loads) const {
        return in.in_vectors(writer(in.row(loads.row), out + lane * stride), columns(loads.length));
    }

    __device__ SharedLane shared(int lane, const Loads& loads) const {
        return shared_lane(this->lane(lane, loads), 0);
    }

    __device__ Lane lane_from(const SharedLane& shared) const {
        return vector_lane(writer(shared.tokens, static_cast<std::int32_t*>(shared.out)), shared);
    }

    __device__ void finish(int lane) const {
        if (tail_end > 0) {
            zero_columns(out + lane * stride, columns(in.lens.at(lane)), tail_end);
        }
    }
};

template<int PageSize, typename Physical, typename Id>
struct StreamForm {
    using Writer = StreamWriter<PageSize, Physical, Id>;
    using Lane = VectorLane<Writer>;

    struct Loads {
        LaneLoads lane;
        int offset = 0;
        int start = 0;
    };

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

    __device__ Writer writer(const std::int32_t* tokens, std::uint32_t start, Id* first) const {
        return {in.reader<PageSize, Physical>(tokens), mult, start, first};
    }

    __device__ Lane lane(int /*lane*/, const Loads& loads) const {
        const auto start = static_cast<std::uint32_t>(loads.start);
        const bool is_inside = start < static_cast<std::uint32_t>(readable);
        const int room = min(readable - loads.start, capacity - loads.offset);
        const int count = is_inside ? min(loads.lane.length, room) : 0;
        return in.in_vectors(
            writer(in.row(loads.lane.row), is_inside ? start : 0, out + loads.offset), count
        );
    }

    __device__ SharedLane shared(int lane, const Loads& loads) const {
        const Lane whole = this->lane(lane, loads);
        return shared_lane(whole, whole.lane.start);
    }

    __device__ Lane lane_from(const SharedLane& shared) const {
        return vector_lane(
            writer(shared.tokens, shared.start, static_cast<Id*>(shared.out)), shared
        );
    }

    __device__ void finish(int /*lane*/) const {}
};

} // namespace kvprof::kernels::cuda
