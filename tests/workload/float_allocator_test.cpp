#include "capture/workload/float_allocator.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::workload {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Twenty pages of 4 bytes in 80 bytes; page 0 is the sink.
const PoolGrid kGrid{
    .pool = {.kind = StateKind::swa, .growth = Growth::floating, .entry_bytes = 4},
    .num_pages = 20,
    .min_slot = 1,
    .min_page = 1};
/// Between the sink and the top.
constexpr ByteGap kAll{Bytes{4}, Bytes{80}};

FloatAllocator float_of(std::int64_t owner_rows = 101) {
    return {kGrid, owner_rows};
}

std::vector<VirtualPage> pages(std::int64_t first, std::int64_t count) {
    std::vector<VirtualPage> list;
    for (std::int64_t i = 0; i < count; ++i) {
        list.push_back({first + i});
    }
    return list;
}

PageMove move(std::int64_t from, std::int64_t to) {
    return {.from = {from}, .to = {to}};
}

FloatSpan span(std::int64_t low, std::int64_t high, std::int64_t holes = 0) {
    return {.low = low, .high = high, .hole_pages = holes};
}

} // namespace

TEST(FloatAllocator, P15HasTheRowsOfItsOwner) {
    EXPECT_EQ(float_of(101).tables().v2p().size(), 101U);
    EXPECT_EQ(float_of(101).tables().p2v().size(), 21U);
}

TEST(FloatAllocator, FirstSpanLiesInTheMiddleOfTheFreeRegion) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 3), kAll);
    EXPECT_EQ(middle.span(), span(9, 12)); // 8 pages free on either side of it
    EXPECT_EQ(middle.physical({50}), PhysicalPage{9});
    EXPECT_EQ(middle.physical({52}), PhysicalPage{11});
}

TEST(FloatAllocator, ExtendsOnTheSideWithTheLargerGap) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 2), {Bytes{4}, Bytes{24}}); // pages 1..5
    ASSERT_EQ(middle.span(), span(2, 4));
    middle.bind(pages(60, 2), kAll);
    EXPECT_EQ(middle.span(), span(2, 6));
    middle.bind(pages(70, 1), {Bytes{4}, Bytes{24}});
    EXPECT_EQ(middle.span(), span(1, 6));
    EXPECT_EQ(middle.physical({70}), PhysicalPage{1});
}

TEST(FloatAllocator, P12CountsHolesAndTheLargerOfItsTwoGaps) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 4), kAll); // 8..11: 7 pages below, 8 above
    middle.free(pages(51, 1));
    EXPECT_EQ(middle.available_pages(kAll), 1 + 8);
    EXPECT_THROW(middle.bind(pages(60, 10), kAll), UnavailableError);
    EXPECT_EQ(middle.live_pages(), 3);
    middle.bind(pages(60, 9), kAll);
    EXPECT_EQ(middle.physical({60}), PhysicalPage{9}); // the hole first
}

TEST(FloatAllocator, ShortfallCarriesTheNumbers) {
    FloatAllocator middle = float_of();
    try {
        middle.bind(pages(50, 20), kAll);
        FAIL() << "19 pages fit";
    } catch (const UnavailableError& error) {
        EXPECT_STREQ(
            error.what(),
            "could not place 20 swa pages of 4 B: 19 are available between byte 4 and byte 80"
        );
    }
}

TEST(FloatAllocator, FreeLeavesItsEdgesUntilTheNextFlush) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 4), kAll);
    middle.free(pages(50, 1));
    middle.free(pages(53, 1));
    EXPECT_EQ(middle.span(), span(8, 12, 2));
    middle.flush();
    EXPECT_EQ(middle.span(), span(9, 11));
}

TEST(FloatAllocator, FlushKeepsHolesInside) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 4), kAll);
    middle.free(pages(51, 1));
    middle.flush();
    EXPECT_EQ(middle.span(), span(8, 12, 1));
    EXPECT_THAT(middle.holes(), ElementsAre(PhysicalPage{9}));
}

TEST(FloatAllocator, IsTransparentWithoutAPage) {
    FloatAllocator middle = float_of();
    EXPECT_TRUE(middle.is_empty());
    middle.bind(pages(50, 4), kAll);
    middle.free(pages(50, 4));
    EXPECT_TRUE(middle.is_empty());
    EXPECT_EQ(middle.span(), span(0, 0));
    EXPECT_EQ(middle.available_pages(kAll), 19);
}

