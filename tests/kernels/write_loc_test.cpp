#include "kernels/host/write_loc.h"

#include "tests/kernels/read_helpers.h"
#include "tests/support/random.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using kvprof::kernels::IndexType;
using kvprof::kernels::WriteLocCall;
using kvprof::reference::Ids;
using kvprof::reference::WriteRule;
using kvprof::test::below;
using kvprof::test::IndexBuffer;
using kvprof::test::kPoison;
using testing::ElementsAre;
namespace host = kvprof::kernels::host;
namespace reference = kvprof::reference;

/// The output of `out_count` elements, and two guard elements.
Ids translated(const Ids& loc, const Ids& v2p, const WriteRule& rule, std::int64_t out_count) {
    IndexBuffer pages(v2p, IndexType::i64);
    Ids out(static_cast<std::size_t>(out_count + 2), kPoison);
    host::run(WriteLocCall{
        .loc = loc.data(),
        .v2p = {pages.bytes.data(), pages.type, static_cast<std::int64_t>(v2p.size())},
        .mult = rule.mult,
        .page_size = rule.page_size,
        .count = static_cast<std::int64_t>(loc.size()),
        .out = out.data(),
        .out_count = out_count,
        .dcp = rule.dcp,
        .rank = rule.rank,
    });
    return out;
}

Ids translated(const Ids& loc, const Ids& v2p, const WriteRule& rule) {
    auto out = translated(loc, v2p, rule, static_cast<std::int64_t>(loc.size()));
    out.resize(loc.size());
    return out;
}

TEST(WriteLoc, P8TranslatesAResidentToken) {
    EXPECT_THAT(
        translated({5, 8}, {0, 10, 20}, {.mult = 3, .page_size = 4}), ElementsAre(121, 240)
    );
}

TEST(WriteLoc, P8ATombstoneIsExactlyZeroUnlikeInTheStream) {
    EXPECT_THAT(translated({5, 6}, {0, -1}, {.mult = 1, .page_size = 4}), ElementsAre(0, 0));
}

TEST(WriteLoc, P8ANegativeIdIsZeroAtEveryPageSize) {
    EXPECT_THAT(translated({-1, -3}, {7, 10}, {.mult = 3, .page_size = 4}), ElementsAre(0, 0));
    EXPECT_THAT(translated({-1, -3}, {7, 10}, {.mult = 3, .page_size = 1}), ElementsAre(0, 0));
}

TEST(WriteLoc, P8APageThatV2pLacksIsZero) {
    EXPECT_THAT(translated({1, 2, 900}, {0, 10}, {.mult = 3}), ElementsAre(30, 0, 0));
}

TEST(WriteLoc, P8KeepsTheIdsOfItsRank) {
    const WriteRule rule{.dcp = 2, .rank = 1}; // 3 is local id 1, 5 is local id 2
    EXPECT_THAT(translated({2, 3, 4, 5}, {0, 10, 20}, rule), ElementsAre(0, 10, 0, 20));
}

TEST(WriteLoc, P8ANegativeIdIsNotRankZeros) {
    EXPECT_THAT(translated({-4, 4}, {9, 10}, {.dcp = 4, .rank = 0}), ElementsAre(0, 10));
}

class WriteLocByPageSize : public testing::TestWithParam<std::int64_t> {};

TEST_P(WriteLocByPageSize, P8EqualsTheReferenceForEveryDcpSizeAndRank) {
    std::mt19937 random(11);
    Ids v2p(60);
    std::generate(v2p.begin(), v2p.end(), [&] {
        return below(random, 5) == 0 ? -1 : below(random, 900) + 1;
    });
    for (std::int64_t dcp = 1; dcp <= 4; ++dcp) {
        Ids loc(400); // a few are negative, a few past the table
        std::generate(loc.begin(), loc.end(), [&] {
            return below(random, 70 * GetParam() * dcp) - 5;
        });
        for (std::int64_t rank = 0; rank < dcp; ++rank) {
            const WriteRule rule{7, GetParam(), dcp, rank};
            EXPECT_EQ(translated(loc, v2p, rule), reference::write_locations(loc, v2p, rule))
                << "dcp " << dcp << " rank " << rank;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(PageSizes, WriteLocByPageSize, testing::Values(1, 2, 3, 4, 16, 64));

TEST(WriteLoc, P8ClearsTheTailAndLeavesTheRestAlone) {
    EXPECT_THAT(translated({1}, {0, 10}, {.mult = 3}, 3), ElementsAre(30, 0, 0, kPoison, kPoison));
    EXPECT_THAT(translated({}, {0, 10}, {}, 1), ElementsAre(0, kPoison, kPoison));
    EXPECT_THAT(translated({1, 1}, {0, 10}, {}, 1), ElementsAre(10, kPoison, kPoison));
}

TEST(WriteLoc, P8TranslatesInPlace) {
    IndexBuffer v2p({0, 10, 20}, IndexType::i32);
    Ids loc{2, 1, -1};
    host::run(WriteLocCall{
        .loc = loc.data(),
        .v2p = {v2p.bytes.data(), v2p.type, 3},
        .mult = 5,
        .count = 3,
        .out = loc.data(),
        .out_count = 3,
    });
    EXPECT_THAT(loc, ElementsAre(100, 50, 0));
}

TEST(WriteLoc, P7EqualsTheStreamIdOfEveryResidentToken) {
    for (const auto& spec : kvprof::test::random_read_cases(18, false)) {
        kvprof::test::ReadCase read(spec);
        const auto ids = kvprof::test::stream_of(read);
        const auto in = kvprof::test::reference_inputs(read);
        const auto tokens = reference::static_gather(in, {});
        const auto written = translated(tokens, in.v2p, {spec.mult, spec.page_size, 1, 0});
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const auto page =
                static_cast<std::size_t>(std::max<std::int64_t>(tokens[i], 0) / spec.page_size);
            const bool resident = tokens[i] >= 0 && page < in.v2p.size() && in.v2p[page] >= 0;
            EXPECT_EQ(written[i], resident ? ids[i] : 0) << "seed " << spec.seed;
        }
    }
}

} // namespace
