#include "kernels/id_math.h"

#include "kernels/narrow_ids.h"
#include "tests/reference/reference_ids.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace {

using kvprof::test::below;
namespace kernels = kvprof::kernels;

TEST(IdMath, AHoleIsOnVirtualPage0AtEveryPageSize) {
    EXPECT_EQ(kernels::virtual_page(-1, 1), 0);
    EXPECT_EQ(kernels::virtual_page(-1, 16), 0);
    EXPECT_EQ(kernels::virtual_page(-40, 16), 0);
    EXPECT_EQ(kernels::virtual_page(40, 16), 2);
}

TEST(IdMath, ATombstoneEntryIsTheSink) {
    EXPECT_EQ(kernels::page_entry(-1, 48), 0);
    EXPECT_EQ(kernels::page_entry(0, 48), 0);
    EXPECT_EQ(kernels::page_entry(3, 48), 144);
}

TEST(IdMath, ATokenIdKeepsThePositionInsideThePage) {
    EXPECT_EQ(kernels::token_id_in_page(144, 35, 16), 144 * 16 + 3);
    EXPECT_EQ(kernels::page_start(35, 16), 32);
    EXPECT_EQ(kernels::page_start(35, 1), 35);
}

TEST(IdMath, PagesRoundUpAndNeverBelowZero) {
    EXPECT_EQ(kernels::pages_of(0, 4), 0);
    EXPECT_EQ(kernels::pages_of(-1, 4), 0);
    EXPECT_EQ(kernels::pages_of(-9, 4), 0);
    EXPECT_EQ(kernels::pages_of(1, 4), 1);
    EXPECT_EQ(kernels::pages_of(4, 4), 1);
    EXPECT_EQ(kernels::pages_of(5, 4), 2);
}

TEST(IdMath, ATombstoneWriteIsExactlyZeroUnlikeARead) {
    EXPECT_EQ(kernels::write_id(-1, 35, 1, 16), 0);
    EXPECT_EQ(kernels::write_id(2, 35, 3, 16), 2 * 3 * 16 + 3);
    EXPECT_EQ(kernels::token_id_in_page(kernels::page_entry(-1, 1), 35, 16), 3);
}

TEST(IdMath, NoRankOwnsANegativeId) {
    EXPECT_FALSE(kernels::is_owned(-4, 4, 0)); // -4 % 4 is 0
    EXPECT_FALSE(kernels::is_owned(-1, 4, 3));
    EXPECT_FALSE(kernels::is_owned(-1, 1, 0));
}

TEST(IdMath, ExactlyOneRankOwnsEachId) {
    for (std::int64_t id = 0; id < 12; ++id) {
        const std::array owners{
            kernels::is_owned(id, 3, 0), kernels::is_owned(id, 3, 1), kernels::is_owned(id, 3, 2)};
        EXPECT_EQ(std::count(owners.begin(), owners.end(), true), 1) << "id " << id;
    }
}

TEST(IdMath, AFreshPageOpensAfterAFullOne) {
    EXPECT_TRUE(kernels::opens_page(1, 4));
    EXPECT_FALSE(kernels::opens_page(2, 4));
    EXPECT_FALSE(kernels::opens_page(4, 4));
    EXPECT_TRUE(kernels::opens_page(5, 4));
    EXPECT_TRUE(kernels::opens_page(7, 1));
    EXPECT_FALSE(kernels::opens_page(0, 4));
}

struct NarrowInput {
    std::int64_t token;
    std::int64_t physical;
    std::int64_t position;
    std::int64_t page_size;
    std::int64_t mult;
};

/// Ids of all magnitudes, holes and tombstones among them.
std::vector<NarrowInput> narrow_inputs() {
    std::mt19937 random(3);
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    constexpr std::size_t kCount = 20000;
    std::vector<NarrowInput> inputs;
    inputs.reserve(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        inputs.push_back({
            .token = below(random, kMost) - (i % 7 == 0 ? kMost : 0),
            .physical = i % 5 == 0 ? -1 : below(random, kMost),
            .position = below(random, kMost / 2),
            .page_size = below(random, 130) + 1,
            .mult = below(random, 100) + 1,
        });
    }
    return inputs;
}

std::uint32_t low(std::int64_t value) {
    return static_cast<std::uint32_t>(value);
}

TEST(NarrowIds, GiveTheVirtualPageOfTheWideFormula) {
    for (const auto& in : narrow_inputs()) {
        const auto page =
            kernels::narrow_virtual_page(static_cast<std::int32_t>(in.token), low(in.page_size));
        EXPECT_EQ(page, kernels::virtual_page(in.token, in.page_size));
    }
}

TEST(NarrowIds, GiveTheLowBitsOfTheWideIds) {
    for (const auto& in : narrow_inputs()) {
        const auto entry =
            kernels::narrow_page_entry(static_cast<std::int32_t>(in.physical), low(in.mult));
        const auto wide_entry = kernels::page_entry(in.physical, in.mult);
        EXPECT_EQ(entry, low(wide_entry));
        EXPECT_EQ(
            kernels::narrow_token_id(entry, low(in.position), low(in.page_size)),
            low(kernels::token_id_in_page(wide_entry, in.position, in.page_size))
        );
    }
}

TEST(NarrowIds, GiveAllBitsIn64BitWords) {
    for (const auto& in : narrow_inputs()) {
        const auto entry =
            kernels::narrow_page_entry(in.physical, static_cast<std::uint64_t>(in.mult));
        const auto wide_entry = kernels::page_entry(in.physical, in.mult);
        EXPECT_EQ(
            kernels::narrow_token_id(entry, low(in.position), low(in.page_size)),
            static_cast<std::uint64_t>(
                kernels::token_id_in_page(wide_entry, in.position, in.page_size)
            )
        );
    }
}

} // namespace
