#include "kernels/launch_geometry.h"

#include <gtest/gtest.h>

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

TEST(LaunchGeometry, AStaticBlockTableBlockCovers4096Tokens) {
    EXPECT_EQ(kernels::block_table_shape(8, 1024, 16).grid_x, 4);
    EXPECT_EQ(kernels::block_table_shape(8, 10, 3).grid_x, 1);
    EXPECT_EQ(kernels::block_table_columns(8192), 1);
}

TEST(LaunchGeometry, Fa3sMetadataTakes256ColumnsABlockAndHalfWithPagesOrATwin) {
    EXPECT_EQ(kernels::fa_columns(1, false), 256);
    EXPECT_EQ(kernels::fa_columns(16, false), 128);
    EXPECT_EQ(kernels::fa_columns(1, true), 128);
    const auto shape = kernels::fa_metadata_shape(64, 1048576, 256);
    EXPECT_EQ(shape.grid_x, 4096);
    EXPECT_EQ(shape.grid_y, 64);
    const auto skip = kernels::fa_metadata_shape(64, 0, 256);
    EXPECT_EQ(skip.grid_x * skip.grid_y, 1);
}

TEST(LaunchGeometry, TrtllmsMetadataIsOneGrid) {
    EXPECT_EQ(kernels::trtllm_metadata_shape(64, 0).grid_x, 65);
    EXPECT_EQ(kernels::trtllm_metadata_shape(64, 512).grid_x, 66);
}

TEST(LaunchGeometry, ATranslationsGridFollowsTheCapacityUpToItsMost) {
    EXPECT_EQ(kernels::stream_translate_shape(1000).grid_x, 2);
    EXPECT_EQ(kernels::stream_translate_shape(268435456).grid_x, 1024);
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
