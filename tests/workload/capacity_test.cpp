#include "capture/workload/capacity.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kvprof::workload {

namespace {

/// Counts up from 0 as long as one page more still fits.
std::int64_t counted_pages(std::int64_t gap, const JointSide& full, const JointSide& swa) {
    const auto fits = [&](std::int64_t pages) {
        const auto extension = [pages](const JointSide& side) {
            return std::max<std::int64_t>(0, pages - side.hole_pages);
        };
        return extension(full) * full.page_bytes + extension(swa) * swa.page_bytes <= gap
               && extension(full) <= full.index_room_pages
               && extension(swa) <= swa.index_room_pages;
    };
    std::int64_t pages = 0;
    while (fits(pages + 1)) {
        ++pages;
    }
    return pages;
}

} // namespace

TEST(JointCapacity, WithoutHolesEachPageTakesBothSizes) {
    EXPECT_EQ(
        joint_pages(
            100,
            {.page_bytes = 12, .hole_pages = 0, .index_room_pages = 99},
            {.page_bytes = 4, .hole_pages = 0, .index_room_pages = 99}
        ),
        6
    );
}

TEST(JointCapacity, PairsHolesThenExtendsTheSideWithFewerThenBoth) {
    // Two pairs of holes; three full holes left, for which swa extends by 12 B; 88 B give five
    // more.
    EXPECT_EQ(
        joint_pages(
            100,
            {.page_bytes = 12, .hole_pages = 5, .index_room_pages = 99},
            {.page_bytes = 4, .hole_pages = 2, .index_room_pages = 99}
        ),
        2 + 3 + 5
    );
}

TEST(JointCapacity, IsBoundedByTheGridOfEitherSide) {
    EXPECT_EQ(
        joint_pages(
            100,
            {.page_bytes = 12, .hole_pages = 1, .index_room_pages = 2},
            {.page_bytes = 4, .hole_pages = 0, .index_room_pages = 99}
        ),
        3
    );
}

TEST(JointCapacity, P12EqualsCountingUpInEverySmallCase) {
    for (std::int64_t gap = 0; gap < 40; ++gap) {
        for (std::int64_t bits = 0; bits < 4 * 4 * 4 * 4; ++bits) {
            const JointSide full{
                .page_bytes = 3, .hole_pages = bits % 4, .index_room_pages = bits / 4 % 4 * 3};
            const JointSide swa{
                .page_bytes = 2, .hole_pages = bits / 16 % 4, .index_room_pages = bits / 64 * 3};
            ASSERT_EQ(joint_pages(gap, full, swa), counted_pages(gap, full, swa))
                << gap << " " << bits;
        }
    }
}

namespace {

/// Full pages of 12 B above, a floating swa of 4 B pages in the middle of 40 pages, of which page 0
/// is the sink.
JointFloat chain_of(FloatSpan swa, std::int64_t full_holes = 0) {
    return {
        .full = {.page_bytes = 12, .hole_pages = full_holes, .index_room_pages = 12},
        .full_frontier = 160,
        .up_frontier = 4,
        .swa_page_bytes = 4,
        .swa_grid = {1, 40},
        .swa = swa};
}

} // namespace

TEST(JointFloatCapacity, AnEmptyFloatSharesTheWholeGap) {
    EXPECT_EQ(joint_pages(chain_of({})), (160 - 4) / (12 + 4));
}

TEST(JointFloatCapacity, FullExtendsAboveTheFloatOnly) {
    // 48 B above: full takes 4 pages, and swa its 4 from the 27 below.
    EXPECT_EQ(joint_pages(chain_of({.low = 26, .high = 28})), 4);
    EXPECT_TRUE(joint_fits(chain_of({.low = 26, .high = 28}), 4));
    EXPECT_FALSE(joint_fits(chain_of({.low = 26, .high = 28}), 5));
}

TEST(JointFloatCapacity, WithoutRoomBelowBothShareTheGapAbove) {
    EXPECT_EQ(joint_pages(chain_of({.low = 1, .high = 8})), (160 - 32) / (12 + 4));
}

TEST(JointFloatCapacity, HolesOnEitherSideAreTakenFirst) {
    EXPECT_EQ(joint_pages(chain_of({.low = 1, .high = 40}, 5)), 0);
    EXPECT_EQ(joint_pages(chain_of({.low = 1, .high = 40, .hole_pages = 3}, 5)), 3);
}

TEST(JointFloatCapacity, IsBoundedByTheGridOfEitherSide) {
    JointFloat chain = chain_of({});
    chain.full.index_room_pages = 2;
    EXPECT_EQ(joint_pages(chain), 2);
    chain = chain_of({});
    chain.swa_grid = {1, 5};
    EXPECT_EQ(joint_pages(chain), 4);
}

} // namespace kvprof::workload
