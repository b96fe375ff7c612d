#include "capture/process_memory.h"

#include <gtest/gtest.h>

#include <optional>

namespace {

using kvprof::Bytes;

TEST(ResidentMemory, IsTheSecondFieldInPages) {
    EXPECT_EQ(kvprof::resident_in("25000 300 200 10 0 900 0", Bytes{4096}), Bytes{300 * 4096});
}

TEST(ResidentMemory, IsAbsentWhenTheFileDoesNotTell) {
    EXPECT_EQ(kvprof::resident_in("", Bytes{4096}), std::nullopt);
    EXPECT_EQ(kvprof::resident_in("25000", Bytes{4096}), std::nullopt);
    EXPECT_EQ(kvprof::resident_in("25000 many", Bytes{4096}), std::nullopt);
}

TEST(ResidentMemory, OfThisProcessIsMoreThanNothing) {
    EXPECT_GT(kvprof::resident_memory(), Bytes{0});
}

} // namespace
