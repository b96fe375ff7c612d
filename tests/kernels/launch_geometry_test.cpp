#include "kernels/launch_geometry.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

namespace kernels = kvprof::kernels;

constexpr kernels::Tuning kTuning{.threads = 256, .items = 4, .target_blocks = 1024};

TEST(LaunchGeometry, TheContextGridGrowsWithTheContextWhateverTheLengths) {
    const auto shape = kernels::context_shape(64, 1048576);
    EXPECT_EQ(shape.grid_x, 4096);
    EXPECT_EQ(shape.grid_y, 64); // 262,144 blocks
    EXPECT_EQ(shape.threads, 256);
    EXPECT_EQ(kernels::context_shape(1, 257).grid_x, 2);
}

TEST(LaunchGeometry, TheBatchGridHasAboutTheTargetBlocks) {
    EXPECT_EQ(kernels::batch_shape(kTuning, 64, 1048576).grid_y, 16);
    EXPECT_EQ(kernels::batch_shape(kTuning, 256, 1048576).grid_y, 4);
    EXPECT_EQ(kernels::batch_shape(kTuning, 1, 1048576).grid_y, 1024);
    EXPECT_EQ(kernels::batch_shape(kTuning, 3000, 1048576).grid_y, 1);
    EXPECT_EQ(kernels::batch_shape(kTuning, 3000, 1048576).grid_x, 3000);
}

TEST(LaunchGeometry, TheBatchGridLaunchesNoMoreBlocksThanTheWidthCanFeed) {
    EXPECT_EQ(kernels::batch_shape(kTuning, 2, 513).grid_y, 2);
    EXPECT_EQ(kernels::batch_shape(kTuning, 2, 1).grid_y, 1);
}

/// Items that the shares cover when each begins where the one before ended; -1 at a gap.
int covered_items(int live, int parts) {
    int covered = 0;
    for (int part = 0; part < parts; ++part) {
        const auto share = kernels::share_of(live, parts, part);
        if (share.begin < share.end) {
            covered = share.begin == covered ? share.end : -1;
        }
    }
    return covered;
}

class Shares : public testing::TestWithParam<int> {};

TEST_P(Shares, CoverALaneOnceWithoutGap) {
    for (const int live : {0, 1, 31, 512, 513, 1024, 8224, 131072, 1000003}) {
        EXPECT_EQ(covered_items(live, GetParam()), live);
    }
}

INSTANTIATE_TEST_SUITE_P(Parts, Shares, testing::Values(1, 2, 3, 4, 16, 1024));

TEST(LaunchGeometry, AShortLaneUsesFewBlocks) {
    EXPECT_EQ(kernels::share_of(600, 16, 0).end, 512);
    EXPECT_EQ(kernels::share_of(600, 16, 1).end, 600);
    EXPECT_EQ(kernels::share_of(600, 16, 2).end, 0);
}

TEST(LaunchGeometry, SharesAreEvenInWholeWarps) {
    const auto first = kernels::share_of(8224, 4, 0);
    EXPECT_EQ(first.end, 2080); // 2,056 rounded up to 32
    EXPECT_EQ(kernels::share_of(8224, 4, 3).end, 8224);
}

TEST(LaunchGeometry, AStaticBlockTableBlockCovers4096Tokens) {
    EXPECT_EQ(kernels::block_table_shape(8, 1024, 16).grid_x, 4);
    EXPECT_EQ(kernels::block_table_shape(8, 10, 3).grid_x, 1);
    EXPECT_EQ(kernels::block_table_columns(8192), 1);
}

TEST(LaunchGeometry, SmallOperationsTakeTheCataloguesItemsPerBlock) {
    EXPECT_EQ(kernels::item_shape(129).grid_x, 2);
    EXPECT_EQ(kernels::write_loc_shape(513).grid_x, 2);
    EXPECT_EQ(kernels::write_loc_shape(512).grid_x, 1);
    EXPECT_EQ(kernels::alloc_decode_shape(64).grid_x, 64);
    EXPECT_EQ(kernels::zero_pages_shape(3, 16392).grid_x, 3);
    EXPECT_EQ(kernels::zero_pages_shape(3, 16392).grid_y, 2); // 2,049 words
    EXPECT_EQ(kernels::indptr_shape(100000).grid_x, 1);
}

} // namespace
