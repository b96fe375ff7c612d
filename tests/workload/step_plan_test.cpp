#include "capture/workload/step_plan.h"

#include "capture/model/error.h"
#include "capture/workload/lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace {

using namespace kvprof;
using workload::plan_step;
using workload::StepPlan;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// Kimi-Linear at a context of 1,048,576 and 256 lanes: the headline of the seeds.
StepSpec kimi() {
    StepSpec spec;
    spec.batch = 8;
    spec.seq_len = 1024;
    return spec;
}

std::int64_t bytes_of(const StepPlan& plan, const std::string& name) {
    for (const MemoryStat& stat : workload::ledger_of(plan)) {
        if (stat.name == name) {
            return stat.bytes.count;
        }
    }
    return 0;
}

std::int64_t graph_bytes(const StepPlan& plan) {
    std::int64_t sum = 0;
    for (const MemoryStat& stat : workload::ledger_of(plan)) {
        sum += stat.group == "graph" ? stat.bytes.count : 0;
    }
    return sum;
}

std::string refusal(const StepSpec& spec, const MeasureSpec& how = {}) {
    try {
        static_cast<void>(plan_step(spec, how));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Ledger, P22TheRectangleOfAMillionTokensIs1024MiB) {
    StepSpec spec = kimi();
    spec.index_mode = IndexMode::rectangle;
    EXPECT_EQ(bytes_of(plan_step(spec, {}), "table"), 1024 * kMiB);
}

TEST(Ledger, P22TheStreamByContextIs1024MiBOnEitherPool) {
    StepSpec spec = kimi();
    EXPECT_EQ(bytes_of(plan_step(spec, {}), "stream"), 1024 * kMiB);
    spec.pool = PoolKind::statik;
    EXPECT_EQ(bytes_of(plan_step(spec, {}), "stream"), 1024 * kMiB);
}

TEST(Ledger, P22FlashinferMlaAddsExactlyTheRectangle) {
    StepSpec spec = kimi();
    const auto after = graph_bytes(plan_step(spec, {}));
    spec.index_mode = IndexMode::rectangle;
    const auto before = graph_bytes(plan_step(spec, {}));
    // stream, two copies of the row starts, int32 lengths
    EXPECT_EQ(after, 1024 * kMiB + 2 * 4 * 257 + 4 * 256);
    EXPECT_EQ(before - after, 1024 * kMiB);
}

TEST(Ledger, P22APageSizeOf64DividesTheRectangle) {
    StepSpec spec = kimi();
    spec.index_mode = IndexMode::rectangle;
    spec.page_size = 64;
    EXPECT_EQ(bytes_of(plan_step(spec, {}), "table"), 16 * kMiB);
}

TEST(Ledger, P22GptOssOnTritonLosesTwoRectanglesOf128MiB) {
    StepSpec spec;
    spec.preset = "gpt-oss-20b";
    spec.attention_backend = "triton";
    spec.batch = 8;
    spec.seq_len = 1024;
    spec.index_mode = IndexMode::rectangle;
    const auto before = graph_bytes(plan_step(spec, {}));
    spec.index_mode = IndexMode::stream;
    const auto after = graph_bytes(plan_step(spec, {}));
    EXPECT_EQ(before - after, 256 * kMiB);
    // stream 256 MiB, logits 32 MiB, log-sum-exp 0.5 MiB, window stream 0.25 MiB, and per lane:
    // two kinds of splits 4 B each, window lengths 4 B, two write locations 8 B each
    EXPECT_EQ(after, 256 * kMiB + 32 * kMiB + kMiB / 2 + kMiB / 4 + 256 * (4 + 4 + 4 + 8 + 8));
}

TEST(Ledger, P22AStreamBoundByThePoolFollowsTheFormula) {
    StepSpec spec = kimi();
    spec.stream_bound = StreamBound::pool;
    spec.pool_tokens = 8'150'000;
    const auto plan = plan_step(spec, {});
    EXPECT_EQ(bytes_of(plan, "stream"), 4 * (8'150'000 + 256 * 1));
    spec.delta = 3;
    EXPECT_EQ(bytes_of(plan_step(spec, {}), "stream"), 4 * (8'150'000 + 256 * 1 + 256 * 3));
}

TEST(StepPlan, RefusesAStreamBoundByThePoolThatASharedPrefixOverflows) {
    StepSpec spec = kimi();
    spec.stream_bound = StreamBound::pool;
    EXPECT_EQ(refusal(spec), "accepted");
    spec.prefix_share = 0.9; // 8 lanes of 1,024 list 8,192 tokens over 1,753 in the pool
    EXPECT_THAT(refusal(spec), testing::HasSubstr("stream overflow: the lanes list 8192 tokens"));
    EXPECT_THAT(refusal(spec), testing::HasSubstr("holds 2"));
}

TEST(StepPlan, RefusesWhatDoesNotFitTogetherWithTheNumbers) {
    StepSpec spec = kimi();
    spec.batch = 300;
    EXPECT_THAT(refusal(spec), testing::HasSubstr("--batch 300 exceeds --max-batch 256"));
    spec = kimi();
    spec.seq_len = 2'000'000;
    EXPECT_THAT(refusal(spec), testing::HasSubstr("beyond --max-context 1048576"));
    spec = kimi();
    spec.pool_tokens = 100;
    EXPECT_THAT(refusal(spec), testing::HasSubstr("need 8192 tokens at their longest"));
    spec = kimi();
    spec.page_size = 5;
    EXPECT_THAT(refusal(spec), testing::HasSubstr("no kernel takes --page-size 5"));
    spec = kimi();
    spec.preset = "llama-3.1-8b";
    EXPECT_THAT(refusal(spec), testing::HasSubstr("flashinfer_mla reads MLA rows"));
    spec = kimi();
    spec.dcp = 2;
    spec.dcp_rank = 2;
    EXPECT_THAT(refusal(spec), testing::HasSubstr("--dcp-rank 2 is not a rank of --dcp 2"));
    spec = kimi();
    spec.preset = "tiny-swa";
    spec.attention_backend = "triton";
    spec.seq_len = 2;
    spec.max_context = 2;
    EXPECT_THAT(refusal(spec), testing::HasSubstr("--max-context is 2"));
    spec = kimi();
    spec.churn = 0.1;
    spec.holes = 0.1;
    EXPECT_THAT(refusal(spec), testing::HasSubstr("goes without --holes"));
    spec = kimi();
    spec.holes = 1.5;
    EXPECT_THAT(refusal(spec), testing::HasSubstr("no share from 0 to 1"));
    MeasureSpec how;
    how.op = "page-tabel";
    EXPECT_THAT(refusal(kimi(), how), testing::HasSubstr("is not one of"));
    how.op = "attention";
    EXPECT_THAT(refusal(kimi(), how), testing::HasSubstr("does not run alone"));
    MeasureSpec scripted;
    scripted.script = "times.txt";
    EXPECT_THAT(
        refusal(kimi(), scripted), testing::HasSubstr("--script times.txt is played by no")
    );
    how.op = "write-loc";
    spec = kimi();
    spec.pool = PoolKind::statik;
    EXPECT_THAT(refusal(spec, how), testing::HasSubstr("--pool static has none"));
}

TEST(StepPlan, CapturesTheSmallestBucketThatHoldsTheBatch) {
    EXPECT_EQ(workload::graph_bucket(1, 256), 1);
    EXPECT_EQ(workload::graph_bucket(3, 256), 4);
    EXPECT_EQ(workload::graph_bucket(5, 256), 8);
    EXPECT_EQ(workload::graph_bucket(9, 256), 12);
    EXPECT_EQ(workload::graph_bucket(12, 256), 12);
    EXPECT_EQ(workload::graph_bucket(13, 256), 16);
    EXPECT_EQ(workload::graph_bucket(17, 256), 24);
    EXPECT_EQ(workload::graph_bucket(250, 252), 252);
    EXPECT_EQ(workload::graph_bucket(257, 512), 272);
    EXPECT_EQ(workload::graph_bucket(256, 256), 256);
}

TEST(StepPlan, CapturesThirtySixBucketsUpTo256) {
    std::set<std::int64_t> buckets;
    for (std::int64_t batch = 1; batch <= 256; ++batch) {
        buckets.insert(workload::graph_bucket(batch, 256));
    }
    EXPECT_EQ(buckets.size(), 36U);
}

TEST(StepPlan, GivesBothPoolsTheSameCapacity) {
    for (const char* preset : {"kimi-linear-48b", "tiny-mla", "tiny-gqa", "llama-3.1-8b"}) {
        for (const std::int64_t batch : {1, 8}) {
            StepSpec spec = kimi();
            spec.preset = preset;
            spec.attention_backend = "triton";
            spec.batch = batch;
            const auto unified = plan_step(spec, {}).pool_facts();
            spec.pool = PoolKind::statik;
            EXPECT_EQ(plan_step(spec, {}).pool_facts(), unified) << preset << batch;
        }
    }
}

TEST(StepPlan, SplitsLanesByTheBucketAndTheHeads) {
    StepSpec spec = kimi();
    EXPECT_EQ(plan_step(spec, {}).splits, 16); // MLA: 8 lanes, a block each
    spec.preset = "llama-3.1-8b";
    spec.attention_backend = "flashinfer";
    const StepPlan narrow = plan_step(spec, {});
    ASSERT_EQ(narrow.full.heads.kv_heads, 8);
    EXPECT_EQ(narrow.splits, 16); // 8 lanes of 8 warps each, and eight times the places
    spec.tp = 4;
    EXPECT_EQ(plan_step(spec, {}).splits, 66); // a quarter of the KV heads
    spec.attention_backend = "triton";
    EXPECT_EQ(plan_step(spec, {}).splits, 8); // what its buffers have room for
}

TEST(StepPlan, SharesNoLanesNewestToken) {
    StepSpec spec = kimi();
    spec.prefix_share = 1.0;
    EXPECT_EQ(plan_step(spec, {}).shared_tokens, 1023);
}

TEST(Lanes, EveryLawStaysWithinSeqLenAndIsReproducible) {
    for (const auto& [law, name] : EnumNames<LengthLaw>::values) {
        StepSpec spec = kimi();
        spec.batch = 64;
        spec.length_law = law;
        spec.long_len = law == LengthLaw::one_long ? 1000 : 0;
        const auto lengths = workload::lane_lengths(spec);
        EXPECT_EQ(lengths, workload::lane_lengths(spec)) << name;
        EXPECT_THAT(lengths, testing::Each(testing::AllOf(testing::Ge(1), testing::Le(1024))));
        EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()) > 900, true) << name;
    }
}

