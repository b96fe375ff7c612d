#include "capture/experiment/ab_order.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace kvprof::experiment {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kSeeds = 50;

std::string refusal_of(std::int64_t runs) {
    try {
        static_cast<void>(ab_order(1, runs, 0));
    } catch (const UsageError& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return "nothing was refused";
}

std::vector<std::string> blocks_of(const std::vector<AbSlot>& order) {
    std::istringstream words(letters_of(order));
    return {std::istream_iterator<std::string>(words), {}};
}

/// By case and side: what `value` of each slot and its position adds up to.
template<typename Value>
std::map<std::pair<std::size_t, AbSide>, std::int64_t>
sums_of(const std::vector<AbSlot>& order, Value&& value) {
    std::map<std::pair<std::size_t, AbSide>, std::int64_t> sums;
    for (std::size_t i = 0; i < order.size(); ++i) {
        sums[{order[i].case_index, order[i].place.side}] += value(static_cast<std::int64_t>(i));
    }
    return sums;
}

TEST(AbOrder, IsBlocksThatMirrorThemselves) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        EXPECT_THAT(blocks_of(ab_order(1, 8, seed)), Each(AnyOf("ABBA", "BAAB")));
    }
}

TEST(AbOrder, DrawsBothKindsOfBlocks) {
    const auto blocks = blocks_of(ab_order(1, 40, 1));
    EXPECT_THAT(std::set(blocks.begin(), blocks.end()), ElementsAre("ABBA", "BAAB"));
}

TEST(AbOrder, HoldsEachSideOfEachCaseEquallyOften) {
    for (const std::int64_t runs : {1, 2, 6, 16}) {
        const auto counts = sums_of(ab_order(3, runs, 7), [](std::int64_t) { return 1; });
        EXPECT_EQ(counts.size(), 6U);
        for (const auto& [side, count] : counts) {
            EXPECT_EQ(count, runs);
        }
    }
}

TEST(AbOrder, GivesEachPairOneOfEachSide) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        std::map<std::pair<std::size_t, std::int64_t>, std::multiset<AbSide>> pairs;
        for (const AbSlot& slot : ab_order(2, 6, seed)) {
            pairs[{slot.case_index, slot.place.pair()}].insert(slot.place.side);
        }
        EXPECT_EQ(pairs.size(), 12U);
        for (const auto& [pair, sides] : pairs) {
            EXPECT_THAT(sides, ElementsAre(AbSide::a, AbSide::b));
        }
    }
}

TEST(AbOrder, WeighsALinearDriftEquallyOnBothSides) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        auto drift = sums_of(ab_order(3, 6, seed), [](std::int64_t i) { return i; });
        for (std::size_t i = 0; i < 3; ++i) {
            const std::pair a{i, AbSide::a};
            const std::pair b{i, AbSide::b};
            EXPECT_EQ(drift[a], drift[b]) << "case " << i << ", seed " << seed;
        }
    }
}

TEST(AbOrder, IsTheSameForTheSameSeed) {
    EXPECT_EQ(ab_order(2, 8, 42), ab_order(2, 8, 42));
    std::set<std::string> orders;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        orders.insert(letters_of(ab_order(1, 8, seed)));
    }
    EXPECT_GT(orders.size(), 8U) << "of 16 that there are";
}

TEST(AbOrder, SwapsEveryLetterWhenMirrored) {
    for (const std::int64_t runs : {1, 6}) {
        const auto order = ab_order(2, runs, 5);
        const auto mirrored = ab_order(2, runs, 5, true);
        ASSERT_EQ(mirrored.size(), order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            AbSlot swapped = order[i];
            swapped.place.side = swapped.place.side == AbSide::a ? AbSide::b : AbSide::a;
            EXPECT_EQ(mirrored[i], swapped);
        }
    }
}

TEST(AbOrder, GivesEachCaseItsBlockBeforeTheNextBlocks) {
    const auto order = ab_order(2, 4, 0);
    ASSERT_EQ(order.size(), 16U);
    for (std::size_t i = 0; i < order.size(); ++i) {
        EXPECT_EQ(order[i].case_index, i / 4 % 2) << i;
        EXPECT_EQ(order[i].place.block, static_cast<std::int64_t>(i / 8)) << i;
        EXPECT_EQ(order[i].place.place, static_cast<std::int64_t>(i % 4)) << i;
        EXPECT_EQ(order[i].place.attempt, 0) << i;
    }
}

TEST(AbOrder, IsABlockOfTwoForOneRunASide) {
    std::set<std::string> orders;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto order = ab_order(1, 1, seed);
        ASSERT_EQ(order.size(), 2U);
        EXPECT_EQ(order[0].place.pair(), order[1].place.pair());
        orders.insert(letters_of(order));
    }
    EXPECT_THAT(orders, ElementsAre("AB", "BA"));
}

TEST(AbOrder, RefusesHalfABlockWithTheNeighbours) {
    EXPECT_THAT(refusal_of(3), HasSubstr("3 runs a side: a block A B B A holds two of each | "));
    EXPECT_THAT(refusal_of(3), HasSubstr("take 2 or 4"));
    EXPECT_THAT(refusal_of(7), HasSubstr("take 6 or 8"));
    EXPECT_THAT(refusal_of(0), HasSubstr("take an even number"));
    EXPECT_THAT(refusal_of(-2), HasSubstr("take an even number"));
}

TEST(LettersOf, AreThoseOfTheFirstCase) {
    EXPECT_EQ(letters_of({}), "");
    EXPECT_EQ(
        letters_of(
            {{.case_index = 0, .place = {.side = AbSide::b, .block = 0, .place = 0}},
             {.case_index = 0, .place = {.side = AbSide::a, .block = 0, .place = 1}},
             {.case_index = 1, .place = {.side = AbSide::a, .block = 0, .place = 0}},
             {.case_index = 0, .place = {.side = AbSide::a, .block = 1, .place = 0}}}
        ),
        "BA A"
    );
}

} // namespace
} // namespace kvprof::experiment
