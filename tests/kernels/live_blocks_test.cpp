#include "kernels/live_blocks.h"

#include "kernels/launch_geometry.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace kvprof {
namespace {

using kernels::GridRule;

constexpr std::int64_t kContext = 1'048'576;

/// 64 lanes of one length, nothing of which is read but lengths and row starts.
struct Lanes {
    std::vector<std::int64_t> lens;
    std::vector<std::int32_t> indptr;

    explicit Lanes(std::vector<std::int64_t> lengths)
        : lens(std::move(lengths)),
          indptr(lens.size() + 1) {
        std::partial_sum(lens.begin(), lens.end(), indptr.begin() + 1);
    }

    [[nodiscard]] kernels::ReadLanes view(std::int64_t page_size = 1) const {
        kernels::ReadLanes lanes;
        lanes.req_columns = kContext;
        lanes.lens = {lens.data(), kernels::IndexType::i64};
        lanes.page_size = page_size;
        lanes.batch = static_cast<std::int64_t>(lens.size());
        return lanes;
    }
};

kernels::PageTableCall table_of(const Lanes& lanes, GridRule grid, std::int64_t page_size = 1) {
    kernels::PageTableCall call;
    call.lanes = lanes.view(page_size);
    call.width = kContext / page_size;
    call.grid = grid;
    call.context_columns = kContext / page_size;
    return call;
}

std::int64_t blocks(const kernels::LaunchShape& shape) {
    return shape.grid_x * shape.grid_y;
}

TEST(LiveBlocks, AContextGridAt64x8224LaunchesAQuarterMillionBlocksOf2112WithWork) {
    const Lanes lanes(std::vector<std::int64_t>(64, 8224));
    EXPECT_EQ(blocks(kernels::context_shape(64, kContext)), 262'144);
    EXPECT_EQ(kernels::live_blocks(table_of(lanes, GridRule::ctx)), 2112); // 64 x ceil(8224 / 256)
}

TEST(LiveBlocks, ABatchGridAt64x8224HasWorkForEveryBlock) {
    const Lanes lanes(std::vector<std::int64_t>(64, 8224));
    EXPECT_EQ(blocks(kernels::batch_shape(kernels::kPageTableTuning, 64, kContext)), 512);
    EXPECT_EQ(kernels::live_blocks(table_of(lanes, GridRule::bs)), 512);
}

TEST(LiveBlocks, ABatchGridLeavesTheBlocksOfShortLanesIdle) {
    // 8 blocks a lane of 1,024 items: 100 items need one, 1,025 two, 0 none, 9,000 all.
    std::vector<std::int64_t> lens(64, 0);
    lens[0] = 100;
    lens[1] = 1025;
    lens[2] = 9'000;
    EXPECT_EQ(kernels::live_blocks(table_of(Lanes(lens), GridRule::bs)), 1 + 2 + 8);
}

TEST(LiveBlocks, AnUnevenBatchIsSharedEqually) {
    // Chunks of 256 vectors of four: 98 of 100,000 items, and one for each of 63 short lanes.
    std::vector<std::int64_t> lens(64, 100);
    lens[2] = 100'000;
    const Lanes lanes(lens);
    auto call = table_of(lanes, GridRule::bs);
    EXPECT_EQ(kernels::live_blocks(call), 98 + 63);
    call.tuning.split = kernels::Split::rows;
    EXPECT_EQ(kernels::live_blocks(call), 63 + 8);
    call.tuning.split = kernels::Split::flat;
    EXPECT_EQ(kernels::live_blocks(call), 98 + 63);
}

TEST(LiveBlocks, LengthsDecideTheSplitAndRoomTheBlocksWithWork) {
    // The long lane's 98 chunks lie behind two of short lanes; there is room for 20 of them.
    std::vector<std::int64_t> lens(64, 100);
    lens[2] = 100'000;
    const Lanes lanes(lens);
    kernels::TokenStreamCall call;
    call.lanes = lanes.view();
    call.indptr = lanes.indptr.data();
    call.capacity = 200'000;
    EXPECT_EQ(kernels::live_blocks(call), 98 + 63);
    call.capacity = 200 + 20 * 1024;
    EXPECT_EQ(kernels::live_blocks(call), 2 + 20);
}

TEST(LiveBlocks, PagesNotTokensFillATable) {
    const Lanes lanes(std::vector<std::int64_t>(2, 8224));
    // 514 pages of 16 tokens: 3 blocks of 256 columns a lane.
    EXPECT_EQ(kernels::live_blocks(table_of(lanes, GridRule::ctx, 16)), 6);
}

TEST(LiveBlocks, AStreamEndsWhereItsBufferDoes) {
    const Lanes lanes({1000, 1000});
    kernels::TokenStreamCall call;
    call.lanes = lanes.view();
    call.indptr = lanes.indptr.data();
    call.capacity = 1100;
    call.grid = GridRule::ctx;
    call.context_columns = kContext;
    EXPECT_EQ(kernels::live_blocks(call), 4 + 1); // the second lane has room for 100
}

TEST(LiveBlocks, AWindowCountsItsOwnTokens) {
    const Lanes lanes({128, 128});
    const std::vector<std::int64_t> starts{8000, 0};
    kernels::TokenStreamCall call;
    call.lanes = lanes.view();
    call.starts = {starts.data(), kernels::IndexType::i64};
    call.indptr = lanes.indptr.data();
    call.capacity = 1 << 20;
    call.grid = GridRule::ctx;
    call.context_columns = kContext;
    EXPECT_EQ(kernels::live_blocks(call), 2);
}

TEST(LiveBlocks, OneBlockWalksEachLaneThatHasTokens) {
    const Lanes lanes({5, 0, 9000});
    kernels::RepackCall repack;
    repack.lens = lanes.view().lens;
    repack.batch = 3;
    EXPECT_EQ(kernels::live_blocks(repack), 2);
}

TEST(LiveBlocks, AStaticBlockTableBlockCovers4096Tokens) {
    const Lanes lanes({1, 4096, 4097, 0});
    kernels::StaticBlockTableCall call;
    call.req_columns = kContext;
    call.lens = lanes.view().lens;
    call.width = kContext / 64;
    call.page_size = 64;
    call.batch = 4;
    EXPECT_EQ(kernels::live_blocks(call), 1 + 1 + 2 + 0);
}

TEST(LiveBlocks, LengthsAreAddedUpInWholeChunksAsOnTheDevice) {
    // 63 lanes of one token are 63 chunks of 1,024 items, and 10,900 tokens 11: 74 chunks are
    // 75,776, 1.28 times that and the set-up 696,993, which 64 x 10,900 = 697,600 exceeds.
    std::vector<std::int64_t> lens(64, 1);
    lens[2] = 10'900;
    const Lanes lanes(lens);
    EXPECT_EQ(kernels::live_blocks(table_of(lanes, GridRule::bs)), 63 + 11);
    lens[2] = 10'890; // 696,960
    const Lanes shorter(lens);
    EXPECT_EQ(kernels::live_blocks(table_of(shorter, GridRule::bs)), 63 + 8);
}

TEST(LiveBlocks, AZeroedTailGivesEveryBlockOfAShortLaneWork) {
    const Lanes lanes(std::vector<std::int64_t>(64, 100));
    auto call = table_of(lanes, GridRule::bs);
    EXPECT_EQ(kernels::live_blocks(call), 64);
    call.zero_tail = true;
    EXPECT_EQ(kernels::live_blocks(call), 512);
    call.width = 300; // one block a lane
    EXPECT_EQ(kernels::live_blocks(call), 64);
    call.grid = GridRule::ctx;
    EXPECT_EQ(kernels::live_blocks(call), 128); // 300 columns of 256 a block
}

TEST(LiveBlocks, Fa3sFirstBlockScansEvenWithoutAColumn) {
    const Lanes lanes({0, 8224, 300});
    std::vector<std::int32_t> table(1);
    kernels::FaMetadataCall call;
    call.lens = lanes.view().lens;
    call.batch = 3;
    EXPECT_EQ(kernels::live_blocks(call), 1); // no table: one block
    call.source = kernels::TableSource::req_to_token;
    call.table.out = table.data();
    call.req_columns = kContext;
    call.width = kContext;
    call.stride = kContext;
    EXPECT_EQ(kernels::live_blocks(call), 1 + 33 + 2);
    call.page_size = 64; // 129 and 5 pages, 128 a block
    EXPECT_EQ(kernels::live_blocks(call), 1 + 2 + 1);
    call.delta = 1; // the first lane has a column now
    EXPECT_EQ(kernels::live_blocks(call), 1 + 2 + 1);
}

TEST(LiveBlocks, TrtllmsGridIsARowALaneAScanAnd512WindowLocationsABlock) {
    const std::vector<std::int64_t> map(4);
    kernels::TrtllmMetadataCall call;
    call.lanes.batch = 64;
    EXPECT_EQ(kernels::live_blocks(call), 65);
    call.full_to_swa = {map.data(), kernels::IndexType::i64};
    call.swa_count = 513;
    EXPECT_EQ(kernels::live_blocks(call), 67);
}

TEST(LiveBlocks, ARanksStreamIsItsOwnTokens) {
    const Lanes lanes({2048, 0, 600}); // local lengths
    kernels::DcpGatherCall call;
    call.req_columns = kContext;
    call.local_lens = lanes.view().lens;
    call.indptr = lanes.indptr.data();
    call.capacity = 1 << 20;
    call.dcp = 2;
    call.batch = 3;
    EXPECT_EQ(kernels::live_blocks(call), 4 + 0 + 2);
    kernels::StreamTranslateCall translate;
    translate.indptr = lanes.indptr.data();
    translate.capacity = 1 << 20;
    translate.batch = 3;
    EXPECT_EQ(kernels::live_blocks(translate), 6); // 2,648 ids, 512 a block
}

TEST(LiveBlocks, OneWalkServesATableAndItsStream) {
    const Lanes lanes({1024, 16, 0});
    kernels::TableAndStreamCall call;
    call.lanes = lanes.view(16);
    call.width = kContext / 16;
    call.indptr = lanes.indptr.data();
    call.capacity = 1 << 20;
    EXPECT_EQ(kernels::live_blocks(call), 2 + 1 + 0);
    call.capacity = 0; // the table alone: the last page starts at position 1,008
    EXPECT_EQ(kernels::live_blocks(call), 2 + 1 + 0);
    call.zero_tail = true;
    call.table_rows = 5;
    call.width = 300; // 236, 299, and 300 zeroes in three rows, 256 columns a block and pass
    EXPECT_EQ(kernels::live_blocks(call), 2 + 2 + 3 * 2);
}

TEST(LiveBlocks, KernelsWithoutARuleHaveNoFigure) {
    EXPECT_FALSE(kernels::live_blocks(kernels::AttentionCall()).has_value());
    EXPECT_FALSE(kernels::live_blocks(kernels::MapCall()).has_value());
}

} // namespace
} // namespace kvprof
