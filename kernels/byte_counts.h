#pragma once

#include "kernels/index_types.h"

#include <algorithm>
#include <cstdint>

/// Pieces of what launches have to move at least (least_bytes.h).
namespace kvprof::kernels {

inline constexpr std::int64_t kInt32 = 4; ///< bytes of an int32 or float element
inline constexpr std::int64_t kInt64 = 8; ///< bytes of an int64 element
inline constexpr std::int64_t kBf16 = 2;

/// Bytes of one element of an array that a call may lack.
[[nodiscard]] inline std::int64_t element_bytes(const void* data, IndexType type) {
    return data == nullptr ? 0 : index_bytes(type);
}

[[nodiscard]] inline std::int64_t element_bytes(const IndexArray& array) {
    return element_bytes(array.data, array.type);
}

[[nodiscard]] inline std::int64_t element_bytes(const V2p& v2p) {
    return element_bytes(v2p.data, v2p.type);
}

template<typename OfLane>
[[nodiscard]] std::int64_t over_lanes(std::int64_t batch, const OfLane& of_lane) {
    std::int64_t sum = 0;
    for (std::int64_t lane = 0; lane < batch; ++lane) {
        sum += of_lane(lane);
    }
    return sum;
}

[[nodiscard]] inline std::int64_t at_least_zero(std::int64_t count) {
    return std::max<std::int64_t>(count, 0);
}

/// Pages that positions [start, start + count) lie on.
[[nodiscard]] inline std::int64_t
pages_between(std::int64_t start, std::int64_t count, std::int64_t page_size) {
    return count <= 0 ? 0 : (start + count - 1) / page_size - start / page_size + 1;
}

/// Row and length: what each lane reads of its own.
[[nodiscard]] inline std::int64_t lane_bytes(const IndexArray& lens) {
    return kInt64 + index_bytes(lens.type);
}

} // namespace kvprof::kernels
