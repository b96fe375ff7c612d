#include "kernels/content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace kvprof {
namespace {

using kernels::content_bf16;
using kernels::content_key;
using kernels::content_sixty_fourths;

float value_of(std::uint16_t bf16) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bf16) << 16U);
}

TEST(Content, IsAWholeNumberOfSixtyFourthsExactlyInBf16) {
    std::set<std::int32_t> seen;
    const auto key = content_key(1, 2, 3);
    for (std::int64_t element = 0; element < 4096; ++element) {
        const auto k = content_sixty_fourths(key, 5, element);
        EXPECT_EQ(value_of(content_bf16(key, 5, element)) * 64.0F, static_cast<float>(k));
        seen.insert(k);
    }
    EXPECT_EQ(seen.size(), 128U);
    EXPECT_EQ(*seen.begin(), -64);
    EXPECT_EQ(*seen.rbegin(), 63);
}

TEST(Content, KeepsItsValuesFromVersionToVersion) {
    const auto key = content_key(7, 10, 0);
    EXPECT_EQ(key, 0x3bc5b4b9f1b48216ULL);
    EXPECT_EQ(content_sixty_fourths(key, 0, 0), -3);
    EXPECT_EQ(content_sixty_fourths(key, 1, 575), -9);
}

TEST(Content, TellsTokensPlanesAndElementsApart) {
    const auto differing =
        [](std::uint64_t a, std::int64_t plane_a, std::uint64_t b, std::int64_t plane_b) {
            int count = 0;
            for (std::int64_t element = 0; element < 256; ++element) {
                count +=
                    content_bf16(a, plane_a, element) != content_bf16(b, plane_b, element) ? 1 : 0;
            }
            return count;
        };
    const auto key = content_key(1, 2, 3);
    EXPECT_GT(differing(key, 0, content_key(1, 2, 4), 0), 240);
    EXPECT_GT(differing(key, 0, content_key(1, 3, 3), 0), 240);
    EXPECT_GT(differing(key, 0, content_key(2, 2, 3), 0), 240);
    EXPECT_GT(differing(key, 0, content_key(1, 2, -4), 0), 240);
    EXPECT_GT(differing(key, 0, key, 1), 240);
}

} // namespace
} // namespace kvprof
