#include "capture/workload/expected_attention.h"

#include "tests/reference/reference_attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace kvprof {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::Pointwise;
using workload::expected_attention;
using workload::ExpectedAttention;

std::vector<double> reference_of(const ExpectedAttention& request) {
    std::vector<double> all;
    for (std::int64_t head = 0; head < request.head_count; ++head) {
        const auto one = reference::reference_attention({
            .len = request.len,
            .start = request.start,
            .step = request.step,
            .owner = request.owner,
            .shared_tokens = request.shared_tokens,
            .shared_owner = request.shared_owner,
            .seed = request.seed,
            .heads = request.heads,
            .is_v_in_k = request.is_v_in_k,
            .plane = request.plane,
            .head = request.first_head + head,
            .scale = request.scale,
        });
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

void expect_reference(const ExpectedAttention& request) {
    EXPECT_THAT(expected_attention(request), Pointwise(DoubleNear(1e-12), reference_of(request)));
}

ExpectedAttention gqa() {
    ExpectedAttention request;
    request.len = 700; // enough for several threads
    request.owner = 3;
    request.seed = 9;
    request.heads = {.query_heads = 6, .kv_heads = 2, .dim_k = 20, .dim_v = 12};
    request.plane = 4;
    request.head_count = 6;
    request.scale = 0.25;
    return request;
}

TEST(ExpectedAttention, EqualsTheReferenceForGroupedHeads) {
    expect_reference(gqa());
}

TEST(ExpectedAttention, EqualsTheReferenceForMla) {
    auto request = gqa();
    request.heads = {.query_heads = 3, .kv_heads = 1, .dim_k = 40, .dim_v = 32};
    request.is_v_in_k = true;
    request.head_count = 3;
    expect_reference(request);
}

TEST(ExpectedAttention, ServesSomeOfTheHeads) {
    auto request = gqa();
    request.first_head = 2; // the last of the first group, and the first of the second
    request.head_count = 2;
    expect_reference(request);
}

TEST(ExpectedAttention, AttendsAWindow) {
    auto request = gqa();
    request.start = 572;
    expect_reference(request);
}

TEST(ExpectedAttention, AttendsTheShareOfAContextParallelRank) {
    auto request = gqa();
    request.len = 4000; // more than one part a rank
    request.start = 1;
    request.step = 3;
    expect_reference(request);
    request.len = 1; // none of it is this rank's
    EXPECT_THAT(expected_attention(request), Each(0.0));
}

TEST(ExpectedAttention, TakesTheSharedPrefixFromItsOwner) {
    auto request = gqa();
    const auto alone = expected_attention(request);
    request.shared_tokens = 512;
    request.shared_owner = 90;
    expect_reference(request);
    EXPECT_NE(expected_attention(request), alone);
}

TEST(ExpectedAttention, GivesTheNewestTokenToTheLane) {
    auto request = gqa();
    request.len = 1;
    const auto alone = expected_attention(request);
    request.shared_tokens = 1;
    request.shared_owner = 90;
    EXPECT_EQ(expected_attention(request), alone);
}

TEST(ExpectedAttention, IsZeroWithoutTokens) {
    auto request = gqa();
    request.len = 0;
    EXPECT_THAT(expected_attention(request), Each(0.0));
    EXPECT_EQ(expected_attention(request).size(), 72U);
}

} // namespace
} // namespace kvprof
