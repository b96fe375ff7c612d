#include "capture/workload/step_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace kvprof;
using testing::ElementsAre;
using testing::Not;
using workload::plan_step;
using workload::StepPlan;

StepSpec on(const char* preset, const char* backend, std::int64_t page_size = 1) {
    StepSpec spec;
    spec.preset = preset;
    spec.attention_backend = backend;
    spec.page_size = page_size;
    spec.batch = 4;
    spec.max_batch = 8;
    spec.seq_len = 100;
    return spec;
}

StepSpec before(StepSpec spec) {
    spec.stage = HistoryStage::before;
    return spec;
}

StepSpec on_static(StepSpec spec) {
    spec.pool = PoolKind::statik;
    return spec;
}

/// "page-table", "page-table swa", "token-stream 2" of one stage, in order.
std::vector<std::string> ops_of(const StepSpec& spec, Stage stage = Stage::metadata) {
    std::vector<std::string> names;
    for (const workload::PlannedOp& op : plan_step(spec, {}).ops) {
        if (op.stage != stage) {
            continue;
        }
        std::string name(to_string(op.op));
        name += op.pool == workload::StateKind::swa ? " swa" : "";
        name += op.reader > 0 ? " " + std::to_string(op.reader) : "";
        names.push_back(name);
    }
    return names;
}

TEST(PlanOps, OfAStreamReaderFollowTheStages) {
    const StepSpec spec = on("tiny-gqa", "flashinfer");
    EXPECT_THAT(ops_of(on_static(spec)), ElementsAre("indptr", "static-gather"));
    EXPECT_THAT(ops_of(before(spec)), ElementsAre("indptr", "page-table", "repack"));
    EXPECT_THAT(ops_of(spec), ElementsAre("indptr", "token-stream"));
    StepSpec both = spec;
    both.index_mode = IndexMode::both;
    EXPECT_THAT(ops_of(both), ElementsAre("indptr", "table-and-stream"));
}

TEST(PlanOps, OfFa3CopyARectangleThatIsThereAndFillATableThatIsBounded) {
    const StepSpec spec = on("tiny-gqa", "fa3");
    EXPECT_THAT(ops_of(on_static(spec)), ElementsAre("fa-metadata"));
    EXPECT_THAT(ops_of(before(spec)), ElementsAre("page-table", "fa-metadata"));
    EXPECT_THAT(ops_of(spec), ElementsAre("fa-metadata", "page-table")); // lengths first
}

TEST(PlanOps, OfTrtllmMhaReadARectangleInPlace) {
    const StepSpec spec = on("tiny-gqa", "trtllm_mha", 16);
    EXPECT_THAT(ops_of(on_static(spec)), ElementsAre("len-cast", "static-block-table"));
    EXPECT_THAT(ops_of(before(spec)), ElementsAre("len-cast", "page-table"));
    EXPECT_THAT(ops_of(spec), ElementsAre("len-cast", "page-table"));
    EXPECT_TRUE(plan_step(before(spec), {}).reads_rectangle());
    EXPECT_FALSE(plan_step(spec, {}).reads_rectangle());
}

TEST(PlanOps, OfTrtllmMhaInItsLaterFormsAreOneLaunchThatLeavesUnifiedTablesToTheTranslator) {
    for (const MetadataForm form : {MetadataForm::eager, MetadataForm::fused}) {
        StepSpec spec = on("tiny-swa", "trtllm_mha", 16);
        spec.metadata = form;
        EXPECT_THAT(ops_of(on_static(spec)), ElementsAre("trtllm-metadata"));
        EXPECT_THAT(ops_of(on_static(spec), Stage::write), ElementsAre()); // among the one launch
        EXPECT_THAT(ops_of(spec), ElementsAre("trtllm-metadata", "page-table", "page-table swa"));
        EXPECT_THAT(ops_of(spec, Stage::write), ElementsAre("write-loc", "swa-write-loc swa"));
    }
}

TEST(PlanOps, OfWindowsFollowTheReadersForm) {
    EXPECT_THAT(
        ops_of(on("tiny-swa", "triton")),
        ElementsAre("indptr", "kv-splits", "token-stream", "window-stream swa", "kv-splits swa")
    );
    EXPECT_THAT(
        ops_of(on("tiny-swa", "fa3")), ElementsAre("fa-metadata", "page-table", "page-table swa")
    );
    EXPECT_THAT(ops_of(on_static(on("tiny-swa", "fa3"))), ElementsAre("fa-metadata"));
    StepSpec in_place = on_static(on("tiny-swa", "triton"));
    in_place.index_mode = IndexMode::rectangle;
    EXPECT_THAT(
        ops_of(in_place),
        ElementsAre("indptr", "kv-splits", "static-block-table", "static-block-table swa")
    );
}

