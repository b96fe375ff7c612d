#include "kernels/host/read_index.h"
#include "tests/kernels/table_and_stream_case.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using kvprof::kernels::IndexType;
using kvprof::test::kPoison;
using kvprof::test::random_table_and_stream_cases;
using kvprof::test::ReadCase;
using kvprof::test::TableAndStreamCase;
using kvprof::test::TableBuffer;
namespace host = kvprof::kernels::host;

TEST(TableAndStream, P1P2EqualTheReferenceOn42RandomCasesAndTouchNothingElse) {
    for (auto& both : random_table_and_stream_cases(42)) {
        host::run(both.call());
        EXPECT_EQ(both.table.out, both.expected_table()) << "seed " << both.read.spec.seed;
        EXPECT_EQ(both.stream.values(), both.expected_stream()) << "seed " << both.read.spec.seed;
    }
}

TEST(TableAndStream, P7EveryIdOfTheStreamFollowsFromItsTablesEntry) {
    TableAndStreamCase both(
        {.page_size = 4,
         .mult = 7,
         .lens = {30, 0, 9},
         .hole_percent = 20,
         .tombstone_percent = 20},
        8,
        true,
        IndexType::i32
    );
    host::run(both.call());
    const auto ids = both.stream.values();
    for (std::size_t lane = 0; lane < 3; ++lane) {
        for (std::int64_t p = 0; p < both.read.spec.lens[lane]; ++p) {
            const auto row = static_cast<std::int64_t>(lane) * both.table.stride;
            const auto entry = both.table.out[static_cast<std::size_t>(row + p / 4)];
            EXPECT_EQ(ids[static_cast<std::size_t>(both.read.indptr[lane] + p)], entry * 4 + p % 4);
        }
    }
}

TEST(TableAndStream, P7EqualsTheTwoLaunchesThatItReplaces) {
    for (auto& both : random_table_and_stream_cases(10)) {
        host::run(both.call());
        auto apart = both;
        std::fill(apart.table.out.begin(), apart.table.out.end(), kPoison);
        host::run(kvprof::kernels::PageTableCall{
            .lanes = apart.read.lanes(),
            .out = apart.table.out.data(),
            .stride = apart.table.stride,
            .width = apart.table.width,
            .zero_tail = apart.zero_tail});
        const auto batch = apart.read.batch() * apart.table.stride;
        EXPECT_TRUE(std::equal(
            apart.table.out.begin(), apart.table.out.begin() + batch, both.table.out.begin()
        ));
    }
}

TEST(TableAndStream, P4StopsAtTheColumnsOfReqToToken) {
    TableAndStreamCase both(
        {.page_size = 4, .lens = {40, 7, 64}, .req_columns = 18}, 16, false, IndexType::i32
    );
    host::run(both.call());
    EXPECT_EQ(both.table.out, both.expected_table());
    EXPECT_EQ(both.table.out[5], kPoison); // 18 columns hold the start of 5 pages
    EXPECT_NE(both.stream.values()[19], kPoison);
    EXPECT_EQ(both.stream.values()[20], kPoison);
}

TEST(TableAndStream, P3ATableIsWholeThoughTheStreamsBufferEndsEarly) {
    TableAndStreamCase both({.lens = {10, 10}}, 12, false, IndexType::i32);
    auto call = both.call();
    call.capacity = 13;
    host::run(call);
    EXPECT_EQ(both.table.out, both.expected_table());
    EXPECT_NE(both.stream.values()[12], kPoison);
    EXPECT_EQ(both.stream.values()[13], kPoison);
}

TEST(PageTable, AZeroedTailReachesTheWidthAndNoFurther) {
    for (const std::int64_t columns : {3, 12}) { // fewer than the width, and more than a lane has
        ReadCase read({.seed = 4, .lens = {2, 0, 3}, .req_columns = columns});
        TableBuffer table(3, 6);
        auto call = table.call(read);
        call.zero_tail = true;
        host::run(call);
        for (std::size_t row = 0; row < 3; ++row) {
            const auto live = static_cast<std::size_t>(read.spec.lens[row]);
            for (std::size_t column = 0; column < 9; ++column) {
                const auto value = table.out[row * 9 + column];
                if (column < live) {
                    EXPECT_GT(value, 0);
                } else {
                    EXPECT_EQ(value, column < 6 ? 0 : kPoison);
                }
            }
        }
        EXPECT_EQ(table.out[3 * 9], kPoison);
    }
}

} // namespace
