#include "kernels/balance_rules.h"

#include "kernels/split_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace kvprof {
namespace {

/// In chunks of 1,024 items.
bool is_skewed_batch(const std::vector<int>& lens) {
    const auto share_of = [&](std::int64_t lane) {
        const std::int64_t length = lens[static_cast<std::size_t>(lane)];
        return kernels::LaneShare{length, 0, length};
    };
    return kernels::is_skewed_batch(
        kernels::Tuning{}, share_of, static_cast<std::int64_t>(lens.size())
    );
}

/// Whether the block of a lane sees another one that is apart from it.
bool sees_another_apart(const std::vector<int>& lens, int own) {
    const int alike = kernels::alike_up_to(static_cast<std::int64_t>(lens.size()));
    return std::any_of(lens.begin(), lens.end(), [&](int other) {
        return kernels::is_apart(other, own, alike);
    });
}

/// @return whether the batch is skewed
bool expect_one_answer_of_all_blocks(const std::vector<int>& lens) {
    const bool is_skewed = is_skewed_batch(lens);
    for (std::size_t lane = 0; is_skewed && lane < lens.size(); ++lane) {
        EXPECT_TRUE(sees_another_apart(lens, lens[lane]))
            << "lane " << lane << " of " << lens.size();
    }
    return is_skewed;
}

TEST(BalanceRules, EveryBlockOfASkewedBatchSeesALaneApartFromItsOwn) {
    std::mt19937 random(5); // NOLINT(cert-msc51-cpp): repeatable
    const auto draw = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    int skewed = 0;
    for (int round = 0; round < 4000; ++round) {
        const int batch = draw(1, 64);
        const int usual = draw(1, 200'000);
        const int spread = draw(0, usual);
        std::vector<int> lens;
        for (int lane = 0; lane < batch; ++lane) {
            lens.push_back(draw(usual - spread, usual + spread));
        }
        lens[static_cast<std::size_t>(draw(0, batch - 1))] += draw(0, usual);
        skewed += expect_one_answer_of_all_blocks(lens) ? 1 : 0;
    }
    EXPECT_GT(skewed, 400);
}

/// Two long lanes, of which the shorter lies just inside is_apart's factor of the longer, and equal
/// short ones just below what makes the batch skewed.
TEST(BalanceRules, TheBlockOfASecondLongLaneSeesTheShortOnes) {
    int skewed = 0;
    for (const int batch : {4, 16, 64, 1024}) {
        for (int longest = 2 * kernels::alike_up_to(batch); longest < 4'000'000; longest += 9'973) {
            for (const double share : {0.0, 0.3, 0.6, 0.75, 0.76, 0.77, 0.78}) {
                std::vector<int> lens(
                    static_cast<std::size_t>(batch), static_cast<int>(longest * share)
                );
                lens[0] = longest;
                lens[1] = longest - longest / 9;
                skewed += expect_one_answer_of_all_blocks(lens) ? 1 : 0;
            }
        }
    }
    EXPECT_GT(skewed, 400);
}

TEST(BalanceRules, AnEvenBatchAndASmallOneAreNotSkewed) {
    EXPECT_FALSE(is_skewed_batch(std::vector<int>(256, 131'072)));
    EXPECT_FALSE(is_skewed_batch({1, 500'000 / 2})); // 2 x 250,000 is less than the set-up
    std::vector<int> lens(64, 1024);
    lens.push_back(1'000'000); // 65,000,000 of 600,000 + 1.28 x (64 + 977) x 1,024
    EXPECT_TRUE(is_skewed_batch(lens));
}

TEST(BalanceRules, LanesAreApartByMoreThanAnEighthOfTheShorterFromTheLimitOn) {
    EXPECT_FALSE(kernels::is_apart(1124, 1000, 1000));
    EXPECT_FALSE(kernels::is_apart(1125, 1000, 1000));
    EXPECT_TRUE(kernels::is_apart(1126, 1000, 1000));
    EXPECT_TRUE(kernels::is_apart(1000, 1126, 1000));
    EXPECT_FALSE(kernels::is_apart(1000, 0, 1000));
    EXPECT_EQ(kernels::alike_up_to(64), 4687); // 600,000 / 2 / 64
}

} // namespace
} // namespace kvprof
