#pragma once

#include <cstdint>

namespace kvprof::workload {

/// One side of a joint allocation: each page that it can not take from a hole extends the side by
/// `page_bytes`, and it has `hole_pages + index_room_pages` pages at most.
struct JointSide {
    std::int64_t page_bytes = 0;
    std::int64_t hole_pages = 0;
    std::int64_t index_room_pages = 0;
};

/// Largest number of pages that both sides can bind at once out of one gap between them. Holes on
/// both sides pair up for free; then the side with fewer holes extends alone; then both extend.
[[nodiscard]] std::int64_t
joint_pages(std::int64_t gap_bytes, const JointSide& full, const JointSide& swa);

} // namespace kvprof::workload
