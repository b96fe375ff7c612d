#pragma once

#include "kernels/cuda/lane_inputs.cuh"

#include <cstdint>

/// The page table and the token stream as forms that split_walk.cuh divides over blocks. Positions
/// and counts have 32 bits here: a row has at most 2^30 columns, and row starts are int32.
namespace kvprof::kernels::cuda {

/// What forms have in common that need no sums: each lane's place is known from its loads.
struct PlacedForm {
    static constexpr int kSums = 0;

    __device__ static int listed(int /*length*/, int /*stream*/) { return 0; }
};

/// The table's rows: a lane's extent is its length.
template<int PageSize, typename Physical>
struct TableForm : PlacedForm {
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

    __device__ int row(int lane) const { return in.rows.at(lane); }

    __device__ int ask_length(int lane) const { return in.lens.at(lane); }

    __device__ int ask(int lane, const Offsets<kSums>& /*before*/) const {
        return ask_length(lane);
    }

    __device__ static int length_of(int length) { return length; }

    /// Columns of a lane.
    __device__ int items(int length) const {
        const int page_size = PageSize > 0 ? PageSize : static_cast<int>(in.page_size);
        return min(length <= 0 ? 0 : (length - 1) / page_size + 1, cap);
    }

    __device__ Lane lane(int lane, int row, int length) const {
        const auto reader = in.reader<PageSize, Physical>(in.row(row));
        return in.in_vectors(Writer{reader, mult, out + lane * stride}, items(length));
    }

    __device__ void finish(int lane) const {
        if (tail_end > 0) {
            zero_columns(out + lane * stride, items(in.lens.at(lane)), tail_end);
        }
    }
};

struct StreamExtent {
    int length = 0;
    int offset = 0; ///< of its first element
    int start = 0;  ///< position of its first token
};

template<int PageSize, typename Physical, typename Id>
struct StreamForm : PlacedForm {
    using Writer = StreamWriter<PageSize, Physical, Id>;
    using Lane = VectorLane<Writer>;

    LaneInputs in;
    WordArray starts; ///< null where every lane begins at its first token
    const std::int32_t* indptr;
    Id* out;
    std::make_unsigned_t<Id> mult;
    int readable; ///< readable_tokens(call.lanes)
    int capacity; ///< elements of the output that a row start can name

    explicit StreamForm(const TokenStreamCall& call)
        : in(call.lanes),
          starts(call.starts),
          indptr(call.indptr),
          out(static_cast<Id*>(call.out.data)),
          mult(static_cast<std::make_unsigned_t<Id>>(call.lanes.mult)),
          readable(static_cast<int>(readable_tokens(call.lanes))),
          capacity(at_most_int(call.capacity)) {}

    __device__ int batch() const { return in.batch; }

    __device__ int row(int lane) const { return in.rows.at(lane); }

    __device__ int ask_length(int lane) const { return in.lens.at(lane); }

    __device__ StreamExtent ask(int lane, const Offsets<kSums>& /*before*/) const {
        return {
            ask_length(lane),
            load_in_order(indptr + lane),
            starts.words == nullptr ? 0 : starts.at(lane)};
    }

    __device__ static int length_of(const StreamExtent& extent) { return extent.length; }

    /// Tokens of a lane, but for what the capacity or the row cuts off.
    __device__ static int items(int length) { return max(length, 0); }

    __device__ Lane lane(int /*lane*/, int row, const StreamExtent& extent) const {
        const auto start = static_cast<std::uint32_t>(extent.start);
        const bool is_inside = start < static_cast<std::uint32_t>(readable);
        const int room = min(readable - extent.start, capacity - extent.offset);
        const int count = is_inside ? min(extent.length, room) : 0;
        const auto reader = in.reader<PageSize, Physical>(in.row(row));
        return in.in_vectors(
            Writer{reader, mult, is_inside ? start : 0, out + extent.offset}, count
        );
    }

    __device__ void finish(int /*lane*/) const {}
};

} // namespace kvprof::kernels::cuda
