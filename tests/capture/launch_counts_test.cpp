#include "capture/model/params.h"
#include "tests/workload/step_rig.h"

#include <gtest/gtest.h>

#include <string_view>

namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;

std::int64_t index_launches(const StepSpec& spec) {
    const StepRig rig(spec);
    return rig.index_launches();
}

StepSpec before(StepSpec spec) {
    spec.index_mode = IndexMode::rectangle;
    spec.write = LaunchForm::eager;
    return spec;
}

StepSpec triton() {
    StepSpec spec = small_step();
    spec.attention_backend = AttentionBackend::triton;
    return spec;
}

StepSpec on_static(StepSpec spec) {
    spec.pool = PoolKind::statik;
    return spec;
}

// The table of expected launches per step: index work, page size 1, no allocation.
TEST(LaunchCounts, FlashinferMlaStaticTakes4) {
    EXPECT_EQ(index_launches(on_static(small_step())), 4);
}

TEST(LaunchCounts, FlashinferMlaUnifiedBeforeTakes8) {
    EXPECT_EQ(index_launches(before(small_step())), 8);
}

TEST(LaunchCounts, FlashinferMlaUnifiedAfterTakes5) {
    EXPECT_EQ(index_launches(small_step()), 5);
}

TEST(LaunchCounts, TritonStaticTakes4) {
    EXPECT_EQ(index_launches(on_static(triton())), 4);
}

TEST(LaunchCounts, TritonUnifiedBeforeTakes10) {
    EXPECT_EQ(index_launches(before(triton())), 10);
}

TEST(LaunchCounts, TritonUnifiedAfterTakes5) {
    EXPECT_EQ(index_launches(triton()), 5);
}

TEST(LaunchCounts, P19AStaticPoolTranslatesNothing) {
    const StepRig rig(on_static(small_step()));
    EXPECT_EQ(rig.launches(OpKind::write_loc), -1);
    EXPECT_EQ(rig.launches(OpKind::page_table), -1);
    EXPECT_EQ(rig.launches(OpKind::static_gather), 1);
}

TEST(LaunchCounts, PlacementMovesNodesIntoTheGraphAndChangesNoCount) {
    StepSpec spec = small_step();
    const StepRig out(spec);
    spec.placement = Placement::in;
    const StepRig in(spec);
    EXPECT_EQ(in.index_launches(), out.index_launches());
    EXPECT_EQ(in.counts.graph_nodes, out.counts.graph_nodes + 5);
}

TEST(LaunchCounts, EagerWriteAbovePageSize1Takes6) {
    StepSpec spec = small_step();
    spec.write = LaunchForm::eager;
    spec.page_size = 16;
    const StepRig rig(spec);
    EXPECT_EQ(rig.launches(OpKind::write_loc), 6);
}

std::int64_t micro_launches(const char* op, LaunchForm form, std::int64_t page_size = 1) {
    StepSpec spec = small_step();
    spec.alloc = form;
    spec.write = form;
    spec.table = form;
    spec.page_size = page_size;
    spec.dcp = std::string_view(op) == "write-loc-dcp" ? 2 : 1;
    spec.pool_tokens = 1024;
    MeasureSpec how;
    how.op = op;
    how.op_launches = 1;
    const StepRig rig(spec, how);
    OpKind kind{};
    parse_field("op", op, kind);
    return rig.launches(kind);
}

struct FormCase {
    friend void PrintTo(const FormCase& form, std::ostream* out) {
        *out << form.op << " at page size " << form.page_size;
    }

    const char* op;
    std::int64_t page_size;
    std::int64_t eager;
    std::int64_t fused;
};

class LaunchForms : public testing::TestWithParam<FormCase> {};

TEST_P(LaunchForms, LaunchAsTheCatalogueSays) {
    const FormCase& form = GetParam();
    EXPECT_EQ(micro_launches(form.op, LaunchForm::eager, form.page_size), form.eager);
    EXPECT_EQ(micro_launches(form.op, LaunchForm::fused, form.page_size), form.fused);
}

INSTANTIATE_TEST_SUITE_P(
    Catalogue,
    LaunchForms,
    testing::Values(
        FormCase{"page-table", 1, 16, 1},
        FormCase{"write-loc", 1, 3, 1},
        FormCase{"write-loc", 16, 6, 1},
        FormCase{"write-loc-dcp", 1, 9, 1},
        FormCase{"write-loc-dcp", 16, 12, 1},
        FormCase{"alloc-bind", 1, 3, 1},
        FormCase{"bind", 1, 2, 1},
        FormCase{"free-unbind", 1, 3, 1},
        FormCase{"lazy-free", 1, 5, 3},
        FormCase{"append", 1, 2, 1}
    )
);