TEST(PlanOps, OfFurtherConsumersTranslateOnTheirOwnOrCopy) {
    StepSpec spec = on("tiny-gqa", "flashinfer");
    spec.consumers = 3;
    EXPECT_THAT(
        ops_of(spec), ElementsAre("indptr", "token-stream", "token-stream 1", "token-stream 2")
    );
    EXPECT_THAT(
        ops_of(before(spec)), ElementsAre("indptr", "page-table", "repack", "repack 1", "repack 2")
    );
    spec.share = Share::plan;
    EXPECT_THAT(
        ops_of(spec), ElementsAre("indptr", "token-stream", "stream-copy 1", "stream-copy 2")
    );
    spec.attention_backend = "fa3";
    EXPECT_THAT(
        ops_of(spec), ElementsAre("fa-metadata", "page-table", "stream-copy 1", "stream-copy 2")
    );
    spec.share = Share::none;
    EXPECT_THAT(
        ops_of(on_static(spec)),
        ElementsAre("fa-metadata", "static-block-table 1", "static-block-table 2")
    );
}

TEST(PlanOps, P17UnderContextParallelismReadAStreamWhateverIsHeld) {
    StepSpec spec = on("tiny-gqa", "flashinfer");
    spec.dcp = 2;
    for (const auto& [stage, name] : EnumNames<HistoryStage>::values) {
        spec.stage = stage;
        EXPECT_THAT(ops_of(spec), ElementsAre("len-cast", "indptr", "dcp-stream")) << name;
    }
    EXPECT_THAT(ops_of(spec, Stage::write), ElementsAre("write-loc-dcp"));
    EXPECT_THAT(ops_of(on_static(spec), Stage::write), ElementsAre("write-loc-dcp"));
    EXPECT_EQ(plan_step(spec, {}).scheduler_page, 2);
}

TEST(PlanOps, OfAVerificationWidenLengthsWhereRowStartsAreMade) {
    StepSpec spec = on("tiny-gqa", "triton");
    spec.delta = 3;
    EXPECT_THAT(ops_of(spec), ElementsAre("len-cast", "indptr", "kv-splits", "token-stream"));
    spec.verify = VerifyMode::uniform;
    EXPECT_THAT(ops_of(spec), ElementsAre("verify-csr", "kv-splits", "token-stream"));
    const StepPlan plan = plan_step(spec, {});
    EXPECT_EQ(plan.step_tokens, 8 * 3);
    EXPECT_THAT(plan.drafts, testing::Each(3));
}

TEST(PlanOps, OfARaggedVerificationDraftOneToDeltaTokensALane) {
    StepSpec spec = on("tiny-gqa", "triton");
    spec.batch = 8;
    spec.delta = 4;
    spec.verify = VerifyMode::ragged;
    const StepPlan plan = plan_step(spec, {});
    EXPECT_THAT(plan.drafts, testing::Each(testing::AllOf(testing::Ge(1), testing::Le(4))));
    EXPECT_THAT(plan.drafts, Not(testing::Each(plan.drafts.front())));
    EXPECT_EQ(plan.max_len, 100 + *std::ranges::max_element(plan.drafts));
}

TEST(PlanOps, OfStateLookUpSlotsAndReadThemInTheGraph) {
    const StepSpec spec = on("tiny-mla", "flashinfer_mla");
    EXPECT_EQ(ops_of(spec).back(), "state-slots");
    EXPECT_THAT(ops_of(spec, Stage::model), ElementsAre("kv-write", "attention", "state-read"));
}

TEST(PlanOps, OfACompactionComeBeforeTheStepsInputs) {
    StepSpec spec = on("tiny-gqa", "fa3");
    spec.compact_pages = 4;
    const StepPlan plan = plan_step(spec, {});
    EXPECT_EQ(plan.ops[0].op, OpKind::compaction_move);
    EXPECT_EQ(plan.ops[0].placement, Placement::out);
    EXPECT_EQ(plan.ops[1].op, OpKind::lane_inputs);
}

TEST(PlanOps, OfACapturedWriteLocationAreTwoOpsOnlyInTheUnfusedForm) {
    StepSpec spec = on("tiny-mla", "trtllm_mla", 32);
    EXPECT_THAT(ops_of(spec, Stage::write), ElementsAre("write-loc"));
    spec.write = LaunchForm::eager;
    EXPECT_THAT(ops_of(spec, Stage::write), ElementsAre("write-loc", "write-loc-tail"));
    spec = on("tiny-gqa", "fa3");
    spec.write = LaunchForm::eager;
    EXPECT_THAT(ops_of(spec, Stage::write), ElementsAre("write-loc"));
}

TEST(PlanWidths, OfOwnTablesFollowTheBackend) {
    StepSpec spec = on("tiny-mla", "trtllm_mla", 32);
    spec.max_context = 1000; // 32 pages, padded to a multiple of 4096 / 32
    EXPECT_EQ(plan_step(spec, {}).own_width, 128);
    EXPECT_EQ(plan_step(spec, {}).table_width, 32);
    spec = on("tiny-mla", "flashmla", 64);
    spec.max_context = 1024; // (1024 + 64) / 64
    EXPECT_EQ(plan_step(spec, {}).own_width, 17);
    spec = on("tiny-gqa", "fa3", 16);
    spec.max_context = 1000;
    EXPECT_EQ(plan_step(spec, {}).own_width, 63);
}

} // namespace
