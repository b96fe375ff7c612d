#include "kernels/host/kv_rows.h"
#include "kernels/host/read_index.h"
#include "kernels/host/tensor_ops.h"
#include "kernels/host/write_loc.h"
#include "tests/kernels/metadata_case.h"

#include <gmock/gmock.h>

namespace {

using kvprof::kernels::IndexType;
using kvprof::reference::Ids;
using kvprof::test::IndexBuffer;
using kvprof::test::kPoison;
using kvprof::test::random_read_cases;
using kvprof::test::ReadCase;
using kvprof::test::reference_inputs;
using kvprof::test::window_map;
using testing::ElementsAre;
namespace host = kvprof::kernels::host;
namespace kernels = kvprof::kernels;
namespace reference = kvprof::reference;

IndexBuffer map_of(const ReadCase& read) {
    const auto tokens = static_cast<std::int64_t>(read.v2p.values().size()) * read.spec.page_size;
    return {window_map(tokens, read.spec.page_size, read.spec.seed), read.spec.v2p_type};
}

kernels::StaticGatherCall
gather_call(ReadCase& read, const IndexBuffer& map, kernels::MutableIndexArray out) {
    return {
        .req_to_token = read.req_to_token.data(),
        .req_columns = read.req_columns,
        .rows = read.rows.data(),
        .lens = read.lens.view(),
        .starts = read.starts_view(),
        .indptr = read.indptr.data(),
        .out = out,
        .capacity = read.tokens(),
        .batch = read.batch(),
        .full_to_swa = map.view(),
        .map_rows = static_cast<std::int64_t>(map.values().size()),
    };
}

TEST(StaticWindow, P15AGatherGivesTheWindowsIdsOn30RandomCases) {
    for (const auto& spec : random_read_cases(30, true)) {
        ReadCase read(spec);
        const auto map = map_of(read);
        const auto size = static_cast<std::size_t>(read.tokens() + 5);
        IndexBuffer out(Ids(size, kPoison), IndexType::i64);
        host::run(gather_call(read, map, out.mutable_view()));
        const auto full = reference::static_gather(reference_inputs(read), spec.starts);
        auto expected = reference::window_ids(full, map.values());
        expected.resize(size, kPoison);
        EXPECT_EQ(out.values(), expected) << "seed " << spec.seed;
    }
}

TEST(StaticWindow, P7AFusedGatherEqualsTheGatherAndItsMapping) {
    ReadCase read({.page_size = 4, .lens = {50, 3}, .starts = {7, 0}});
    const auto map = map_of(read);
    const auto count = static_cast<std::size_t>(read.tokens());
    IndexBuffer fused(Ids(count), IndexType::i64);
    host::run(gather_call(read, map, fused.mutable_view()));
    IndexBuffer full(Ids(count), IndexType::i64);
    auto plain = gather_call(read, map, full.mutable_view());
    plain.full_to_swa = {};
    host::run(plain);
    Ids mapped(count);
    host::run(kernels::GatherCall{
        .table = map.view(),
        .table_rows = plain.map_rows,
        .index = {full.bytes.data()},
        .out = {mapped.data()},
        .cols = read.tokens()});
    EXPECT_EQ(fused.values(), mapped);
}

TEST(StaticWindow, P6AHoleATokenPastTheMapAndItsLastElementGiveTheSink) {
    ReadCase read({.lens = {5}, .req_columns = 5});
    read.req_to_token = {0, 0, 0, 0, 0, 2, -1, 3, 4, 1};
    const IndexBuffer map({0, 0, 20, -1}, IndexType::i32);
    IndexBuffer out(Ids(5, kPoison), IndexType::i32);
    host::run(gather_call(read, map, out.mutable_view()));
    EXPECT_THAT(out.values(), ElementsAre(20, 0, 0, 0, 0));
}

TEST(StaticWindow, P1ATwinTableHoldsTheWindowsPagesOn30RandomCases) {
    for (const auto& spec : random_read_cases(30, false)) {
        ReadCase read(spec);
        const auto map = map_of(read);
        const auto width = (read.longest() + spec.page_size - 1) / spec.page_size;
        kvprof::test::TableBuffer table(read.batch(), width);
        host::run(kernels::StaticBlockTableCall{
            .req_to_token = read.req_to_token.data(),
            .req_columns = read.req_columns,
            .rows = read.rows.data(),
            .lens = read.lens.view(),
            .out = table.out.data(),
            .stride = table.stride,
            .width = width,
            .page_size = spec.page_size,
            .batch = read.batch(),
            .full_to_swa = map.view(),
            .map_rows = static_cast<std::int64_t>(map.values().size())});
        const auto expected =
            reference::window_block_table(reference_inputs(read), map.values(), width);
        for (std::int64_t lane = 0; lane < read.batch(); ++lane) {
            EXPECT_EQ(table.live(lane), expected[static_cast<std::size_t>(lane)])
                << "seed " << spec.seed;
        }
    }
}

TEST(StaticWriteLoc, P8KeepsTheLocalIdsOfItsRank) {
    const Ids loc{8, -1, 9, 10, 3};
    Ids out(7, kPoison);
    kernels::WriteLocCall call{
        .loc = loc.data(), .count = 5, .out = out.data(), .out_count = 6, .dcp = 2, .rank = 1};
    host::run(call);
    EXPECT_THAT(out, ElementsAre(0, 0, 4, 0, 1, 0, kPoison));
    call.dcp = 1;
    call.rank = 0;
    host::run(call);
    EXPECT_THAT(out, ElementsAre(8, 0, 9, 10, 3, 0, kPoison));
}

TEST(Map, ARampCountsColumnsByItsScalar) {
    std::vector<std::int32_t> out(5);
    host::run(kernels::MapCall{
        .op = kernels::MapOp::ramp, .scalar = 3, .out = {out.data(), IndexType::i32}, .cols = 5});
    EXPECT_THAT(out, ElementsAre(0, 3, 6, 9, 12));
}

} // namespace
