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
    EXPECT_EQ(blocks(kernels::batch_shape(kernels::kPageTableTuning, 64, kContext)), 1024);
    EXPECT_EQ(kernels::live_blocks(table_of(lanes, GridRule::bs)), 1024);
}

TEST(LiveBlocks, ABatchGridLeavesTheBlocksOfShortLanesIdle) {
    // 16 blocks a lane of 512 items: 100 items need one, 1,024 two, 0 none, 100,000 all.
    std::vector<std::int64_t> lens(64, 0);
    lens[0] = 100;
    lens[1] = 1024;
    lens[2] = 100'000;
    EXPECT_EQ(kernels::live_blocks(table_of(Lanes(lens), GridRule::bs)), 1 + 2 + 16);
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

TEST(LiveBlocks, KernelsWithoutARuleHaveNoFigure) {
    EXPECT_FALSE(kernels::live_blocks(kernels::AttentionCall()).has_value());
    EXPECT_FALSE(kernels::live_blocks(kernels::MapCall()).has_value());
}

} // namespace
} // namespace kvprof