TEST(Lanes, RaggedWalksThePageEdges) {
    StepSpec spec = kimi();
    spec.length_law = LengthLaw::ragged;
    spec.page_size = 4;
    EXPECT_THAT(
        workload::lane_lengths(spec), testing::ElementsAre(1024, 4, 5, 512, 12, 25, 1, 896)
    );
}

TEST(Lanes, OneLongGivesTheLastLaneALengthOfItsOwn) {
    StepSpec spec = kimi();
    spec.batch = 4;
    spec.length_law = LengthLaw::one_long;
    spec.long_len = 5000;
    EXPECT_THAT(workload::lane_lengths(spec), testing::ElementsAre(1024, 1024, 1024, 5000));
    EXPECT_EQ(plan_step(spec, {}).max_len, 5000);
    spec.long_len = 7;
    EXPECT_THAT(workload::lane_lengths(spec), testing::ElementsAre(1024, 1024, 1024, 7));
}

class Draws : public testing::TestWithParam<Fragmentation> {};

TEST_P(Draws, GiveEachPageToOneLaneAndOneHome) {
    StepSpec spec = kimi();
    spec.preset = "tiny-mla";
    spec.seq_len = 100;
    spec.fragmentation = GetParam();
    const StepPlan plan = plan_step(spec, {});
    const auto lanes = workload::draw_pages(plan);
    std::vector<std::int64_t> pages = lanes.bound;
    pages.insert(pages.end(), lanes.free.begin(), lanes.free.end());
    std::sort(pages.begin(), pages.end());
    std::vector<std::int64_t> all(static_cast<std::size_t>(plan.full.num_pages - plan.full.min_page)
    );
    std::iota(all.begin(), all.end(), plan.full.min_page);
    EXPECT_EQ(pages, all);
    std::vector<std::int64_t> homes = lanes.homes;
    std::sort(homes.begin(), homes.end());
    // One band at the sub-pool's end: full grows down.
    std::iota(all.begin(), all.begin() + 800, plan.full.num_pages - 800);
    EXPECT_EQ(homes, std::vector<std::int64_t>(all.begin(), all.begin() + 800));
}

INSTANTIATE_TEST_SUITE_P(
    Fragmentations,
    Draws,
    testing::Values(Fragmentation::identity, Fragmentation::random, Fragmentation::compacted)
);

TEST(Lanes, ASharedPrefixIsDrawnOnce) {
    StepSpec spec = kimi();
    spec.preset = "tiny-mla";
    spec.seq_len = 100;
    spec.page_size = 4;
    spec.prefix_share = 0.5; // 48 tokens in whole pages
    const StepPlan plan = plan_step(spec, {});
    EXPECT_EQ(plan.shared_tokens, 48);
    const auto lanes = workload::draw_pages(plan);
    EXPECT_EQ(lanes.bound.size(), 12U + 8U * 13U);
    EXPECT_EQ(lanes.vpages[7][11], lanes.vpages[0][11]);
    EXPECT_NE(lanes.vpages[7][12], lanes.vpages[0][12]);
    EXPECT_EQ(workload::peak_pages(plan), 12 + 8 * 13);
}

} // namespace
