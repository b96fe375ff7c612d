#include "capture/workload/pool_chain.h"

#include "capture/model/error.h"
#include "tests/workload/pool_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace kvprof::workload::test {

namespace {

using testing::IsEmpty;

/// 100 full pages of 6 B over state slots of 40 B: slot 0 is the sink.
PoolChain state_chain(Compaction compaction = Compaction::lazy) {
    return {plan_buffer(Bytes{600}, state_and_full(1)), compaction};
}

/// 12 B per full page and 4 B per swa page in 168 B: the sink is 12 B.
PoolChain swa_chain(Compaction compaction = Compaction::lazy) {
    return {plan_buffer(Bytes{168}, swa_and_full(1)), compaction};
}

/// State slots of 40 B below, full pages of 12 B above, swa pages of 4 B in between: 600 B, of
/// which the sink takes 40.
PoolChain three_chain(Compaction compaction = Compaction::lazy) {
    return {plan_buffer(Bytes{600}, all_three(1)), compaction};
}

} // namespace

TEST(PoolChain, BothEndsShareOneGap) {
    PoolChain chain = state_chain();
    EXPECT_EQ(chain.available_pages(StateKind::state), 14);
    EXPECT_EQ(chain.available_pages(StateKind::full), 93);
    (void)chain.alloc(StateKind::state, 4);
    EXPECT_EQ(chain.available_pages(StateKind::full), (600 - 5 * 40) / 6);
}

TEST(PoolChain, JointCapacityTakesBothPageSizesFromTheGap) {
    const PoolChain chain = swa_chain();
    EXPECT_EQ(chain.available_pages(StateKind::full), (168 - 12) / (12 + 4));
}

TEST(PoolChain, AllocBindsTheSameVirtualPagesOnSwa) {
    PoolChain chain = swa_chain();
    const auto pages = chain.alloc(StateKind::full, 3);
    const EndAllocator& full = chain.member(StateKind::full);
    const EndAllocator& swa = chain.member(StateKind::swa);
    for (const VirtualPage page : pages) {
        EXPECT_TRUE(full.physical(page).has_value());
        EXPECT_TRUE(swa.physical(page).has_value());
    }
    EXPECT_EQ(swa.physical(pages[0]), PhysicalPage{3});
    EXPECT_EQ(full.physical(pages[0]), PhysicalPage{11});
}

TEST(PoolChain, FreeOfAFullPageFreesItsSwaPage) {
    PoolChain chain = swa_chain();
    chain.free(StateKind::full, chain.alloc(StateKind::full, 3));
    EXPECT_EQ(chain.member(StateKind::swa).live_pages(), 0);
    chain.check_invariants();
}

TEST(PoolChain, ShortfallFlushesTheNeighbourFirst) {
    PoolChain chain = state_chain();
    const auto slots = chain.alloc(StateKind::state, 14);
    chain.free(StateKind::state, std::span(slots).first(13));
    EXPECT_EQ(chain.available_pages(StateKind::full), 0);
    EXPECT_EQ(chain.schedulable_pages(StateKind::full), (600 - 2 * 40) / 6);
    EXPECT_EQ(chain.alloc(StateKind::full, 1).size(), 1U);

    const auto moves = chain.take_moves();
    ASSERT_EQ(moves.size(), 1U);
    EXPECT_EQ(moves[0].kind, StateKind::state);
    EXPECT_EQ(moves[0].from, Bytes{14 * 40});
    EXPECT_EQ(moves[0].to, Bytes{40});
    EXPECT_EQ(moves[0].size, Bytes{40});
    EXPECT_THAT(chain.take_moves(), IsEmpty());
}

TEST(PoolChain, ShortfallBeyondPackingFailsWithTheNumbersAndMovesNothing) {
    PoolChain chain = state_chain();
    const auto slots = chain.alloc(StateKind::state, 14);
    chain.free(StateKind::state, std::span(slots).first(13));
    try {
        (void)chain.alloc(StateKind::full, 87);
        FAIL() << "86 pages fit";
    } catch (const UnavailableError& error) {
        EXPECT_STREQ(
            error.what(),
            "could not allocate 87 full pages: 86 fit after packing, in a buffer of 600 B with 0 B "
            "between the frontiers"
        );
    }
    EXPECT_THAT(chain.take_moves(), IsEmpty());
}

