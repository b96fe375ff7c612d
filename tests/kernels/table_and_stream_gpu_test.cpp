#include "kernels/cuda/read_index.h"
#include "kernels/host/read_index.h"
#include "tests/kernels/device_calls.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using kvprof::kernels::GridRule;
using kvprof::kernels::IndexType;
using kvprof::test::CapturedGraph;
using kvprof::test::DeviceMirror;
using kvprof::test::kPoison;
using kvprof::test::mirror_of;
using kvprof::test::on_device;
using kvprof::test::random_read_cases;
using kvprof::test::random_table_and_stream_cases;
using kvprof::test::ReadCase;
using kvprof::test::require_cuda;
using kvprof::test::TableAndStreamCase;
using kvprof::test::TableBuffer;
using kvprof::test::window_map;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

void expect_twins_agree(TableAndStreamCase& both) {
    const auto mirror = mirror_of(both);
    require_cuda(cuda::launch(on_device(mirror, both.call()), nullptr), "launch table and stream");
    host::run(both.call());
    EXPECT_EQ(mirror.fetched(both.table.out), both.table.out) << "seed " << both.read.spec.seed;
    EXPECT_EQ(mirror.fetched(both.stream.bytes), both.stream.bytes)
        << "seed " << both.read.spec.seed;
}

TEST(TableAndStreamGpu, P2EqualsTheHostTwinOn63RandomCases) {
    for (auto& both : random_table_and_stream_cases(63)) {
        expect_twins_agree(both);
    }
}

TEST(TableAndStreamGpu, P3CutsLongLanesWithoutGapOrOverlap) {
    for (const std::int64_t page_size : {1, 16}) {
        for (const bool zero_tail : {false, true}) {
            TableAndStreamCase both(
                {.seed = 5, .page_size = page_size, .mult = 3, .lens = {70000, 131072, 1, 0, 8224}},
                140001,
                zero_tail,
                IndexType::i32
            );
            expect_twins_agree(both);
        }
    }
}

TEST(TableAndStreamGpu, P4StopsAtTheColumnsOfReqToToken) {
    TableAndStreamCase both(
        {.page_size = 4, .lens = {40, 7, 64}, .req_columns = 18}, 16, true, IndexType::i32
    );
    expect_twins_agree(both);
}

TEST(PageTableGpu, AZeroedTailEqualsTheHostTwinsInBothGrids) {
    for (const auto& spec : random_read_cases(27, false)) {
        ReadCase read(spec);
        for (const auto grid : {GridRule::bs, GridRule::ctx}) {
            TableBuffer table(read.batch(), read.longest() / spec.page_size + 900);
            DeviceMirror mirror;
            kvprof::test::mirror_read(mirror, read);
            mirror.add(table.out);
            auto call = table.call(read);
            call.grid = grid;
            call.context_columns = read.longest() / spec.page_size / 2; // the tail lies outside
            call.zero_tail = true;
            auto device = call;
            move(mirror, device.lanes);
            mirror.move(device.out);
            require_cuda(cuda::launch(device, nullptr), "launch the page table");
            host::run(call);
            EXPECT_EQ(mirror.fetched(table.out), table.out) << "seed " << spec.seed;
        }
    }
}

