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

/// Pages [low, high) of a floating sub-pool's grid; none of them when both are equal.
struct FloatSpan {
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::int64_t hole_pages = 0;

    friend bool operator==(const FloatSpan&, const FloatSpan&) = default;
};

/// The pages of a floating sub-pool's grid that lie whole between two byte addresses: [low, high).
struct PageRoom {
    std::int64_t low = 0;
    std::int64_t high = 0;
};

/// A joint allocation out of a chain with a FLOAT: full, which grows down from `full_frontier`, and
/// a floating swa below it, which extends on the side with the larger room.
struct JointFloat {
    JointSide full;
    std::int64_t full_frontier = 0; ///< bytes
    std::int64_t up_frontier = 0;   ///< bytes, of the grow-up END
    std::int64_t swa_page_bytes = 0;
    PageRoom swa_grid; ///< pages that its grid hands out
    FloatSpan swa;
};

[[nodiscard]] PageRoom room_between(
    std::int64_t low_bytes, std::int64_t high_bytes, std::int64_t page_bytes, const PageRoom& grid
);
[[nodiscard]] bool joint_fits(const JointFloat& chain, std::int64_t pages);
/// Largest number of pages for which joint_fits() holds: it holds for every smaller one too.
[[nodiscard]] std::int64_t joint_pages(const JointFloat& chain);

} // namespace kvprof::workload
