#include "stats/split_mix.h"

#include <gtest/gtest.h>

#include <array>

namespace kvprof::stats {
namespace {

TEST(SplitMix64, BeginsAsEverywhere) {
    SplitMix64 random(42);
    EXPECT_EQ(random.next(), 0xbdd732262feb6e95U);
    EXPECT_EQ(random.next(), 0x28efe333b266f103U);
    EXPECT_EQ(random.next(), 0x47526757130f9f52U);
    EXPECT_EQ(random.next(), 0x581ce1ff0e4ae394U);
}

TEST(SplitMix64, DrawsIndices) {
    SplitMix64 random(42);
    for (const std::size_t wanted : {5U, 1U, 1U, 2U, 0U, 6U, 1U, 5U, 2U, 4U, 1U, 3U, 3U, 3U}) {
        EXPECT_EQ(random.below(7), wanted);
    }
}

TEST(SplitMix64, OfOneIndexIsZero) {
    SplitMix64 random(1);
    EXPECT_EQ(random.below(1), 0U);
}

} // namespace
} // namespace kvprof::stats
