#include "capture/import/chunks.h"
#include "capture/import/interned.h"
#include "tests/import/profile_rig.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kvprof::import {
namespace {

using std::chrono::nanoseconds;
using test::ProfileRig;

TEST(BuilderTables, KernelsAreByFullNameInOrderOfFallingTime) {
    ProfileRig rig;
    rig.kernel({.start = 0, .duration = 5, .name = "short"});
    rig.kernel({.start = 10, .duration = 9, .name = "long", .stream = "8"});
    rig.kernel({.start = 20, .duration = 3, .name = "long"});
    rig.work(
        EventKind::memory_copy,
        {.start = 30, .duration = 1, .name = "Memcpy DtoH (Device -> Pinned)"}
    );
    const auto kernels = rig.finish().file.kernels;
    ASSERT_EQ(kernels.size(), 3U);
    EXPECT_EQ(kernels[0].name, "long");
    EXPECT_EQ(kernels[0].launches, 2);
    EXPECT_EQ(kernels[0].time, nanoseconds(12));
    EXPECT_EQ(kernels[0].shortest, nanoseconds(3));
    EXPECT_EQ(kernels[0].longest, nanoseconds(9));
    EXPECT_EQ(kernels[0].copy, CopyKind::none);
    EXPECT_EQ(kernels[1].name, "short");
    EXPECT_EQ(kernels[2].kind, ActivityKind::memory_copy);
    EXPECT_EQ(kernels[2].copy, CopyKind::device_to_host);
}

TEST(BuilderTables, FactsOfReadersAreThoseOfTheProfile) {
    ProfileRig rig;
    rig.kernel({.start = 0, .duration = 5});
    rig.builder.set_rank("3");
    rig.builder.set_gpu("NVIDIA TEST GPU");
    rig.builder.set_source(ProfileSource::kineto, "Kineto");
    rig.builder.set_capability("stacks", Capability::carried);
    rig.builder.set_partial();
    const Profile profile = rig.finish().file.profile;
    EXPECT_EQ(profile.writer, "Kineto");
    EXPECT_TRUE(profile.is_partial);
    EXPECT_EQ(profile.ranks.at(0).rank, "3");
    EXPECT_EQ(profile.ranks.at(0).gpu, "NVIDIA TEST GPU");
    EXPECT_EQ(profile.ranks.at(0).file, "trace.json");
    EXPECT_EQ(profile.capabilities.at(0), (ProfileCapability{"stacks", Capability::carried}));
    EXPECT_EQ(profile.step_rule, "none");
}

TEST(BuilderTables, ChunksSortAcrossTheirPieces) {
    constexpr std::int64_t kSize = 3 * (std::int64_t{1} << 15U) + 7;
    Chunks<std::int64_t> chunks;
    for (std::int64_t i = 0; i < kSize; ++i) {
        chunks.push_back(kSize - 1 - i);
    }
    std::sort(chunks.begin(), chunks.end());
    ASSERT_EQ(chunks.size(), static_cast<std::size_t>(kSize));
    for (std::int64_t i = 0; i < kSize; ++i) {
        ASSERT_EQ(chunks[static_cast<std::size_t>(i)], i);
    }
}

TEST(BuilderTables, WideValuesComeBackWhole) {
    WideValues values;
    const std::uint64_t largest = ~std::uint64_t{0};
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{0xf0000000U}, std::uint64_t{0xffffffffU}, largest}) {
        const std::uint32_t key = values.key_of(value);
        EXPECT_EQ(values.value_of(key), value);
        EXPECT_EQ(values.key_of(value), key);
        EXPECT_NE(key, WideValues::kNone);
    }
}

} // namespace
} // namespace kvprof::import
