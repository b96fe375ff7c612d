#include "capture/ceilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

/// "l2 2", "hbm 256": kinds and MiB.
std::vector<std::string> sizes(std::int64_t free_mib, std::int64_t l2_mib) {
    std::vector<std::string> words;
    for (const CopyCeiling& copy :
         copies_to_measure(Bytes{free_mib * kMiB}, Bytes{l2_mib * kMiB})) {
        words.push_back(
            std::string(to_string(copy.kind)) + " " + std::to_string(copy.copied.count / kMiB)
        );
        EXPECT_EQ(copy.copied.count % kMiB, 0);
        EXPECT_EQ(copy.bytes_per_s, 0.0);
    }
    return words;
}

using testing::ElementsAre;

TEST(CopiesToMeasure, AreFiveOnADeviceWithRoom) {
    EXPECT_THAT(sizes(140'000, 60), ElementsAre("l2 2", "l2 8", "l2 16", "hbm 256", "hbm 1024"));
}

TEST(CopiesToMeasure, LeaveOutWhatASmallerL2CouldNotHold) {
    EXPECT_THAT(sizes(140'000, 40), ElementsAre("l2 2", "l2 8", "hbm 256", "hbm 1024"));
}

TEST(CopiesToMeasure, LeaveAQuarterOfTheFreeMemory) {
    EXPECT_THAT(sizes(2730, 60), ElementsAre("l2 2", "l2 8", "l2 16", "hbm 256"));
    EXPECT_THAT(sizes(2731, 60), testing::Contains("hbm 1024")); // 2 x 1024 is under 3/4 of it
}

TEST(CopiesToMeasure, TakeLessMemoryWhenLittleIsFree) {
    EXPECT_THAT(sizes(400, 60), ElementsAre("l2 2", "l2 8", "l2 16", "hbm 128"));
}

TEST(CopiesToMeasure, HaveNoneOfMemoryWhenL2CouldHoldThem) {
    EXPECT_THAT(sizes(100, 60), ElementsAre("l2 2", "l2 8", "l2 16"));
}

} // namespace
} // namespace kvprof
