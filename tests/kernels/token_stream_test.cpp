#include "kernels/host/read_index.h"
#include "tests/kernels/read_helpers.h"

#include <gmock/gmock.h>

namespace {

using kvprof::kernels::GridRule;
using kvprof::kernels::IndexType;
using kvprof::test::IndexBuffer;
using kvprof::test::kPoison;
using kvprof::test::one_lane;
using kvprof::test::random_read_cases;
using kvprof::test::ReadCase;
using kvprof::test::ReadCaseSpec;
using kvprof::test::reference_inputs;
using kvprof::test::stream_of;
using kvprof::test::StreamBuffer;
using kvprof::test::TableBuffer;
using testing::Each;
using testing::ElementsAre;
namespace host = kvprof::kernels::host;
namespace reference = kvprof::reference;

TEST(TokenStream, GivesOneIdPerToken) {
    auto read = one_lane({4, 5, 6, 7, 8, 9}, {0, 10, 20}, 4, 3);
    EXPECT_THAT(stream_of(read), ElementsAre(120, 121, 122, 123, 240, 241));
}

TEST(TokenStream, P6AHoleGivesAnIdInsideThePaddingPage) {
    auto read = one_lane({4, 5, 6, 7, -1, -1}, {0, 10, 20}, 4, 3);
    EXPECT_THAT(stream_of(read), ElementsAre(120, 121, 122, 123, 0, 1));
}

TEST(TokenStream, P6ATombstoneGivesAnIdInsideThePaddingPage) {
    auto read = one_lane({4, 5, 6, 7, 8, 9}, {0, -1, 20}, 4, 3);
    EXPECT_THAT(stream_of(read), ElementsAre(0, 1, 2, 3, 240, 241));
}

TEST(TokenStream, AStartMovesTheWindowNotWhereItLands) {
    auto read = one_lane({4, 5, 6, 7, 8, 9}, {0, 10, 20}, 4, 1);
    read.spec.starts = {3};
    read.starts = IndexBuffer({3}, IndexType::i32);
    read.lens = IndexBuffer({2}, IndexType::i64);
    StreamBuffer stream(6, IndexType::i64);
    host::run(stream.call(read));
    EXPECT_THAT(
        stream.out.values(),
        ElementsAre(
            43, 80, kPoison, kPoison, kPoison, kPoison, kPoison, kPoison, kPoison, kPoison, kPoison
        )
    );
}

TEST(TokenStream, ANegativeStartEmitsNothing) {
    auto read = one_lane({1, 2}, {0, 10, 20}, 1, 1);
    read.spec.starts = {-1};
    read.starts = IndexBuffer({-1}, IndexType::i64);
    EXPECT_THAT(stream_of(read), Each(kPoison));
}

TEST(TokenStream, P2EqualsTheReferenceOn45RandomCasesInBothWidths) {
    for (const ReadCaseSpec& spec : random_read_cases(45, true)) {
        ReadCase read(spec);
        const auto expected = reference::token_stream(reference_inputs(read), spec.starts);
        EXPECT_EQ(stream_of(read, IndexType::i64), expected) << "seed " << spec.seed;
        EXPECT_EQ(stream_of(read, IndexType::i32), expected) << "seed " << spec.seed;
    }
}

TEST(TokenStream, P3WritesNothingAtOrPastItsTokens) {
    auto read = one_lane({1, 2}, {0, 10, 20}, 1, 1);
    StreamBuffer stream(2, IndexType::i32);
    host::run(stream.call(read));
    EXPECT_THAT(
        stream.out.values(), ElementsAre(10, 20, kPoison, kPoison, kPoison, kPoison, kPoison)
    );
}

TEST(TokenStream, P4WritesNothingPastItsCapacity) {
    ReadCase read({.lens = {2, 3}, .in_order = true}); // ids 1, 2 | 3, 4, 5
    StreamBuffer stream(5, IndexType::i32);
    auto call = stream.call(read);
    call.capacity = 3;
    host::run(call);
    EXPECT_THAT(
        stream.out.values(),
        ElementsAre(1, 2, 3, kPoison, kPoison, kPoison, kPoison, kPoison, kPoison, kPoison)
    );
}

TEST(TokenStream, P4ReadsNoColumnThatReqToTokenLacks) {
    auto read = one_lane({1, 2}, {0, 10, 20}, 1, 1);
    read.lens = IndexBuffer({1000}, IndexType::i64);
    StreamBuffer stream(4, IndexType::i32);
    auto call = stream.call(read);
    call.capacity = 4;
    host::run(call);
    EXPECT_EQ(stream.out.values()[1], 20);
    EXPECT_EQ(stream.out.values()[2], kPoison);
}

TEST(TokenStream, P4TheContextGridStopsAtTheContext) {
    auto read = one_lane({1, 2, 3}, {0, 10, 20, 30}, 1, 1);
    StreamBuffer stream(3, IndexType::i32);
    auto call = stream.call(read);
    call.grid = GridRule::ctx;
    call.context_columns = 2;
    host::run(call);
    EXPECT_EQ(stream.out.values()[1], 20);
    EXPECT_EQ(stream.out.values()[2], kPoison);
}

/// Every entry of the table, times the page size.
std::vector<std::int64_t> ids_of_entries(ReadCase& read) {
    TableBuffer table(read.batch(), read.longest());
    host::run(table.call(read));
    std::vector<std::int64_t> ids;
    for (std::int64_t lane = 0; lane < read.batch(); ++lane) {
        for (const auto entry : table.live(lane)) {
            ids.push_back(entry * read.spec.page_size);
        }
    }
    return ids;
}

/// The stream's ids at the first position of every page.
std::vector<std::int64_t> ids_of_first_tokens(ReadCase& read) {
    const auto stream = stream_of(read);
    std::vector<std::int64_t> ids;
    for (std::size_t lane = 0; lane < read.spec.lens.size(); ++lane) {
        for (std::int64_t i = read.indptr[lane]; i < read.indptr[lane + 1];
             i += read.spec.page_size) {
            ids.push_back(stream[static_cast<std::size_t>(i)]);
        }
    }
    return ids;
}

TEST(TokenStream, P7ATableEntryTimesThePageSizeIsTheIdOfThePagesFirstToken) {
    for (const ReadCaseSpec& spec : random_read_cases(18, false)) {
        ReadCase read(spec);
        EXPECT_EQ(ids_of_entries(read), ids_of_first_tokens(read)) << "seed " << spec.seed;
    }
}

TEST(TokenStream, P14EveryIdAddressesATokenOfThePool) {
    for (const ReadCaseSpec& spec : random_read_cases(18, true)) {
        ReadCase read(spec);
        const auto pages = static_cast<std::int64_t>(read.v2p.values().size());
        const auto bound = pages * spec.mult * spec.page_size;
        EXPECT_THAT(stream_of(read), Each(testing::AllOf(testing::Ge(0), testing::Lt(bound))));
    }
}

} // namespace