TEST(ReplayGpu, P5ATableAndStreamGraphFollowsLengthsAndContents) {
    constexpr std::int64_t kColumns = 4224;
    const auto moved = [](std::int64_t length, std::uint32_t seed) {
        TableAndStreamCase both(
            {.seed = seed,
             .mult = 7,
             .lens = {length, length / 2, 0, length},
             .req_columns = kColumns,
             .hole_percent = 5,
             .tombstone_percent = 5},
            kColumns,
            true,
            IndexType::i32
        );
        both.read.v2p.bytes.resize((4 * kColumns + 2) * sizeof(std::int64_t), 0xff);
        both.stream = {std::vector<std::int64_t>(4 * kColumns, kPoison), IndexType::i32};
        return both;
    };
    auto first = moved(1, 1);
    auto mirror = mirror_of(first);
    auto call = first.call();
    call.capacity = 4 * kColumns;
    const CapturedGraph graph([&](cudaStream_t stream) {
        return cuda::launch(on_device(mirror, call), stream);
    });
    EXPECT_EQ(graph.node_count(), 1U);
    std::uint32_t seed = 2;
    for (const std::int64_t length : {1, 64, 999, 4096, 0, 4200, 3}) {
        const auto next = moved(length, seed++);
        // Copied over: the mirror knows the memory by its place.
        const auto take = [](auto& to, const auto& from) {
            std::copy(from.begin(), from.end(), to.begin());
        };
        take(first.read.req_to_token, next.read.req_to_token);
        take(first.read.rows, next.read.rows);
        take(first.read.lens.bytes, next.read.lens.bytes);
        take(first.read.v2p.bytes, next.read.v2p.bytes);
        take(first.read.indptr, next.read.indptr);
        take(first.table.out, next.table.out);
        take(first.stream.bytes, next.stream.bytes);
        kvprof::test::refresh_read(mirror, first.read);
        mirror.refresh(first.table.out);
        mirror.refresh(first.stream.bytes);
        graph.replay();
        host::run(call);
        EXPECT_EQ(mirror.fetched(first.table.out), first.table.out) << "length " << length;
        EXPECT_EQ(mirror.fetched(first.stream.bytes), first.stream.bytes) << "length " << length;
    }
}

TEST(StaticWindowGpu, P15MappedGathersAndTablesEqualTheHostTwinsOn30RandomCases) {
    for (const auto& spec : random_read_cases(30, true)) {
        ReadCase read(spec);
        const auto tokens = static_cast<std::int64_t>(read.v2p.values().size()) * spec.page_size;
        const kvprof::test::IndexBuffer map(
            window_map(tokens, spec.page_size, spec.seed), spec.v2p_type
        );
        TableBuffer table(read.batch(), read.longest() / spec.page_size + 2);
        kvprof::test::StreamBuffer stream(read.tokens(), IndexType::i64);
        DeviceMirror mirror;
        kvprof::test::mirror_read(mirror, read);
        mirror.add(map.bytes);
        mirror.add(table.out);
        mirror.add(stream.out.bytes);
        kvprof::kernels::StaticGatherCall gather{
            .req_to_token = read.req_to_token.data(),
            .req_columns = read.req_columns,
            .rows = read.rows.data(),
            .lens = read.lens.view(),
            .starts = read.starts_view(),
            .indptr = read.indptr.data(),
            .out = stream.out.mutable_view(),
            .capacity = read.tokens(),
            .batch = read.batch(),
            .full_to_swa = map.view(),
            .map_rows = static_cast<std::int64_t>(map.values().size())};
        kvprof::kernels::StaticBlockTableCall pages{
            .req_to_token = read.req_to_token.data(),
            .req_columns = read.req_columns,
            .rows = read.rows.data(),
            .lens = read.lens.view(),
            .out = table.out.data(),
            .stride = table.stride,
            .width = table.width,
            .page_size = spec.page_size,
            .batch = read.batch(),
            .full_to_swa = map.view(),
            .map_rows = gather.map_rows};
        host::run(gather);
        host::run(pages);
        mirror.move_all(gather.req_to_token, gather.rows, gather.lens, gather.starts);
        mirror.move_all(gather.indptr, gather.out, gather.full_to_swa);
        mirror.move_all(pages.req_to_token, pages.rows, pages.lens, pages.out, pages.full_to_swa);
        require_cuda(cuda::launch(gather, nullptr), "launch the mapped gather");
        require_cuda(cuda::launch(pages, nullptr), "launch the mapped table");
        EXPECT_EQ(mirror.fetched(stream.out.bytes), stream.out.bytes) << "seed " << spec.seed;
        EXPECT_EQ(mirror.fetched(table.out), table.out) << "seed " << spec.seed;
    }
}

} // namespace
