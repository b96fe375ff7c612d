#include "kernels/host/attention.h"

#include "kernels/launch_geometry_attention.h"
#include "tests/kernels/attention_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace kvprof {
namespace {

using test::AttentionCase;
using test::AttentionCaseSpec;
using test::relative_error;
using testing::Each;
using testing::FloatNear;
using testing::Pointwise;

constexpr kernels::HeadShape kGqa{.query_heads = 6, .kv_heads = 2, .dim_k = 16, .dim_v = 24};
constexpr kernels::HeadShape kMla{.query_heads = 3, .kv_heads = 1, .dim_k = 40, .dim_v = 32};

AttentionCaseSpec gqa(std::vector<std::int64_t> lens, std::int64_t splits) {
    return {kGqa, false, std::move(lens), 4, splits};
}

AttentionCaseSpec mla(std::vector<std::int64_t> lens, std::int64_t splits) {
    return {kMla, true, std::move(lens), 4, splits};
}

void expect_near_reference(AttentionCase& host) {
    const auto out = host.host_result(host.over_stream());
    const auto& heads = host.spec.heads;
    for (std::size_t row = 0; row < host.lens.size() * static_cast<std::size_t>(heads.query_heads);
         ++row) {
        const auto lane = static_cast<std::int64_t>(row) / heads.query_heads;
        const auto head = static_cast<std::int64_t>(row) % heads.query_heads;
        const float* actual = out.data() + row * static_cast<std::size_t>(heads.dim_v);
        EXPECT_LT(relative_error(actual, host.reference(lane, head)), 1e-5)
            << "lane " << lane << ", head " << head;
    }
}

TEST(Attention, StaysNearDoublePrecisionForGroupedHeads) {
    AttentionCase host(gqa({1, 2, 33, 100}, 3));
    expect_near_reference(host);
}

TEST(Attention, StaysNearDoublePrecisionForMlaWhereVIsAPrefixOfK) {
    AttentionCase host(mla({1, 2, 33, 100}, 3));
    expect_near_reference(host);
}

TEST(Attention, GivesTheOnlyTokensVExactly) {
    for (auto host : {AttentionCase(gqa({1}, 5)), AttentionCase(mla({1}, 5))}) {
        const auto out = host.host_result(host.over_stream());
        EXPECT_EQ(relative_error(out.data(), host.reference(0, 0)), 0.0);
    }
}

TEST(Attention, GivesZerosForALaneWithoutTokens) {
    AttentionCase host(gqa({0}, 2));
    EXPECT_THAT(host.host_result(host.over_stream()), Each(0.0F));
}

TEST(Attention, AgreesBetweenNumbersOfSplits) {
    AttentionCase one(gqa({1, 6, 100}, 1));
    AttentionCase seven(gqa({1, 6, 100}, 7));
    EXPECT_THAT(
        seven.host_result(seven.over_stream()),
        Pointwise(FloatNear(1e-5F), one.host_result(one.over_stream()))
    );
}

TEST(Attention, ReadsTheSameThroughATable) {
    for (auto host : {AttentionCase(gqa({1, 6, 50}, 3)), AttentionCase(mla({1, 6, 50}, 3))}) {
        const auto over_stream = host.host_result(host.over_stream());
        EXPECT_EQ(host.host_result(host.over_table()), over_stream);
    }
}

TEST(Attention, ReadsWideIdsAndNarrowLengths) {
    AttentionCase host(gqa({3, 9}, 2));
    const auto expected = host.host_result(host.over_stream());
    const std::vector<std::int64_t> ids(host.stream.begin(), host.stream.end());
    const std::vector<std::int32_t> lens(host.lens.begin(), host.lens.end());
    auto call = host.over_stream();
    call.stream = {ids.data(), kernels::IndexType::i64};
    call.lens = {lens.data(), kernels::IndexType::i32};
    EXPECT_EQ(host.host_result(call), expected);
}

TEST(Attention, P15AWindowOverATableReadsItsLastPositionsAlone) {
    for (const std::int64_t splits : {1, 3}) {
        AttentionCase host(gqa({1, 6, 7, 50}, splits));
        auto call = host.over_table();
        call.window = 7;
        const auto out = host.host_result(call);
        for (std::int64_t lane = 0; lane < 4; ++lane) {
            const auto start =
                std::max<std::int64_t>(host.lens[static_cast<std::size_t>(lane)] - 7, 0);
            for (std::int64_t head = 0; head < kGqa.query_heads; ++head) {
                const auto row = (lane * kGqa.query_heads + head) * kGqa.dim_v;
                EXPECT_LT(relative_error(out.data() + row, host.reference(lane, head, start)), 1e-5)
                    << "lane " << lane << ", head " << head;
            }
        }
    }
}

TEST(Attention, AStreamsWindowIsItsLengthWhateverTheCallSays) {
    AttentionCase host(gqa({50}, 2));
    const auto expected = host.host_result(host.over_stream());
    auto call = host.over_stream();
    call.window = 7;
    EXPECT_EQ(host.host_result(call), expected);
}

TEST(Attention, P21IdsThatCountTokensReadTheSameRows) {
    for (const std::int64_t page_size : {1, 3, 4}) {
        AttentionCase dense({kGqa, false, {1, 6, 50}, page_size, 3});
        AttentionCase spread({kGqa, false, {1, 6, 50}, page_size, 3, 2 * page_size});
        EXPECT_GT(spread.k.size(), dense.k.size());
        const auto expected = dense.host_result(dense.over_stream());
        EXPECT_EQ(spread.host_result(spread.over_stream()), expected);
        EXPECT_EQ(spread.host_result(spread.over_table()), expected);
    }
}

// P21 rests on this: the result shows which rows were read.
TEST(Attention, ChangesWithASingleId) {
    AttentionCase host(mla({50}, 1));
    const auto right = host.host_result(host.over_stream());
    host.stream[10] = 0; // the sink
    const auto wrong = host.host_result(host.over_stream());
    const std::vector<double> expected(right.begin(), right.end());
    EXPECT_GT(relative_error(wrong.data(), expected), 1e-3);
}

TEST(Attention, SendsANegativeIdToTheSink) {
    AttentionCase host(mla({5}, 1));
    host.stream[2] = 0;
    const auto sink = host.host_result(host.over_stream());
    host.stream[2] = -1;
    EXPECT_EQ(host.host_result(host.over_stream()), sink);
}

TEST(Attention, WritesEveryPartialOfTheLaneIncludingEmptySplits) {
    AttentionCase host(gqa({2}, 4)); // chunk 1: splits 2 and 3 are empty
    kernels::host::run(host.over_stream());
    EXPECT_THAT(host.partial, Each(testing::Ne(-7.0F)));
    const float last = host.partial[3 * (24 + 1) + 24]; // the last split's log-sum-exp
    EXPECT_EQ(last, -std::numeric_limits<float>::infinity());
}

constexpr kernels::HeadShape kWide{.query_heads = 32, .kv_heads = 1, .dim_k = 576, .dim_v = 512};
constexpr kernels::HeadShape kNarrow{.query_heads = 32, .kv_heads = 8, .dim_k = 128, .dim_v = 128};

TEST(AttentionSplits, OfBlocksFillTheDeviceInWholeRounds) {
    EXPECT_EQ(kernels::attention_splits(1, kWide, true), 128); // the most
    EXPECT_EQ(kernels::attention_splits(2, kWide, true), 66);
    EXPECT_EQ(kernels::attention_splits(8, kWide, true), 16);  // 128 of 132 SMs
    EXPECT_EQ(kernels::attention_splits(48, kWide, true), 5);  // 240 of 264, and not 144 of 264
    EXPECT_EQ(kernels::attention_splits(64, kWide, true), 2);  // 128 of 132
    EXPECT_EQ(kernels::attention_splits(128, kWide, true), 1); // 128 of 132
    EXPECT_EQ(kernels::attention_splits(1024, kWide, true), 1);
}

TEST(AttentionSplits, OfWarpsFillEightTimesAsManyPlaces) {
    EXPECT_EQ(kernels::attention_splits(64, kNarrow, false), 2); // 64 * 8 * 2 = 1,024 of 1,056
    auto fewer = kNarrow;
    fewer.kv_heads = 1;
    fewer.query_heads = 4;
    EXPECT_EQ(kernels::attention_splits(64, fewer, false), 16); // 64 * 16 = 1,024
}

TEST(AttentionSplits, CountHeadTilesBeyondABlocksOwn) {
    auto more = kWide;
    more.query_heads = 64; // two blocks read each row
    EXPECT_EQ(kernels::attention_splits(64, more, true), 1);
}

TEST(AttentionSplits, StayWithinTheirBoundsForEveryBatch) {
    for (std::int64_t batch = 0; batch <= 1024; ++batch) {
        for (const auto& heads : {kWide, kNarrow}) {
            const auto splits = kernels::attention_splits(batch, heads, false);
            EXPECT_GE(splits, 1) << batch;
            EXPECT_LE(splits, kernels::kMaxAttentionSplits) << batch;
        }
    }
}

TEST(AttentionGeometry, TakesWarpsForNarrowHeadsOfWhichThereAreEnough) {
    EXPECT_TRUE(kernels::is_by_warps(kNarrow, false, 512));
    EXPECT_FALSE(kernels::is_by_warps(kNarrow, false, 511));
    EXPECT_FALSE(kernels::is_by_warps(kNarrow, true, 512)); // V lies in K
    EXPECT_FALSE(kernels::is_by_warps(kWide, false, 512));
    auto grouped = kNarrow;
    grouped.query_heads = 8 * 16;
    EXPECT_TRUE(kernels::is_by_warps(grouped, false, 512));
    grouped.kv_heads = 4; // 32 query heads each, and a warp has 16 rows
    EXPECT_FALSE(kernels::is_by_warps(grouped, false, 512));
}

} // namespace
} // namespace kvprof
