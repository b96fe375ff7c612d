#include "kernels/cuda/read_index.h"

#include "kernels/host/read_index.h"
#include "tests/support/device_read_case.h"

#include <gtest/gtest.h>

namespace {

using kvprof::kernels::GridRule;
using kvprof::kernels::IndexType;
using kvprof::test::DeviceReadCase;
using kvprof::test::DeviceVector;
using kvprof::test::IndexBuffer;
using kvprof::test::random_read_cases;
using kvprof::test::ReadCase;
using kvprof::test::ReadCaseSpec;
using kvprof::test::require_cuda;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

constexpr std::int32_t kPoison = -77;

struct Pair {
    std::vector<std::int64_t> host;
    std::vector<std::int64_t> device;
};

std::vector<std::int64_t> widened(const std::vector<std::int32_t>& values) {
    return {values.begin(), values.end()};
}

/// The whole table buffer (guard columns, a guard row) as both twins leave it.
Pair table_by_both(ReadCase& read, GridRule grid, std::int64_t width) {
    const std::int64_t stride = width + 3;
    std::vector<std::int32_t> out(static_cast<std::size_t>((read.batch() + 1) * stride), kPoison);
    DeviceVector<std::int32_t> device_out(out);
    DeviceReadCase device(read);
    kvprof::kernels::PageTableCall call{
        .lanes = read.lanes(),
        .out = out.data(),
        .stride = stride,
        .width = width,
        .grid = grid,
        .context_columns = width,
    };
    host::run(call);
    call.lanes = device.lanes;
    call.out = device_out.data();
    require_cuda(cuda::launch(call, nullptr), "launch the page table");
    return {widened(out), widened(device_out.host())};
}

/// The whole stream buffer (guard elements at its end) as both twins leave it.
Pair stream_by_both(ReadCase& read, GridRule grid, IndexType type, std::int64_t capacity) {
    const auto size = static_cast<std::size_t>(read.tokens() + 5);
    IndexBuffer out(std::vector<std::int64_t>(size, kPoison), type);
    DeviceVector<std::uint8_t> device_out(out.bytes);
    DeviceReadCase device(read);
    kvprof::kernels::TokenStreamCall call{
        .lanes = read.lanes(),
        .starts = read.starts_view(),
        .indptr = read.indptr.data(),
        .out = out.mutable_view(),
        .capacity = capacity,
        .grid = grid,
        .context_columns = read.longest(),
    };
    host::run(call);
    call.lanes = device.lanes;
    call.starts = device.starts_view;
    call.indptr = device.indptr.data();
    call.out.data = device_out.data();
    require_cuda(cuda::launch(call, nullptr), "launch the token stream");
    return {out.values(), IndexBuffer::decode(device_out.host(), type)};
}

std::int64_t table_width(const ReadCase& read) {
    return (read.longest() + read.spec.page_size - 1) / read.spec.page_size + 2;
}

TEST(PageTableGpu, P1EqualsTheHostTwinOn36RandomCasesInBothGrids) {
    for (const ReadCaseSpec& spec : random_read_cases(36, false)) {
        ReadCase read(spec);
        for (const auto grid : {GridRule::bs, GridRule::ctx}) {
            const auto both = table_by_both(read, grid, table_width(read));
            EXPECT_EQ(both.device, both.host) << "seed " << spec.seed;
        }
    }
}

TEST(TokenStreamGpu, P2EqualsTheHostTwinOn45RandomCasesInBothGridsAndWidths) {
    for (const ReadCaseSpec& spec : random_read_cases(45, true)) {
        ReadCase read(spec);
        for (const auto grid : {GridRule::bs, GridRule::ctx}) {
            for (const auto type : {IndexType::i32, IndexType::i64}) {
                const auto both = stream_by_both(read, grid, type, read.tokens());
                EXPECT_EQ(both.device, both.host) << "seed " << spec.seed;
            }
        }
    }
}

TEST(PageTableGpu, P4StopsAtTheTableWidth) {
    ReadCase read({.page_size = 2, .lens = {40, 7, 64}});
    const auto both = table_by_both(read, GridRule::bs, 10);
    EXPECT_EQ(both.device, both.host);
    EXPECT_EQ(both.device[10], kPoison); // the guard column after the first row
}

TEST(PageTableGpu, P4StopsAtTheColumnsOfReqToToken) {
    ReadCase read({.page_size = 4, .lens = {40, 7, 64}, .req_columns = 18});
    const auto both = table_by_both(read, GridRule::bs, 16);
    EXPECT_EQ(both.device, both.host);
    EXPECT_EQ(both.device[5], kPoison); // 18 columns hold the start of 5 pages
}

TEST(TokenStreamGpu, P4StopsAtTheCapacityAndAtTheColumnsOfReqToToken) {
    ReadCase read({.lens = {700, 900, 33}, .req_columns = 800});
    const auto both = stream_by_both(read, GridRule::bs, IndexType::i32, 1200);
    EXPECT_EQ(both.device, both.host);
    EXPECT_EQ(both.device[1199], both.host[1199]);
    EXPECT_EQ(both.device[1200], kPoison);
}

TEST(TokenStreamGpu, P3CutsLongLanesWithoutGapOrOverlap) {
    // Long enough for several passes of every block, and one lane that is not.
    ReadCase read({.seed = 5, .mult = 3, .lens = {70000, 131072, 1, 0, 8224}});
    const auto both = stream_by_both(read, GridRule::bs, IndexType::i32, read.tokens());
    EXPECT_EQ(both.device, both.host);
}

TEST(PageTableGpu, P3CutsLongLanesWithoutGapOrOverlap) {
    ReadCase read({.seed = 6, .mult = 3, .lens = {70000, 131072, 1, 0, 8224}});
    const auto both = table_by_both(read, GridRule::bs, 140000);
    EXPECT_EQ(both.device, both.host);
}

TEST(PageTableGpu, P3ServesMoreLanesThanTheGridHasTargetBlocks) {
    ReadCase read({.seed = 7, .page_size = 2, .lens = std::vector<std::int64_t>(1500, 11)});
    const auto both = table_by_both(read, GridRule::bs, 8);
    EXPECT_EQ(both.device, both.host);
}

TEST(PageTableGpu, P6GivesNoNegativeEntry) {
    ReadCase read(
        {.page_size = 1,
         .mult = 7,
         .lens = {500, 0, 90},
         .hole_percent = 40,
         .tombstone_percent = 40,
         .foreign_percent = 10}
    );
    const auto both = table_by_both(read, GridRule::bs, 500);
    for (std::size_t c = 0; c < 500; ++c) {
        EXPECT_GE(both.device[c], 0);
    }
    EXPECT_EQ(both.device, both.host);
}

TEST(ReadIndexGpu, RefusesAMultBelowOne) {
    ReadCase read({.mult = 1, .lens = {4}});
    DeviceReadCase device(read);
    DeviceVector<std::int32_t> out(std::vector<std::int32_t>(4));
    device.lanes.mult = 0;
    const kvprof::kernels::PageTableCall call{
        .lanes = device.lanes, .out = out.data(), .stride = 4, .width = 4};
    EXPECT_EQ(cuda::launch(call, nullptr), cudaErrorInvalidValue);
}

TEST(ReadIndexGpu, LaunchesNothingForAnEmptyBatchOrWidth) {
    EXPECT_EQ(cuda::launch(kvprof::kernels::PageTableCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(kvprof::kernels::TokenStreamCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(kvprof::kernels::RepackCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(kvprof::kernels::StaticGatherCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(kvprof::kernels::StaticBlockTableCall{}, nullptr), cudaSuccess);
}

} // namespace