TEST(PoolChain, EagerFreeReportsItsMovesInBytes) {
    PoolChain chain = state_chain(Compaction::eager);
    const auto pages = chain.alloc(StateKind::full, 2);
    chain.free(StateKind::full, std::span(pages).last(1));
    const auto moves = chain.take_moves();
    ASSERT_EQ(moves.size(), 1U);
    EXPECT_EQ(moves[0].from, Bytes{98 * 6});
    EXPECT_EQ(moves[0].to, Bytes{99 * 6});
}

TEST(PoolChain, PendingPagesAreSchedulableButNotAvailable) {
    PoolChain chain = state_chain();
    const auto pages = chain.alloc(StateKind::full, 93);
    chain.free(StateKind::full, std::span(pages).last(1));
    chain.flush_some(StateKind::full, {.reader = ReaderEvent{5}});
    EXPECT_EQ(chain.available_pages(StateKind::full), 0);
    EXPECT_EQ(chain.schedulable_pages(StateKind::full), 1);
    chain.release(ReaderEvent{5});
    EXPECT_EQ(chain.available_pages(StateKind::full), 1);
}

TEST(PoolChain, P15SwaTableHasTheRowsOfFull) {
    const PoolChain chain = swa_chain();
    EXPECT_EQ(chain.member(StateKind::full).v2p().size(), 168U / 12 + 1);
    EXPECT_EQ(chain.member(StateKind::swa).v2p().size(), 168U / 12 + 1);
    EXPECT_EQ(chain.member(StateKind::swa).p2v().size(), 168U / 4 + 1);
}

TEST(PoolChain, P15FreeingSwaAloneLeavesFullReadsIntact) {
    PoolRig rig(swa_and_full(1), Bytes{168}, Compaction::lazy);
    rig.alloc(StateKind::full, 4);
    const std::vector<VirtualPage> pages = rig.live(StateKind::full);
    const auto before = rig.chain().member(StateKind::full).v2p();
    const std::vector<std::int64_t> full_table(before.begin(), before.end());

    rig.free(StateKind::swa, {pages[0], pages[1]});

    EXPECT_TRUE(std::ranges::equal(rig.chain().member(StateKind::full).v2p(), full_table));
    EXPECT_FALSE(rig.chain().member(StateKind::swa).physical(pages[0]).has_value());
    EXPECT_TRUE(rig.chain().member(StateKind::swa).physical(pages[2]).has_value());
    EXPECT_TRUE(rig.contents_are_intact());
}

TEST(PoolChain, SwaDoesNotHandOutPagesOfItsOwn) {
    PoolChain chain = swa_chain();
    EXPECT_THROW((void)chain.alloc(StateKind::swa, 1), std::logic_error);
}

TEST(PoolChain, RefusesAKindThatItDoesNotHave) {
    EXPECT_THROW((void)swa_chain().member(StateKind::state), std::logic_error);
}

TEST(FloatingChain, AnEmptyFloatIsSeenThrough) {
    PoolChain chain = three_chain();
    EXPECT_EQ(chain.available_pages(StateKind::state), (600 - 40) / 40);
    EXPECT_EQ(chain.available_pages(StateKind::full), (600 - 40) / (12 + 4));
    chain.free(StateKind::full, chain.alloc(StateKind::full, 4));
    EXPECT_EQ(chain.available_pages(StateKind::state), (600 - 40 - 4 * 12) / 40);
}

TEST(FloatingChain, BindsTheSameVirtualPagesInTheMiddle) {
    PoolChain chain = three_chain();
    const auto pages = chain.alloc(StateKind::full, 4);
    // Full has 552..600, so pages 10..137 of 4 B are free, and 72 is where 4 of them are centred.
    EXPECT_EQ(chain.tables(StateKind::swa).physical(pages[0]), PhysicalPage{72});
    EXPECT_EQ(chain.tables(StateKind::full).physical(pages[0]), PhysicalPage{46});
    EXPECT_EQ(chain.available_pages(StateKind::state), (72 * 4 - 40) / 40);
    EXPECT_EQ(chain.available_pages(StateKind::full), (552 - 76 * 4) / 12);
}

