#include "capture/workload/plan_checks.h"

#include "capture/model/error.h"
#include "capture/workload/contents.h"
#include "capture/workload/plan_ops.h"
#include "capture/workload/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace kvprof;
using testing::HasSubstr;
using workload::plan_step;

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

/// 8 lanes of 64 tokens in a unified pool that holds twice as many.
StepSpec small() {
    StepSpec spec;
    spec.preset = "tiny-mla";
    spec.batch = 8;
    spec.max_batch = 8;
    spec.seq_len = 64;
    spec.max_context = 1024;
    spec.pool_tokens = 1024;
    return spec;
}

MeasureSpec alone(const char* op) {
    MeasureSpec how;
    how.op = op;
    how.op_launches = 4;
    return how;
}

/// What is refused, and the hint; "accepted" otherwise.
template<typename Body>
std::string refusal_of(Body body) {
    try {
        body();
    } catch (const UsageError& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return "accepted";
}

std::string refusal(const StepSpec& spec, const MeasureSpec& how = {}) {
    return refusal_of([&] { static_cast<void>(plan_step(spec, how)); });
}

std::string refusal_of_model(const workload::ModelSpec& model, bool is_micro = false) {
    return refusal_of([&] { workload::check_model(small(), model, is_micro); });
}

TEST(PlanChecks, EveryOpThatRunsAloneDoesSoOnASmallPool) {
    for (const auto& [op, name] : EnumNames<OpKind>::values) {
        const bool runs_alone = workload::can_run_alone(op);
        StepSpec spec = small();
        spec.compact_pages = op == OpKind::compaction_move ? 2 : 0;
        spec.preset = op == OpKind::swa_write_loc ? "tiny-swa" : "tiny-mla";
        EXPECT_EQ(refusal(spec, alone(name)) == "accepted", runs_alone) << name;
    }
}

TEST(PlanChecks, ACompactionAloneSaysHowManyPagesItMoves) {
    StepSpec spec = small();
    EXPECT_THAT(refusal(spec, alone("compaction-move")), HasSubstr("moves --compact-pages 0"));
    spec.compact_pages = 1'000'000;
    EXPECT_THAT(refusal(spec), HasSubstr("--compact-pages 1000000 moves more pages than"));
    spec.compact_pages = 2;
    EXPECT_THAT(refusal(spec, alone("bind")), HasSubstr("--compact-pages has no effect on --op"));
}

TEST(PlanChecks, AFreeAloneTakesNoTombstonesAndNoHoles) {
    for (const char* op : {"free-unbind", "lazy-free"}) {
        StepSpec spec = small();
        spec.tombstones = 0.5;
        EXPECT_THAT(refusal(spec, alone(op)), HasSubstr("--tombstones has no effect on --op"));
        spec = small();
        spec.holes = 0.5;
        EXPECT_THAT(refusal(spec, alone(op)), HasSubstr("--holes has no effect on --op"));
        EXPECT_EQ(refusal(spec, alone("token-stream")), "accepted");
    }
}

TEST(PlanChecks, OptionsWithoutEffectOnAnOpAloneAreRefusedByName) {
    StepSpec spec = small();
    spec.dcp = 2;
    spec.dcp_rank = 1;
    EXPECT_THAT(refusal(spec, alone("write-loc")), HasSubstr("--dcp has no effect on --op"));
    EXPECT_EQ(refusal(spec, alone("write-loc-dcp")), "accepted");
    spec = small();
    spec.churn = 0.25;
    EXPECT_THAT(refusal(spec, alone("indptr")), HasSubstr("--churn has no effect on --op indptr"));
    spec = small();
    spec.placement = Placement::in;
    EXPECT_THAT(refusal(spec, alone("indptr")), HasSubstr("--placement in has no effect"));
    spec = small();
    spec.layers = 1;
    EXPECT_THAT(refusal(spec, alone("indptr")), HasSubstr("--layers has no effect"));
    spec = small();
    spec.query_heads = 4;
    EXPECT_THAT(refusal(spec, alone("indptr")), HasSubstr("--query-heads has no effect"));
}

TEST(PlanChecks, AnOpThatWorksOnPagesNeedsEnoughOfThem) {
    StepSpec spec = small();
    spec.seq_len = 3; // 8 lanes hold 24 pages; 4 launches free 32
    EXPECT_THAT(
        refusal(spec, alone("lazy-free")), HasSubstr("works on 32 pages and the lanes leave 24")
    );
    spec.seq_len = 4;
    EXPECT_EQ(refusal(spec, alone("lazy-free")), "accepted");
    spec = small();
    spec.pool = PoolKind::statik;
    EXPECT_EQ(refusal(spec, alone("alloc-decode")), "accepted");
    spec.pool_tokens = 0; // what the lanes hold
    EXPECT_THAT(refusal(spec, alone("alloc-decode")), HasSubstr("8 pages and the lanes leave 0"));
}

TEST(PlanChecks, ChurnIsOneInAWholeNumberOfSteps) {
    StepSpec spec = small();
    spec.pool_tokens = 0;
    for (const double churn : {1.0, 0.25, 0.1, 0.0078125, 0.3333333}) {
        spec.churn = churn;
        EXPECT_EQ(refusal(spec), "accepted") << churn;
    }
    spec.churn = 0.3;
    EXPECT_THAT(refusal(spec), HasSubstr("--churn 0.3 replaces a lane every 3.33"));
    EXPECT_THAT(refusal(spec), HasSubstr("nearest share that can be is 0.3333333333333333"));
    spec.churn = 0.9;
    EXPECT_THAT(refusal(spec), HasSubstr("nearest share that can be is 1"));
    spec.churn = 1e-9;
    EXPECT_THAT(refusal(spec), HasSubstr("no whole number from 1 to 1048576"));
}

TEST(PlanChecks, NumbersThatNoStepHoldsAreRefusedAndNeverOverflow) {
    const auto with = [](std::int64_t StepSpec::*field) {
        StepSpec spec = small();
        spec.*field = kHuge;
        return refusal(spec);
    };
    EXPECT_THAT(with(&StepSpec::delta), HasSubstr("--delta 9223372036854775807 is above"));
    EXPECT_THAT(with(&StepSpec::pool_tokens), HasSubstr("--pool-tokens 9223372036854775807"));
    EXPECT_THAT(with(&StepSpec::seq_len), HasSubstr("--seq-len 9223372036854775807 is above"));
    EXPECT_THAT(with(&StepSpec::tp), HasSubstr("--tp 9223372036854775807 is above"));
    EXPECT_THAT(with(&StepSpec::query_heads), HasSubstr("--query-heads 9223372036854775807"));
    MeasureSpec how;
    how.samples = kHuge;
    EXPECT_THAT(refusal(small(), how), HasSubstr("--samples 9223372036854775807 is above"));
    how = {};
    how.replays = kHuge;
    EXPECT_THAT(refusal(small(), how), HasSubstr("--replays 9223372036854775807 is above"));
    StepSpec spec = small();
    spec.max_batch = 65'536;
    EXPECT_THAT(refusal(spec), HasSubstr("--max-batch 65536 is above 65535"));
    spec = small();
    spec.holes = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(refusal(spec), HasSubstr("--holes nan is no share"));
}

TEST(PlanChecks, TheLargestSeedPunchesHolesAsAnyOther) {
    StepSpec spec = small();
    spec.seed = kHuge;
    spec.holes = 0.5;
    EXPECT_NO_THROW(static_cast<void>(workload::make_state(plan_step(spec, {}))));
}

TEST(PlanChecks, AStaticPoolsIdsFitAnInt32) {
    StepSpec spec = small();
    spec.pool = PoolKind::statik;
    spec.pool_tokens = (std::int64_t{1} << 31) - 2; // and the padding page: 2^31 - 1
    EXPECT_EQ(refusal(spec), "accepted");
    spec.pool_tokens += 1;
    EXPECT_THAT(refusal(spec), HasSubstr("2147483648 pages of 1 tokens have 2147483648 ids"));
}

TEST(PlanChecks, TheKernelsWriteBf16Alone) {
    workload::ModelSpec model = workload::load_preset("tiny-mla");
    model.full.element = workload::ElementType::fp8;
    EXPECT_THAT(refusal_of_model(model), HasSubstr("[full] of tiny-mla has fp8 elements"));
    EXPECT_EQ(refusal_of_model(model, true), "accepted");
    model = workload::load_preset("tiny-mla");
    model.swa = model.full;
    model.swa.element = workload::ElementType::fp32;
    EXPECT_THAT(refusal_of_model(model), HasSubstr("[swa] of tiny-mla has fp32 elements"));
}

TEST(PlanChecks, APresetsNumbersAreBoundedBeforeTheyMultiply) {
    workload::ModelSpec model = workload::load_preset("tiny-mla");
    model.full.layers = kHuge;
    EXPECT_THAT(refusal_of_model(model), HasSubstr("token bytes: 1.18"));
    model = workload::load_preset("tiny-mla");
    model.state.temporal = {kHuge, 2, 2};
    EXPECT_THAT(refusal_of_model(model), HasSubstr("state bytes: "));
    model = workload::load_preset("tiny-mla");
    model.max_context = kHuge;
    EXPECT_THAT(refusal_of_model(model), HasSubstr("max_context of 9.2"));
}

TEST(PlanChecks, HeadsAreNoLargerThanAttentionTakes) {
    StepSpec spec = small();
    spec.query_heads = 128;
    EXPECT_EQ(refusal(spec), "accepted");
    spec.query_heads = 129;
    EXPECT_THAT(refusal(spec), HasSubstr("129 query heads a rank, and attention takes up to 576"));
}

TEST(PlanChecks, PagesThatAreZeroedAreWholeWords) {
    StepSpec spec = small();
    spec.churn = 0.25;
    workload::StepPlan plan = plan_step(spec, {});
    plan.full.page_bytes = 12;
    const auto refused = refusal_of([&] { workload::check_sizes(plan); });
    EXPECT_THAT(refused, HasSubstr("a page of tiny-mla has 12 B over 2 layers"));
    plan.spec.churn = 0.0; // nothing is zeroed
    EXPECT_EQ(refusal_of([&] { workload::check_sizes(plan); }), "accepted");
}

} // namespace
