#include "capture/block_cache.h"

#include <gtest/gtest.h>

#include <optional>

namespace {

using kvprof::BlockCache;
using kvprof::Bytes;

TEST(BlockCache, PlacesRequestsOneAfterTheOtherAtMultiplesOf512) {
    BlockCache cache(Bytes{4096});
    EXPECT_EQ(cache.place(Bytes{1}), 0);
    EXPECT_EQ(cache.place(Bytes{512}), 512);
    EXPECT_EQ(cache.place(Bytes{513}), 1024);
    EXPECT_EQ(cache.place(Bytes{8}), 2048);
    EXPECT_EQ(cache.left(), Bytes{4096 - 2560});
}

TEST(BlockCache, LetsASmallerRequestTakeWhatALargerOneDidNotFit) {
    BlockCache cache(Bytes{2048});
    EXPECT_EQ(cache.place(Bytes{1024}), 0);
    EXPECT_EQ(cache.place(Bytes{1025}), std::nullopt);
    EXPECT_EQ(cache.place(Bytes{1024}), 1024);
}

TEST(BlockCache, IsFilledToTheLastByteAlsoWhenItsSizeIsNoMultiple) {
    BlockCache cache(Bytes{700});
    EXPECT_EQ(cache.place(Bytes{500}), 0);
    EXPECT_EQ(cache.place(Bytes{189}), std::nullopt);
    EXPECT_EQ(cache.place(Bytes{188}), 512);
    EXPECT_EQ(cache.left(), Bytes{0});
    EXPECT_EQ(cache.place(Bytes{1}), std::nullopt);
}

TEST(BlockCache, ServesNothingFromAnEmptyBlock) {
    BlockCache cache(Bytes{0});
    EXPECT_EQ(cache.place(Bytes{1}), std::nullopt);
}

} // namespace