TEST(FloatingChain, AllocOfStateSlidesTheFloatOutOfItsWay) {
    PoolChain chain = three_chain();
    const auto pages = chain.alloc(StateKind::full, 4);
    EXPECT_EQ(chain.schedulable_pages(StateKind::state), 12);
    (void)chain.alloc(StateKind::state, 12); // ends at 40 + 480 = 4 * 130
    EXPECT_EQ(chain.tables(StateKind::swa).physical(pages[0]), PhysicalPage{130});
    const auto moves = chain.take_moves();
    ASSERT_EQ(moves.size(), 4U);
    EXPECT_EQ(moves[0].kind, StateKind::swa);
    EXPECT_EQ(moves[0].from, Bytes{72 * 4});
    EXPECT_EQ(moves[0].to, Bytes{130 * 4});
    chain.check_invariants();
    chain.audit_bytes();
}

TEST(FloatingChain, JointAllocSlidesOnlyAsManyBoundaryPagesAsItLacks) {
    PoolChain chain = three_chain();
    (void)chain.alloc(StateKind::full, 4);
    EXPECT_EQ(chain.available_pages(StateKind::full), 20);
    (void)chain.alloc(StateKind::full, 21); // 252 B of the 248 above the float
    const auto moves = chain.take_moves();
    ASSERT_EQ(moves.size(), 1U);
    EXPECT_EQ(moves[0].from, Bytes{75 * 4});
    EXPECT_EQ(moves[0].to, Bytes{71 * 4});
}

TEST(FloatingChain, FlushesTheOthersBeforeItSlides) {
    PoolChain chain = three_chain();
    const auto slots = chain.alloc(StateKind::state, 13);
    chain.free(StateKind::state, std::span(slots).first(12));
    (void)chain.alloc(StateKind::full, 1); // 40 B are left for 12 + 4
    EXPECT_EQ(chain.available_pages(StateKind::full), 1);
    (void)chain.alloc(StateKind::full, 20);
    const auto moves = chain.take_moves();
    ASSERT_GE(moves.size(), 1U);
    EXPECT_EQ(moves.front().kind, StateKind::state);
    EXPECT_EQ(moves.front().to, Bytes{40});
    chain.audit_bytes();
}

TEST(FloatingChain, ShortfallBeyondSlidingFailsWithTheNumbersAndMovesNothing) {
    PoolChain chain = three_chain();
    (void)chain.alloc(StateKind::full, 4);
    try {
        (void)chain.alloc(StateKind::full, 32);
        FAIL() << "31 pages fit";
    } catch (const UnavailableError& error) {
        EXPECT_STREQ(
            error.what(),
            "could not allocate 32 full pages: 31 fit after packing, in a buffer of 600 B with 248 "
            "B between the frontiers"
        );
    }
    EXPECT_THAT(chain.take_moves(), IsEmpty());
}

TEST(FloatingChain, P15SwaOnlyFreesLeaveFullReadsIntact) {
    PoolRig rig(all_three(1), Bytes{600}, Compaction::lazy);
    rig.alloc(StateKind::full, 4);
    const std::vector<VirtualPage> pages = rig.live(StateKind::full);
    rig.free(StateKind::swa, {pages[0], pages[3]});
    EXPECT_TRUE(rig.chain().tables(StateKind::full).physical(pages[0]).has_value());
    EXPECT_FALSE(rig.chain().tables(StateKind::swa).physical(pages[0]).has_value());
    EXPECT_EQ(rig.chain().tables(StateKind::swa).v2p().size(), 600U / 12 + 1);
    EXPECT_TRUE(rig.contents_are_intact());
}

TEST(FloatingChain, OnlySwaFloats) {
    auto pools = all_three(1);
    pools[0].growth = Growth::floating;
    pools[1].growth = Growth::up;
    EXPECT_THROW(PoolChain(plan_buffer(Bytes{600}, pools), Compaction::lazy), UsageError);
}

} // namespace kvprof::workload::test
