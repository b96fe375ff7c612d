#pragma once

#include "kernels/cuda/lane_walk.cuh"
#include "kernels/cuda/vector_walk.cuh"

#include <cstdint>
#include <limits>

/// What the read kernels load of a call, narrowed once on the host. Eight warps of an SM's
/// scheduler stand in line for every instruction of the way to the first token, so that each one
/// counts.
namespace kvprof::kernels::cuda {

/// A size that 32-bit arithmetic can use: no output is longer than a row start can say.
[[nodiscard]] inline int at_most_int(std::int64_t value) {
    return static_cast<int>(smaller(value, std::numeric_limits<std::int32_t>::max()));
}

/// A load of what does not change while the kernel runs, in the order of the source: the compiler
/// would move some to where they are first used, and their latencies would add up.
__device__ __forceinline__ int load_in_order(const std::int32_t* word) {
    int value = 0;
    asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(value) : "l"(word));
    return value;
}

/// An index array of either width, of which the low words say everything: its values are int32.
struct WordArray {
    const std::int32_t* words = nullptr;
    int width = 1; ///< words of an element

    WordArray() = default;

    explicit WordArray(const IndexArray& array)
        : words(static_cast<const std::int32_t*>(array.data)),
          width(array.type == IndexType::i32 ? 1 : 2) {}

    __device__ __forceinline__ int at(int element) const {
        return load_in_order(words + element * width);
    }
};

/// Where a lane begins in each stream whose row starts a form adds up itself. kCount may be 0.
template<int kCount>
struct Offsets {
    int at[kCount > 0 ? kCount : 1] = {};
};

/// Elements by which an output lies past a vector's boundary.
template<typename Output>
__device__ __forceinline__ int lead_of(const Output* out) {
    const auto low = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(out));
    return static_cast<int>(low / static_cast<std::uint32_t>(sizeof(Output)) % kVector);
}

struct LaneInputs {
    const std::int32_t* req_to_token = nullptr;
    WordArray rows;
    WordArray lens;
    const void* v2p = nullptr;
    std::uint32_t v2p_rows = 0;
    std::uint32_t page_size = 1;
    int columns = 0; ///< of req_to_token
    int batch = 0;
    int alike = 0; ///< alike_up_to
    /// 0 when all rows begin at multiples of 16 bytes: then a vector of a lane's last tokens ends
    /// inside its row.
    std::uint32_t misalignment = 0;

    explicit LaneInputs(const ReadLanes& lanes)
        : req_to_token(lanes.req_to_token),
          rows(IndexArray{lanes.rows, IndexType::i64}),
          lens(lanes.lens),
          v2p(lanes.v2p.data),
          v2p_rows(reachable_rows(lanes.v2p)),
          page_size(static_cast<std::uint32_t>(lanes.page_size)),
          columns(static_cast<int>(lanes.req_columns)),
          batch(static_cast<int>(lanes.batch)),
          alike(alike_up_to(lanes.batch)),
          misalignment(static_cast<std::uint32_t>(
              static_cast<std::uint64_t>(lanes.req_columns) % kVector
              | reinterpret_cast<std::uintptr_t>(lanes.req_to_token) % 16
          )) {}

    const __device__ __forceinline__ std::int32_t* row(int row) const {
        return req_to_token + static_cast<std::int64_t>(row) * columns;
    }

    template<int PageSize, typename Physical>
    __device__ __forceinline__ LaneReader<PageSize, Physical> reader(const std::int32_t* tokens
    ) const {
        return {tokens, v2p, v2p_rows, page_size};
    }

    template<typename Lane>
    __device__ __forceinline__ VectorLane<Lane> in_vectors(const Lane& lane, int count) const {
        const auto token =
            static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(lane.first_token()));
        const auto lead = static_cast<std::uint32_t>(lead_of(lane.out));
        const bool is_packed = Lane::kHasTokensInRow && (token % 16 | lead | misalignment) == 0;
        return {lane, count, static_cast<int>(lead), is_packed};
    }
};

} // namespace kvprof::kernels::cuda
