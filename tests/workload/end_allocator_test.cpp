#include "capture/workload/end_allocator.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace kvprof::workload {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Bytes kBottom{8};
constexpr Bytes kTop{40};

/// Ten pages of 4 bytes; pages 0 and 1 are the sink, so 2..9 are handed out.
PoolGrid ten_pages(Growth growth) {
    return {
        .pool = {.growth = growth, .entry_bytes = 4},
        .num_pages = 10,
        .min_slot = 2,
        .min_page = 2};
}

EndAllocator up_end(Compaction compaction = Compaction::lazy) {
    return {ten_pages(Growth::up), compaction};
}

std::vector<VirtualPage> pages(std::initializer_list<std::int64_t> values) {
    std::vector<VirtualPage> list;
    for (const std::int64_t value : values) {
        list.push_back({value});
    }
    return list;
}

PageMove move(std::int64_t from, std::int64_t to) {
    return {.from = {from}, .to = {to}};
}

} // namespace

TEST(EndAllocator, StartsWithTheSinkAndTheSentinelRow) {
    const EndAllocator end = up_end();
    EXPECT_THAT(end.v2p(), ElementsAre(0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    EXPECT_THAT(end.p2v(), ElementsAre(0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    EXPECT_EQ(end.frontier(), Bytes{8});
}

TEST(EndAllocator, GrowsUpInAnAscendingRun) {
    EndAllocator end = up_end();
    EXPECT_EQ(end.alloc(3, kTop), pages({2, 3, 4}));
    EXPECT_THAT(end.v2p(), ElementsAre(0, -1, 2, 3, 4, -1, -1, -1, -1, -1, -1));
    EXPECT_EQ(end.watermark(), PhysicalPage{5});
    EXPECT_EQ(end.frontier(), Bytes{20});
}

TEST(EndAllocator, GrowsDownInAnAscendingRunBelowTheWatermark) {
    EndAllocator end(ten_pages(Growth::down), Compaction::lazy);
    EXPECT_EQ(end.alloc(3, kBottom), pages({2, 3, 4}));
    EXPECT_THAT(end.v2p(), ElementsAre(0, -1, 7, 8, 9, -1, -1, -1, -1, -1, -1));
    EXPECT_EQ(end.watermark(), PhysicalPage{6});
    EXPECT_EQ(end.frontier(), Bytes{28});
}

TEST(EndAllocator, RefusesMoreThanTheGapWithTheNumbers) {
    EndAllocator end = up_end();
    try {
        (void)end.alloc(4, Bytes{20});
        FAIL() << "4 pages do not fit into 12 bytes";
    } catch (const UnavailableError& error) {
        EXPECT_STREQ(
            error.what(),
            "could not allocate 4 full pages: 3 are available (0 holes, 12 B up to the neighbour "
            "at "
            "4 B per page, 8 pages left in the grid)"
        );
        EXPECT_THAT(error.hint(), HasSubstr("--pool-tokens"));
    }
    EXPECT_EQ(end.live_pages(), 0);
}

TEST(EndAllocator, NeverLeavesItsGridHoweverWideTheGap) {
    EXPECT_EQ(up_end().available_pages(Bytes{100}), 8);
    EXPECT_EQ(EndAllocator(ten_pages(Growth::down), Compaction::lazy).available_pages(Bytes{0}), 8);
}

TEST(EndAllocator, P9EmptyInputChangesNothing) {
    EndAllocator end = up_end();
    EXPECT_THAT(end.alloc(0, kTop), IsEmpty());
    EXPECT_THAT(end.free({}), IsEmpty());
    EXPECT_EQ(end.span_pages(), 0);
}

TEST(EndAllocator, LazyFreeLeavesAHoleAndAppendsTheId) {
    EndAllocator end = up_end();
    (void)end.alloc(3, kTop);
    EXPECT_THAT(end.free(pages({3})), IsEmpty());
    EXPECT_THAT(end.v2p(), ElementsAre(0, -1, 2, -1, 4, -1, -1, -1, -1, -1, -1));
    EXPECT_THAT(end.holes(), ElementsAre(PhysicalPage{3}));
    EXPECT_EQ(end.free_virtual().back(), VirtualPage{3});
    EXPECT_EQ(end.frontier(), Bytes{20});
}

TEST(EndAllocator, FillsHolesBeforeItExtends) {
    EndAllocator end = up_end();
    (void)end.alloc(3, kTop);
    (void)end.free(pages({3}));
    EXPECT_EQ(end.alloc(3, kTop), pages({5, 6, 7}));
    EXPECT_THAT(end.v2p(), ElementsAre(0, -1, 2, -1, 4, 3, 5, 6, -1, -1, -1));
}

TEST(EndAllocator, EagerFreeMovesSurvivorsOfTheOutermostBandIntoTheHoles) {
    EndAllocator end = up_end(Compaction::eager);
    (void)end.alloc(5, kTop);
    EXPECT_THAT(end.free(pages({2, 5})), ElementsAre(move(6, 2)));
    EXPECT_THAT(end.v2p(), ElementsAre(0, -1, -1, 3, 4, -1, 2, -1, -1, -1, -1));
    EXPECT_EQ(end.watermark(), PhysicalPage{5});
    end.check_invariants();
}

TEST(EndAllocator, EagerFreeOfTheOutermostPagesMovesNothing) {
    EndAllocator end(ten_pages(Growth::down), Compaction::eager);
    (void)end.alloc(3, kBottom);
    EXPECT_THAT(end.free(pages({2})), IsEmpty());
    EXPECT_EQ(end.watermark(), PhysicalPage{7});
}

TEST(EndAllocator, FlushAbsorbsHolesAtTheFrontierWithoutAMove) {
    EndAllocator end = up_end();
    (void)end.alloc(4, kTop);
    (void)end.free(pages({5, 4}));
    EXPECT_THAT(end.flush(), IsEmpty());
    EXPECT_EQ(end.watermark(), PhysicalPage{4});
}

TEST(EndAllocator, FlushPacksTheOutermostPagesIntoTheInnermostHoles) {
    EndAllocator end = up_end();
    (void)end.alloc(6, kTop);
    (void)end.free(pages({4, 2}));
    EXPECT_THAT(end.flush(), ElementsAre(move(7, 2), move(6, 4)));
    EXPECT_THAT(end.v2p(), ElementsAre(0, -1, -1, 3, -1, 5, 4, 2, -1, -1, -1));
    EXPECT_EQ(end.watermark(), PhysicalPage{6});
    EXPECT_EQ(end.hole_pages(), 0);
}

TEST(EndAllocator, FlushOfAGrowDownEndPacksTowardsTheTop) {
    EndAllocator end(ten_pages(Growth::down), Compaction::lazy);
    (void)end.alloc(3, kBottom);
    (void)end.free(pages({4}));
    EXPECT_THAT(end.flush(), ElementsAre(move(7, 9)));
    EXPECT_EQ(end.frontier(), Bytes{32});
}

TEST(EndAllocator, CappedFlushStopsAfterItsMoves) {
    EndAllocator end = up_end();
    (void)end.alloc(6, kTop);
    (void)end.free(pages({4, 2}));
    EXPECT_THAT(end.flush_some({.max_moves = 1}), ElementsAre(move(7, 2)));
    EXPECT_THAT(end.holes(), ElementsAre(PhysicalPage{4}));
    EXPECT_EQ(end.watermark(), PhysicalPage{7});
}

TEST(EndAllocator, FlushStopsAtAPageThatTheForwardWrites) {
    EndAllocator end = up_end();
    (void)end.alloc(6, kTop);
    (void)end.free(pages({4, 2}));
    EXPECT_THAT(end.flush_some({.written = {{6}}}), ElementsAre(move(7, 2)));
    EXPECT_EQ(end.watermark(), PhysicalPage{7});
}

TEST(EndAllocator, VacatedPagesArePendingUntilTheirReaderIsReleased) {
    EndAllocator end = up_end();
    (void)end.alloc(6, kTop);
    (void)end.free(pages({4, 2}));
    EXPECT_THAT(end.flush_some({.reader = ReaderEvent{1}}), ElementsAre(move(7, 2), move(6, 4)));
    EXPECT_EQ(end.pending_pages(), 2);
    EXPECT_EQ(end.available_pages(kTop), 2);
    end.release(ReaderEvent{1});
    EXPECT_EQ(end.pending_pages(), 0);
    EXPECT_EQ(end.available_pages(kTop), 4);
    EXPECT_THAT(end.flush(), IsEmpty());
    EXPECT_EQ(end.watermark(), PhysicalPage{6});
}

TEST(EndAllocator, UrgentFlushReleasesPendingPages) {
    EndAllocator end = up_end();
    (void)end.alloc(6, kTop);
    (void)end.free(pages({2}));
    (void)end.flush_some({.reader = ReaderEvent{1}});
    EXPECT_THAT(end.flush(), IsEmpty());
    EXPECT_EQ(end.pending_pages(), 0);
    EXPECT_EQ(end.watermark(), PhysicalPage{7});
}

TEST(EndAllocator, P15NonOwnerHasTheRowsOfItsOwner) {
    const EndAllocator end(ten_pages(Growth::up), Compaction::lazy, 31);
    EXPECT_EQ(end.v2p().size(), 31U);
    EXPECT_EQ(end.p2v().size(), 11U);
    EXPECT_THAT(end.free_virtual(), IsEmpty());
}

TEST(EndAllocator, NonOwnerSkipsPagesThatLeftTheWindowBefore) {
    EndAllocator end(ten_pages(Growth::up), Compaction::lazy, 31);
    end.bind(pages({20, 21}), kTop);
    (void)end.free(pages({20}));
    (void)end.free(pages({20, 21}));
    EXPECT_THAT(end.holes(), ElementsAre(PhysicalPage{2}, PhysicalPage{3}));
    end.check_invariants();
}

TEST(EndAllocator, RefusesADoubleFree) {
    EndAllocator end = up_end();
    (void)end.alloc(1, kTop);
    (void)end.free(pages({2}));
    EXPECT_THROW((void)end.free(pages({2})), std::logic_error);
}

TEST(EndAllocator, RefusesToFreeThePaddingPage) {
    EndAllocator end = up_end();
    EXPECT_THROW((void)end.free(pages({0})), std::logic_error);
}

TEST(EndAllocator, RefusesToBindAPageTwice) {
    EndAllocator end(ten_pages(Growth::up), Compaction::lazy, 31);
    end.bind(pages({20}), kTop);
    EXPECT_THROW(end.bind(pages({20}), kTop), std::logic_error);
}

TEST(EndAllocator, EveryChangeMovesTheEpoch) {
    EndAllocator end = up_end();
    const std::int64_t before = end.epoch();
    (void)end.alloc(1, kTop);
    EXPECT_GT(end.epoch(), before);
}

} // namespace kvprof::workload