/// Launches of an op over the second cycle of a churned step.
std::int64_t churned(OpKind op, LaunchForm form) {
    StepSpec spec = small_step();
    spec.preset = "tiny-gqa"; // one kind of state: frees and binds are the token pool's alone
    spec.attention_backend = AttentionBackend::triton;
    spec.alloc = form;
    spec.churn = 0.2;
    return StepRig(spec).launches(op);
}

// The seeds counted 305 launches of 61 frees and 140 of 70 binds in ten steps: 5 and 2 each.
TEST(LaunchCounts, AWholeFreeOfAStepTakes5LaunchesEagerAnd3Fused) {
    const std::int64_t frees = 6; // 3 lanes are replaced twice in a cycle of 10 steps
    EXPECT_EQ(churned(OpKind::lazy_free, LaunchForm::eager), frees * 5);
    EXPECT_EQ(churned(OpKind::lazy_free, LaunchForm::fused), frees * 3);
    EXPECT_EQ(305 / 5, 183 / 3); // the seeds' ratio: 61 frees
}

TEST(LaunchCounts, ABindOfAStepTakes2LaunchesEagerAnd1Fused) {
    const auto fused = churned(OpKind::bind, LaunchForm::fused);
    EXPECT_GT(fused, 0);
    EXPECT_EQ(churned(OpKind::bind, LaunchForm::eager), 2 * fused);
    EXPECT_EQ(140 / 2, 70 / 1); // the seeds' ratio: 70 binds
}

TEST(LaunchCounts, UnderChurnAreThoseOfAWholeCycleAndSoTheSameInEveryRun) {
    StepSpec spec = small_step();
    spec.churn = 0.25;
    const StepRig rig(spec);
    EXPECT_EQ(rig.counts.steps, 8); // two generations of requests that live 4 steps
    rig.run(5);
    EXPECT_EQ(workload::count_steps(rig.plan, rig.state).ops, rig.counts.ops);
}

TEST(LaunchCounts, ZeroesOnceAnAllocation) {
    StepSpec spec = small_step(); // MLA: 3 prompts twice a cycle, and an append in each of 10 steps
    spec.churn = 0.2;
    EXPECT_EQ(StepRig(spec).launches(OpKind::zero_pages), 6 + 10);
}

TEST(LaunchCounts, AWindowTakesTheFormsOfTheTableAndTheRowStarts) {
    StepSpec spec = small_step();
    spec.preset = "tiny-swa";
    spec.attention_backend = AttentionBackend::triton;
    EXPECT_EQ(StepRig(spec).launches(OpKind::window_stream), 5);
    spec.indptr = LaunchForm::fused;
    EXPECT_EQ(StepRig(spec).launches(OpKind::window_stream), 4);
    spec.index_mode = IndexMode::rectangle;
    EXPECT_EQ(StepRig(spec).launches(OpKind::window_stream), 5);
    spec.table = LaunchForm::eager;
    EXPECT_EQ(StepRig(spec).launches(OpKind::window_stream), 20);
}

TEST(LaunchCounts, AStaticPoolHandsOutPagesAlone) {
    StepSpec spec = on_static(small_step()); // 3 lanes of 20 tokens
    spec.pool_tokens = 1024;
    spec.fragmentation = Fragmentation::identity;
    MeasureSpec how;
    how.op = "alloc-decode";
    how.op_launches = 1;
    const StepRig rig(spec, how);
    rig.run();
    EXPECT_EQ(rig.launches(OpKind::alloc_decode), 1);
    const std::vector<std::int64_t> fresh{61, 62, 63}; // page 0 is padding, 1 to 60 are held
    EXPECT_EQ(rig.values<std::int64_t>(workload::BufferId::write_loc, 3), fresh);
}

TEST(LaunchCounts, AStreamAloneIsTwoLaunchesAsRectangleAndOneAsStream) {
    StepSpec spec = small_step();
    MeasureSpec how;
    how.op = "token-stream";
    how.op_launches = 1;
    const StepRig stream(spec, how);
    spec.index_mode = IndexMode::rectangle;
    const StepRig rectangle(spec, how);
    EXPECT_EQ(stream.launches(OpKind::token_stream), 1);
    EXPECT_EQ(rectangle.launches(OpKind::token_stream), 2);
}

} // namespace
