#include "capture/workload/buffer_layout.h"

#include "capture/model/error.h"
#include "capture/workload/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace kvprof::workload {

namespace {

using testing::HasSubstr;

const SubPool kState{
    .kind = StateKind::state,
    .layout = RowLayout::state,
    .growth = Growth::up,
    .entry_bytes = 40,
    .request_slots = 3};
const SubPool kFull{
    .kind = StateKind::full,
    .layout = RowLayout::mla,
    .growth = Growth::down,
    .entry_bytes = 6,
    .page_size = 4,
    .mult = 3,
    .request_slots = 4};

const SubPool kWindow{
    .kind = StateKind::swa,
    .growth = Growth::floating,
    .entry_bytes = 5,
    .page_size = 4,
    .mult = 1,
    .request_slots = 20};

template<typename ExpectedError>
std::string failure_of(Bytes total, const std::vector<SubPool>& pools) {
    try {
        (void)plan_buffer(total, pools);
    } catch (const ExpectedError& error) {
        return error.what();
    }
    return "no failure";
}

} // namespace

TEST(BufferLayout, KimiTp2LosesTheSlotsThatTouchOneStateSlot) {
    const auto pools = unified_sub_pools(load_preset("kimi-linear-48b"), 2, 1);
    const BufferLayout layout = plan_buffer(Bytes{std::int64_t{1} << 30}, pools);
    EXPECT_EQ(layout.sink_floor, Bytes{21'708'800});
    // 21,708,800 = 2,692 * 8,064 + 512: slot 2,692 still touches the sink.
    EXPECT_EQ(layout.grids[1].min_slot, 2693);
    EXPECT_EQ(layout.grids[1].min_page, 2693);
    EXPECT_EQ(layout.grids[0].min_slot, 1);
    EXPECT_EQ(layout.tail_pad, Bytes{8064});
}

TEST(BufferLayout, EveryGridSpansTheWholeBuffer) {
    const BufferLayout layout = plan_buffer(Bytes{1000}, std::array{kFull, kState});
    ASSERT_EQ(layout.grids.size(), 2U);
    EXPECT_EQ(layout.grids[0].pool, kState);
    EXPECT_EQ(layout.grids[0].num_pages, 25);
    EXPECT_EQ(layout.grids[1].num_pages, 41);
}

TEST(BufferLayout, SinkFloorIsTheLargestSlotOrPage) {
    // State slot 40 B, full page 24 B: slots 0..6 touch the sink, and so pages 0 and 1.
    const BufferLayout layout = plan_buffer(Bytes{1000}, std::array{kState, kFull});
    EXPECT_EQ(layout.sink_floor, Bytes{40});
    EXPECT_EQ(layout.grids[1].min_slot, 7);
    EXPECT_EQ(layout.grids[1].min_page, 2);
}

TEST(BufferLayout, StateNeedsNoTailPad) {
    EXPECT_EQ(plan_buffer(Bytes{1000}, std::array{kState, kFull}).tail_pad, Bytes{24});
}

TEST(BufferLayout, NeedsOneEndOfEachDirection) {
    EXPECT_EQ(
        failure_of<UsageError>(Bytes{1000}, {kFull, kFull}),
        "could not lay out the unified buffer: it needs one grow-up and one grow-down sub-pool "
        "with at most one floating between them, and got 0, 2 and 0"
    );
    EXPECT_THAT(failure_of<UsageError>(Bytes{1000}, {kFull}), HasSubstr("got 0, 1 and 0"));
    EXPECT_THAT(
        failure_of<UsageError>(Bytes{1000}, {kState, kWindow, kWindow, kFull}),
        HasSubstr("got 1, 1 and 2")
    );
}

TEST(BufferLayout, AFloatLiesBetweenTheEnds) {
    const BufferLayout layout = plan_buffer(Bytes{1000}, std::array{kWindow, kFull, kState});
    ASSERT_EQ(layout.grids.size(), 3U);
    EXPECT_EQ(layout.grids[0].pool, kState);
    EXPECT_EQ(layout.grids[1].pool, kWindow);
    EXPECT_EQ(layout.grids[2].pool, kFull);
    EXPECT_EQ(layout.grids[1].num_pages, 50); // it too spans the whole buffer
    EXPECT_EQ(layout.grids[1].min_page, 2);   // the sink's 40 B are two of its pages
}

TEST(BufferLayout, ThreeSubPoolsEachStartOnAPageOfTheirOwn) {
    // Sink and 3 state slots end at 160 B = 8 windows' pages; 5 of them end at 260 B; full starts
    // at 264 B, its next page, and one page ends at 288 B.
    EXPECT_EQ(
        buffer_bytes(std::array{kState, kWindow, kFull}, std::array<std::int64_t, 3>{3, 5 * 4, 4})
            .count,
        288
    );
    EXPECT_THAT(
        failure_of<UsageError>(Bytes{287}, {kState, kWindow, kFull}),
        HasSubstr(
            "one request needs 3 state slots, 20 swa slots, 4 full slots, and a sink of 40 B, "
            "that is 288 B, and the buffer has 287 B"
        )
    );
}

TEST(BufferLayout, P14RefusesIdsThatDoNotFitAnInt32) {
    SubPool byte = kFull;
    byte.entry_bytes = 4;
    byte.page_size = 1;
    byte.mult = 4;
    const Bytes fits{(std::int64_t{1} << 31) - 4};
    EXPECT_EQ(plan_buffer(fits, std::array{kState, byte}).grids[1].num_pages, (1 << 29) - 1);
    EXPECT_EQ(
        failure_of<UsageError>(fits + Bytes{4}, {kState, byte}),
        "could not lay out the unified buffer: 536870912 pages of sub-pool full give 4 ids each, "
        "and ids must stay below 2147483648"
    );
}

TEST(BufferLayout, OneRequestMustFit) {
    // Sink and 3 state slots end at 160 B, the next full page starts at 168 B and ends at 192 B.
    EXPECT_EQ(
        buffer_bytes(std::array{kState, kFull}, std::array<std::int64_t, 2>{3, 4}).count, 192
    );
    EXPECT_EQ(plan_buffer(Bytes{192}, std::array{kState, kFull}).total, Bytes{192});
    EXPECT_EQ(
        failure_of<UsageError>(Bytes{191}, {kState, kFull}),
        "could not lay out the unified buffer: one request needs 3 state slots, 4 full slots, and "
        "a "
        "sink of 40 B, that is 192 B, and the buffer has 191 B"
    );
}

TEST(BufferLayout, RefusesEntriesThatAreNotWholeRows) {
    SubPool odd = kFull;
    odd.mult = 4;
    EXPECT_THAT(
        failure_of<UsageError>(Bytes{1000}, {kState, odd}), HasSubstr("entries of 6 B in 4 rows")
    );
}

} // namespace kvprof::workload