TEST(FloatAllocator, SkipsPagesThatLeftTheWindowBefore) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 2), kAll);
    middle.free(pages(50, 1));
    middle.free(pages(49, 2));
    EXPECT_EQ(middle.live_pages(), 1);
    EXPECT_THAT(middle.holes(), ElementsAre(PhysicalPage{9}));
}

TEST(FloatAllocator, P11SlideMovesTheFewestBoundaryPages) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 6), kAll); // 7..12
    EXPECT_THAT(
        middle.make_room(Side::low, 5, kAll), // 2 pages hold 5 bytes
        ElementsAre(move(7, 13), move(8, 14))
    );
    EXPECT_EQ(middle.span(), span(9, 15));
    EXPECT_EQ(middle.physical({50}), PhysicalPage{13});
    middle.check_invariants();
}

TEST(FloatAllocator, P11SlideFillsHolesBeforeItTakesNewPages) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 6), kAll); // 7..12
    middle.free(pages(52, 1));       // 9
    middle.free(pages(54, 1));       // 11
    EXPECT_THAT(middle.make_room(Side::low, 4, kAll), ElementsAre(move(7, 11)));
    EXPECT_EQ(middle.span(), span(8, 13, 1));
    EXPECT_THAT(middle.make_room(Side::high, 4, kAll), ElementsAre(move(12, 9)));
    EXPECT_EQ(middle.span(), span(8, 12));
}

TEST(FloatAllocator, P11SlideGivesAHoleAtTheEdgeAwayWithoutAMove) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 3), kAll);
    middle.free(pages(50, 1));
    EXPECT_THAT(middle.make_room(Side::low, 4, kAll), IsEmpty());
    EXPECT_EQ(middle.span(), span(10, 12));
}

TEST(FloatAllocator, P11SlideCanLeaveTheOldSpanAltogether) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 2), {Bytes{4}, Bytes{12}}); // 1, 2
    EXPECT_THAT(middle.make_room(Side::low, 5 * 4, kAll), ElementsAre(move(1, 6), move(2, 7)));
    EXPECT_EQ(middle.span(), span(6, 8));
    EXPECT_THAT(middle.make_room(Side::high, 5 * 4, kAll), ElementsAre(move(6, 2), move(7, 1)));
}

TEST(FloatAllocator, SlideBeyondTheGapIsRefusedAndMovesNothing) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 6), kAll); // 7..12: 7 pages above
    EXPECT_THROW((void)middle.make_room(Side::low, 8 * 4, kAll), UnavailableError);
    EXPECT_EQ(middle.span(), span(7, 13));
    EXPECT_EQ(middle.slides(Side::low, kAll).back(), span(14, 20));
}

TEST(FloatAllocator, EveryReachableSlideIsWhatMakeRoomDoes) {
    FloatAllocator middle = float_of();
    middle.bind(pages(50, 8), kAll);
    middle.free(pages(51, 1));
    middle.free(pages(54, 2));
    for (const Side side : {Side::low, Side::high}) {
        const std::vector<FloatSpan> reachable = middle.slides(side, kAll);
        ASSERT_EQ(reachable.size(), side == Side::low ? 10U : 9U);
        for (std::size_t drawn_back = 0; drawn_back < reachable.size(); ++drawn_back) {
            FloatAllocator copy = middle;
            (void)copy.make_room(side, static_cast<std::int64_t>(drawn_back) * 4, kAll);
            EXPECT_EQ(copy.span(), reachable[drawn_back]) << drawn_back;
            EXPECT_EQ(copy.live_pages(), 5);
            copy.check_invariants();
        }
    }
}

TEST(FloatAllocator, EveryChangeMovesTheEpoch) {
    FloatAllocator middle = float_of();
    const std::int64_t start = middle.epoch();
    middle.bind(pages(50, 2), kAll);
    const std::int64_t bound = middle.epoch();
    EXPECT_GT(bound, start);
    (void)middle.make_room(Side::low, 4, kAll);
    EXPECT_GT(middle.epoch(), bound);
}

} // namespace kvprof::workload
