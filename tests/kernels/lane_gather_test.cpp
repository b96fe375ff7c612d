#include "kernels/host/read_index.h"
#include "tests/kernels/read_helpers.h"

#include <gmock/gmock.h>

namespace {

using kvprof::kernels::IndexType;
using kvprof::kernels::RepackCall;
using kvprof::kernels::StaticBlockTableCall;
using kvprof::kernels::StaticGatherCall;
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
using testing::ElementsAre;
namespace host = kvprof::kernels::host;
namespace reference = kvprof::reference;

/// Lengths to the end of each window, which the rectangle must cover.
std::vector<std::int64_t> window_ends(const ReadCase& read) {
    auto ends = read.spec.lens;
    for (std::size_t lane = 0; lane < read.spec.starts.size(); ++lane) {
        ends[lane] += read.spec.starts[lane];
    }
    return ends;
}

std::vector<std::int64_t> rectangle_and_repack(ReadCase& read, IndexType type) {
    const auto ends = window_ends(read);
    TableBuffer table(read.batch(), *std::max_element(ends.begin(), ends.end()));
    auto build = table.call(read);
    build.lanes.lens = {ends.data(), IndexType::i64};
    host::run(build);
    StreamBuffer stream(read.tokens(), type);
    host::run(RepackCall{
        .table = table.out.data(),
        .stride = table.stride,
        .lens = read.lens.view(),
        .starts = read.starts_view(),
        .indptr = read.indptr.data(),
        .out = stream.out.mutable_view(),
        .capacity = read.tokens(),
        .page_size = read.spec.page_size,
        .batch = read.batch(),
    });
    auto ids = stream.out.values();
    ids.resize(static_cast<std::size_t>(read.tokens()));
    return ids;
}

TEST(Repack, P2RectangleAndRepackEqualTheStreamOn45RandomCases) {
    for (const ReadCaseSpec& spec : random_read_cases(45, true)) {
        ReadCase read(spec);
        const auto stream = stream_of(read);
        EXPECT_EQ(rectangle_and_repack(read, IndexType::i64), stream) << "seed " << spec.seed;
        EXPECT_EQ(rectangle_and_repack(read, IndexType::i32), stream) << "seed " << spec.seed;
    }
}

TEST(Repack, FlattensATable) {
    const std::vector<std::int32_t> table{30, 10, kPoison, 50, kPoison, kPoison};
    const IndexBuffer lens({3, 1}, IndexType::i32);
    const std::vector<std::int32_t> indptr{0, 3, 4};
    StreamBuffer stream(4, IndexType::i32);
    RepackCall call{
        .table = table.data(),
        .stride = 3,
        .lens = lens.view(),
        .starts = {},
        .indptr = indptr.data(),
        .out = stream.out.mutable_view(),
        .capacity = 4,
        .page_size = 2,
        .batch = 2,
    };
    host::run(call);
    EXPECT_THAT(
        stream.out.values(),
        ElementsAre(60, 61, 20, 100, kPoison, kPoison, kPoison, kPoison, kPoison)
    );
    EXPECT_EQ(
        reference::repack({{30, 10}, {50}}, {3, 1}, {}, 2), (reference::Ids{60, 61, 20, 100})
    );
}

TEST(Repack, P4StopsWhereTheNextRowStartsAndAtItsCapacity) {
    const std::vector<std::int32_t> table{1, 2, 3, 4};
    const IndexBuffer lens({9, 2}, IndexType::i64);
    const std::vector<std::int32_t> indptr{0, 3, 5};
    StreamBuffer stream(5, IndexType::i64);
    RepackCall call{
        .table = table.data(),
        .stride = 2,
        .lens = lens.view(),
        .starts = {},
        .indptr = indptr.data(),
        .out = stream.out.mutable_view(),
        .capacity = 4,
        .page_size = 1,
        .batch = 2,
    };
    host::run(call);
    EXPECT_THAT(
        stream.out.values(),
        ElementsAre(1, 2, kPoison, 3, kPoison, kPoison, kPoison, kPoison, kPoison, kPoison)
    );
}

std::vector<std::int64_t> static_stream(ReadCase& read, std::int64_t capacity) {
    StreamBuffer stream(read.tokens(), IndexType::i32);
    host::run(StaticGatherCall{
        .req_to_token = read.req_to_token.data(),
        .req_columns = read.req_columns,
        .rows = read.rows.data(),
        .lens = read.lens.view(),
        .starts = read.starts_view(),
        .indptr = read.indptr.data(),
        .out = stream.out.mutable_view(),
        .capacity = capacity,
        .batch = read.batch(),
    });
    auto ids = stream.out.values();
    ids.resize(static_cast<std::size_t>(read.tokens()));
    return ids;
}

TEST(StaticGather, P19CopiesIdsVerbatimOnRandomCases) {
    for (const ReadCaseSpec& spec : random_read_cases(20, true)) {
        ReadCase read(spec);
        const auto expected = reference::static_gather(reference_inputs(read), spec.starts);
        EXPECT_EQ(static_stream(read, read.tokens()), expected) << "seed " << spec.seed;
    }
}

TEST(StaticGather, P4StopsAtTheCapacityAndAtTheColumnsOfReqToToken) {
    auto read = one_lane({7, 8, 9}, {0}, 1, 1);
    EXPECT_THAT(static_stream(read, 2), ElementsAre(7, 8, kPoison));
    read.lens = IndexBuffer({1000}, IndexType::i64);
    EXPECT_THAT(static_stream(read, 1000), ElementsAre(7, 8, 9));
}

std::vector<std::vector<std::int64_t>> static_table(ReadCase& read, std::int64_t width) {
    TableBuffer table(read.batch(), width);
    host::run(StaticBlockTableCall{
        .req_to_token = read.req_to_token.data(),
        .req_columns = read.req_columns,
        .rows = read.rows.data(),
        .lens = read.lens.view(),
        .out = table.out.data(),
        .stride = table.stride,
        .width = width,
        .page_size = read.spec.page_size,
        .batch = read.batch(),
    });
    std::vector<std::vector<std::int64_t>> rows;
    for (std::int64_t lane = 0; lane < read.batch(); ++lane) {
        rows.push_back(table.live(lane));
    }
    return rows;
}

TEST(StaticBlockTable, P19EqualsTheReferenceOnRandomCases) {
    for (const ReadCaseSpec& spec : random_read_cases(20, false)) {
        ReadCase read(spec);
        const auto width = read.longest() / spec.page_size + 2;
        const auto expected = reference::static_block_table(reference_inputs(read), width);
        EXPECT_EQ(static_table(read, width), expected) << "seed " << spec.seed;
    }
}

TEST(StaticBlockTable, P3KeepsTheTailAndP4StopsAtTheWidth) {
    auto read = one_lane({8, 9, -1, -1, 4, 5}, {0}, 2, 1);
    EXPECT_EQ(static_table(read, 9), (std::vector<std::vector<std::int64_t>>{{4, 0, 2}}));
    EXPECT_EQ(static_table(read, 1), (std::vector<std::vector<std::int64_t>>{{4}}));
}

} // namespace
