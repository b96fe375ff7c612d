#include "kernels/host/read_index.h"
#include "tests/kernels/read_helpers.h"

#include <gmock/gmock.h>

namespace {

using kvprof::kernels::GridRule;
using kvprof::test::kPoison;
using kvprof::test::one_lane;
using kvprof::test::random_read_cases;
using kvprof::test::ReadCase;
using kvprof::test::ReadCaseSpec;
using kvprof::test::reference_inputs;
using kvprof::test::table_row;
using kvprof::test::TableBuffer;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
namespace host = kvprof::kernels::host;
namespace reference = kvprof::reference;

TEST(PageTable, MultipliesThePhysicalPage) {
    auto read = one_lane({2, 1, 3}, {0, 10, 20, 30}, 1, 7);
    EXPECT_THAT(table_row(read, 8), ElementsAre(140, 70, 210));
}

TEST(PageTable, ReadsOnlyTheFirstTokenOfAPage) {
    auto read = one_lane({8, -1, -1, -1, 4, -1}, {0, 10, 20}, 4, 1);
    EXPECT_THAT(table_row(read, 8), ElementsAre(20, 10));
}

TEST(PageTable, P6SendsAHoleToThePaddingPage) {
    auto read = one_lane({1, -1, 2}, {0, 10, 20}, 1, 3);
    EXPECT_THAT(table_row(read, 8), ElementsAre(30, 0, 60));
}

TEST(PageTable, P6SendsATombstoneToTheSink) {
    auto read = one_lane({1, 2}, {0, -1, 20}, 1, 3);
    EXPECT_THAT(table_row(read, 8), ElementsAre(0, 60));
}

TEST(PageTable, P6SendsAPageThatV2pLacksToTheSink) {
    auto read = one_lane({1, 3, 99}, {0, 10, 20}, 1, 3);
    EXPECT_THAT(table_row(read, 8), ElementsAre(30, 0, 0));
}

TEST(PageTable, TranslatesThroughV2pAlsoWhenMultIsOne) {
    auto read = one_lane({2, 1}, {0, 5, 9}, 1, 1);
    EXPECT_THAT(table_row(read, 8), ElementsAre(9, 5));
}

TEST(PageTable, P6WritesNothingForAnEmptyLane) {
    ReadCase read({.lens = {0}, .req_columns = 4});
    EXPECT_THAT(table_row(read, 4), IsEmpty());
}

TEST(PageTable, P1EqualsTheReferenceOn36RandomCases) {
    for (const ReadCaseSpec& spec : random_read_cases(36, false)) {
        ReadCase read(spec);
        const auto width = read.longest() / spec.page_size + 2;
        TableBuffer table(read.batch(), width);
        host::run(table.call(read));
        const auto expected = reference::page_table(reference_inputs(read), width);
        for (std::int64_t lane = 0; lane < read.batch(); ++lane) {
            EXPECT_EQ(table.live(lane), expected[static_cast<std::size_t>(lane)])
                << "seed " << spec.seed << " lane " << lane;
        }
    }
}

TEST(PageTable, P3LeavesTheTailTheGuardColumnsAndTheGuardRowAlone) {
    auto read = one_lane({1, 2, 3}, {0, 10, 20, 30}, 1, 1);
    TableBuffer table(1, 5);
    host::run(table.call(read));
    EXPECT_THAT(
        table.out,
        ElementsAre(
            10,
            20,
            30,
            kPoison,
            kPoison,
            kPoison,
            kPoison,
            kPoison,
            kPoison,
            kPoison,
            kPoison,
            kPoison,
            kPoison,
            kPoison,
            kPoison,
            kPoison
        )
    );
}

TEST(PageTable, P4StopsAtTheWidthNotInTheNextRow) {
    auto read = one_lane({1, 2, 3}, {0, 10, 20, 30}, 1, 1);
    EXPECT_THAT(table_row(read, 2), ElementsAre(10, 20));
}

TEST(PageTable, P4ATableWiderThanReqToTokenStopsAtItsColumns) {
    auto read = one_lane({1, 2, 3}, {0, 10, 20, 30}, 1, 1);
    read.lens = {{1000}, kvprof::kernels::IndexType::i64};
    EXPECT_THAT(table_row(read, 9), ElementsAre(10, 20, 30));
}

TEST(PageTable, P4ReadsTheLastPageOfARowThatEndsInsideIt) {
    auto read = one_lane({4, 5, 6, 7, 8, 9}, {0, 10, 20}, 4, 1);
    read.lens = {{1000}, kvprof::kernels::IndexType::i64};
    EXPECT_THAT(table_row(read, 9), ElementsAre(10, 20));
}

TEST(PageTable, P4TheContextGridStopsAtTheContext) {
    auto read = one_lane({1, 2, 3}, {0, 10, 20, 30}, 1, 1);
    TableBuffer table(1, 3);
    auto call = table.call(read);
    call.grid = GridRule::ctx;
    call.context_columns = 2;
    host::run(call);
    EXPECT_THAT(table.live(0), ElementsAre(10, 20));
}

TEST(PageTable, P6HasNoNegativeEntryOnADamagedPool) {
    ReadCase read(
        {.mult = 48,
         .lens = {900},
         .hole_percent = 30,
         .tombstone_percent = 30,
         .foreign_percent = 10}
    );
    const auto row = table_row(read, 900);
    EXPECT_EQ(row.size(), 900U);
    EXPECT_THAT(row, Each(Ge(0)));
}

TEST(PageTable, P14EveryEntryAddressesAPageOfThePool) {
    for (const ReadCaseSpec& spec : random_read_cases(18, false)) {
        ReadCase read(spec);
        const auto pages = static_cast<std::int64_t>(read.v2p.values().size());
        TableBuffer table(read.batch(), read.longest());
        host::run(table.call(read));
        for (std::int64_t lane = 0; lane < read.batch(); ++lane) {
            EXPECT_THAT(
                table.live(lane), Each(testing::AllOf(Ge(0), testing::Lt(pages * spec.mult)))
            );
        }
    }
}

TEST(PageTable, P16WidenedLengthsReplaceEveryStaleColumnBelowTheBound) {
    auto read = one_lane({1, 2, 3, 4}, {0, 10, 20, 30, 40}, 1, 1);
    TableBuffer table(1, 4);
    read.lens = {{2}, kvprof::kernels::IndexType::i64};
    host::run(table.call(read));
    EXPECT_THAT(table.live(0), ElementsAre(10, 20)); // built short: columns 2 and 3 are stale

    read.lens = {{2 + 2}, kvprof::kernels::IndexType::i64};
    host::run(table.call(read));
    EXPECT_THAT(table.live(0), ElementsAre(10, 20, 30, 40));
}

} // namespace
