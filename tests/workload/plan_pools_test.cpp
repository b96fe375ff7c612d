#include "capture/model/error.h"
#include "capture/workload/lanes.h"
#include "capture/workload/step_plan.h"
#include "kernels/id_math.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof {

namespace {

using workload::plan_step;
using workload::StepPlan;
using workload::TokenPool;

StepSpec step_of(const char* preset, const char* backend = "triton") {
    StepSpec spec;
    spec.preset = preset;
    spec.attention_backend = backend;
    spec.batch = 4;
    spec.max_batch = 8;
    spec.seq_len = 200;
    spec.max_context = 512;
    return spec;
}

std::int64_t window_pages(const StepPlan& plan) {
    const std::int64_t ps = plan.spec.page_size;
    return plan.spec.batch * kernels::pages_of(plan.swa->window + ps, ps);
}

} // namespace

TEST(PlanPools, AnEndsPagesStartAtItsEnd) {
    const StepPlan plan = plan_step(step_of("tiny-swa"), {});
    EXPECT_EQ(plan.swa->first_page, plan.swa->min_page);
    EXPECT_TRUE(plan.swa->grows_up);
    EXPECT_EQ(plan.full.first_page, plan.full.num_pages - 1);
    EXPECT_FALSE(plan.full.grows_up);
}

TEST(PlanPools, P13AFloatsSpanTouchesNeitherEndWhenAllAreFull) {
    for (const std::int64_t page_size : {1, 3, 16, 64}) {
        for (const char* preset : {"tiny-tri", "inkling-small"}) {
            StepSpec spec = step_of(preset);
            spec.page_size = page_size;
            spec.max_context = 1024;
            spec.seq_len = 1000;
            const StepPlan plan = plan_step(spec, {});
            const std::int64_t up_end =
                (plan.state->min_slot + plan.state->slots) * plan.state->slot_bytes;
            const std::int64_t low = plan.swa->first_page * plan.swa->page_bytes;
            const std::int64_t high = low + window_pages(plan) * plan.swa->page_bytes;
            const std::int64_t down_start =
                (plan.full.num_pages - plan.pool_tokens / page_size) * plan.full.page_bytes;
            EXPECT_LE(up_end, low) << preset << page_size;
            EXPECT_LE(high, down_start) << preset << page_size;
            EXPECT_TRUE(plan.swa->grows_up);
            EXPECT_GE(plan.swa->first_page, plan.swa->min_page);
        }
    }
}

TEST(PlanPools, AFloatsSpanLiesInTheMiddleOfWhatTheEndsLeave) {
    StepSpec spec = step_of("tiny-tri");
    const StepPlan plan = plan_step(spec, {});
    // The sink is a slot of 4,608 B, 5 slots end at 27,648 B, windows of 1,024 B a page begin
    // there.
    EXPECT_EQ(plan.state->slot_bytes, 4'608);
    EXPECT_EQ(plan.swa->first_page, 27);
    EXPECT_EQ(plan.full.num_pages * 512, 27 * 1'024 + 4 * 65 * 1'024 + 4 * 200 * 512);
}

TEST(PlanPools, StaticPoolsHoldPaddingAndTheirPages) {
    StepSpec spec = step_of("tiny-tri");
    spec.pool = PoolKind::statik;
    spec.page_size = 16;
    const StepPlan plan = plan_step(spec, {});
    EXPECT_EQ(plan.full.num_pages, 4 * 13 + 1);
    EXPECT_EQ(plan.swa->num_pages, 4 * 5 + 1);
    EXPECT_EQ(plan.full.first_page, 1);
    EXPECT_EQ(plan.swa->first_page, 1);
    EXPECT_EQ(plan.kv_bytes, 16 * (53 * 512 + 21 * 1'024));
    EXPECT_EQ(plan.state->num_slots, 6);
    EXPECT_EQ(plan.state->slot_bytes, 4'608);
    EXPECT_EQ(plan.full.mult, 1);
    EXPECT_EQ(plan.swa->mult, 1);
}

TEST(PlanPools, BothPoolsOfAModelOfAllKindsHoldTheSame) {
    StepSpec spec = step_of("tiny-tri");
    const auto unified = plan_step(spec, {}).pool_facts();
    EXPECT_EQ(unified.schedulable_tokens, 800);
    EXPECT_EQ(unified.state_slots, 5);
    spec.pool = PoolKind::statik;
    EXPECT_EQ(plan_step(spec, {}).pool_facts(), unified);
}

TEST(PlanPools, ACompactionGetsFreePagesThatNoLaneMayHave) {
    StepSpec spec = step_of("tiny-mla", "flashinfer_mla");
    const StepPlan before = plan_step(spec, {});
    spec.compact_pages = 7;
    const StepPlan plan = plan_step(spec, {});
    EXPECT_EQ(plan.pool_tokens, before.pool_tokens);
    EXPECT_EQ(plan.full.num_pages, before.full.num_pages + 7);
}

TEST(PlanPools, PhysicalIdsCountTokens) {
    StepSpec spec = step_of("tiny-swa");
    const StepPlan blocks = plan_step(spec, {});
    spec.id_space = IdSpace::physical;
    const StepPlan plan = plan_step(spec, {});
    EXPECT_EQ(blocks.full.mult, 2);
    EXPECT_EQ(plan.full.mult, 1);
    EXPECT_EQ(plan.swa->mult, 1);
    EXPECT_EQ(plan.full.row_bytes, blocks.full.row_bytes);
    EXPECT_EQ(plan.kv_bytes, blocks.kv_bytes);
}

TEST(PlanPools, ARankOfContextParallelismHoldsItsShareOfEachPage) {
    StepSpec spec = step_of("tiny-mla", "flashinfer_mla");
    spec.page_size = 16;
    EXPECT_EQ(plan_step(spec, {}).pool_tokens, 4 * 13 * 16);
    spec.dcp = 4; // a scheduler's page has 64 tokens, 16 of them on a rank
    EXPECT_EQ(plan_step(spec, {}).pool_tokens, 4 * 4 * 16);
}

TEST(PlanPools, QueryHeadsFollowTheRank) {
    StepSpec spec = step_of("gpt-oss-20b");
    EXPECT_EQ(plan_step(spec, {}).full.heads.query_heads, 64);
    spec.tp = 8;
    EXPECT_EQ(plan_step(spec, {}).full.heads.query_heads, 8);
    EXPECT_EQ(plan_step(spec, {}).full.heads.kv_heads, 1);
    spec.tp = 16; // a KV head is replicated rather than cut
    EXPECT_EQ(plan_step(spec, {}).full.heads.query_heads, 4);
    EXPECT_EQ(plan_step(spec, {}).full.heads.kv_heads, 1);
    spec = step_of("kimi-linear-48b", "flashinfer_mla");
    spec.tp = 8;
    EXPECT_EQ(plan_step(spec, {}).full.heads.query_heads, 4);
    EXPECT_EQ(plan_step(spec, {}).full.row_bytes, 576 * 2); // a latent row does not divide
}

} // namespace kvprof
