#include "capture/buffer_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

namespace kvprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsNull;
using ::testing::NotNull;

TEST(BufferPool, LendsZeroedMemoryAgainAfterUse) {
    BufferPool pool([](std::uint8_t* /*data*/, std::size_t /*valid*/) {}, 1);
    std::uint8_t* first = pool.lend();
    ASSERT_THAT(first, NotNull());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 8, 0U);
    std::fill_n(first, BufferPool::kBufferBytes, std::uint8_t{0xAB});
    BufferPool::take_back(first, 10);
    pool.while_idle([] {});

    std::uint8_t* again = pool.lend();
    ASSERT_EQ(again, first);
    EXPECT_EQ(std::count(again, again + BufferPool::kBufferBytes, 0), BufferPool::kBufferBytes);
    BufferPool::take_back(again, 0);
}

TEST(BufferPool, ReadsBuffersInTheOrderInWhichTheyComeBack) {
    std::vector<std::size_t> sizes;
    BufferPool pool([&](std::uint8_t* /*data*/, std::size_t valid) { sizes.push_back(valid); });
    std::uint8_t* one = pool.lend();
    std::uint8_t* two = pool.lend();
    BufferPool::take_back(two, 2);
    BufferPool::take_back(one, 1);
    pool.while_idle([&] { EXPECT_THAT(sizes, ElementsAre(2, 1)); });
}

TEST(BufferPool, LendsNothingOverItsCapAndCountsIt) {
    BufferPool pool([](std::uint8_t* /*data*/, std::size_t /*valid*/) {}, 2);
    std::uint8_t* one = pool.lend();
    std::uint8_t* two = pool.lend();
    EXPECT_THAT(pool.lend(), IsNull());
    EXPECT_EQ(pool.out(), 2U);
    EXPECT_EQ(pool.refused(), 1U);
    BufferPool::take_back(one, 0);
    BufferPool::take_back(two, 0);
    pool.while_idle([] {});
    EXPECT_EQ(pool.out(), 0U);
}

TEST(BufferPool, ReadsNothingWhileSomeoneUsesWhatWasRead) {
    std::atomic<int> reads = 0;
    BufferPool pool([&](std::uint8_t* /*data*/, std::size_t /*valid*/) { ++reads; });
    pool.while_idle([&] {
        BufferPool::take_back(pool.lend(), 1);
        EXPECT_EQ(reads, 0);
    });
    pool.while_idle([&] { EXPECT_EQ(reads, 1); });
}

TEST(BufferPool, TakesABufferBackAfterItWasClosed) {
    std::atomic<int> reads = 0;
    auto* pool = new BufferPool([&](std::uint8_t* /*data*/, std::size_t /*valid*/) { ++reads; });
    std::uint8_t* late = pool->lend();
    pool->close();
    EXPECT_THAT(pool->lend(), IsNull());
    BufferPool::take_back(late, 1);
    EXPECT_EQ(reads, 0);
    EXPECT_EQ(pool->out(), 0U);
    delete pool;
}

TEST(BufferPool, SurvivesAReaderThatThrowsAndSaysSo) {
    BufferPool pool([](std::uint8_t* /*data*/, std::size_t valid) {
        if (valid == 1) {
            throw std::runtime_error("out of memory");
        }
    });
    BufferPool::take_back(pool.lend(), 2);
    pool.while_idle([] {});
    EXPECT_FALSE(pool.has_failed());
    BufferPool::take_back(pool.lend(), 1);
    BufferPool::take_back(pool.lend(), 2);
    pool.while_idle([] {});
    EXPECT_TRUE(pool.has_failed());
}

TEST(BufferPool, ServesSeveralThreadsAtOnce) {
    std::size_t sum = 0; // written by the reading thread alone
    BufferPool pool([&](std::uint8_t* /*data*/, std::size_t valid) { sum += valid; }, 4);
    const auto give = [&pool] {
        for (int i = 0; i < 50;) {
            if (std::uint8_t* buffer = pool.lend()) {
                buffer[0] = 1;
                BufferPool::take_back(buffer, 3);
                ++i;
            }
        }
    };
    std::thread one(give);
    std::thread two(give);
    one.join();
    two.join();
    pool.while_idle([&] { EXPECT_EQ(sum, 300U); });
}

} // namespace
} // namespace kvprof
