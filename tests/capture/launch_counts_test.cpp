#include "capture/model/params.h"
#include "tests/workload/step_rig.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string_view>

namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;

StepSpec on_static(StepSpec spec) {
    spec.pool = PoolKind::statik;
    return spec;
}

StepSpec on(const char* preset, const char* backend, std::int64_t page_size = 1) {
    StepSpec spec = small_step();
    spec.preset = preset;
    spec.attention_backend = backend;
    spec.page_size = page_size;
    return spec;
}

std::int64_t index_launches(StepSpec spec, HistoryStage stage) {
    spec.stage = stage;
    return StepRig(spec).index_launches();
}

/// A row of the table of expected launches per step: index work alone, no allocation.
struct ExpectedLaunches {
    friend void PrintTo(const ExpectedLaunches& row, std::ostream* out) {
        *out << row.backend << " at page size " << row.page_size;
    }

    const char* preset;
    const char* backend;
    std::int64_t page_size;
    std::int64_t statik;
    std::int64_t before;      ///< both changes
    std::int64_t after;       ///< both changes
    std::int64_t fused_write; ///< and with the write translate in one launch
};

class StepLaunches : public testing::TestWithParam<ExpectedLaunches> {};

TEST_P(StepLaunches, AreThoseOfEachStage) {
    const ExpectedLaunches& row = GetParam();
    const StepSpec spec = on(row.preset, row.backend, row.page_size);
    using enum HistoryStage;
    for (const HistoryStage stage : {before, after_37511, after_37512, after_fused_write}) {
        EXPECT_EQ(index_launches(on_static(spec), stage), row.statik);
    }
    EXPECT_EQ(index_launches(spec, before), row.before);
    EXPECT_EQ(index_launches(spec, after_37511), row.before); // it changed the grid, not the count
    EXPECT_EQ(index_launches(spec, after_37512), row.after);
    EXPECT_EQ(index_launches(spec, after_fused_write), row.fused_write);
}

// The first four rows are the design's; at page size 16 a write takes 6 launches instead of 3.
// Below them what the same rules give for the others: lengths 1, row starts 2, table or stream 1.
INSTANTIATE_TEST_SUITE_P(
    Backends,
    StepLaunches,
    testing::Values(
        ExpectedLaunches{"tiny-mla", "flashinfer_mla", 1, 4, 8, 7, 5},
        ExpectedLaunches{"tiny-gqa", "triton", 1, 4, 10, 9, 5},
        ExpectedLaunches{"tiny-gqa", "fa3", 1, 1, 5, 5, 3},
        ExpectedLaunches{"tiny-gqa", "trtllm_mha", 16, 2, 10, 10, 3},
        ExpectedLaunches{"tiny-gqa", "flashinfer", 1, 3, 7, 6, 4},
        ExpectedLaunches{"tiny-mla", "fa3", 1, 1, 5, 5, 3},
        ExpectedLaunches{"tiny-mla", "trtllm_mla", 32, 2, 10, 10, 3},
        ExpectedLaunches{"tiny-mla", "cutedsl_mla", 32, 2, 10, 10, 3},
        ExpectedLaunches{"tiny-mla", "tokenspeed_mla", 32, 2, 10, 10, 3},
        ExpectedLaunches{"tiny-mla", "flashmla", 64, 2, 8, 8, 3}
    )
);

TEST(StepLaunch, OfAPassthroughBackendIsAStaticPoolsAlone) {
    const StepSpec spec = on_static(on("tiny-gqa", "aiter"));
    EXPECT_EQ(index_launches(spec, HistoryStage::before), 3);
}

TEST(StepLaunch, OfFa3sMetadataIsTwoOnAUnifiedPoolAtEveryStage) {
    for (const auto& [stage, name] : EnumNames<HistoryStage>::values) {
        StepSpec spec = on("tiny-gqa", "fa3");
        spec.stage = stage;
        const StepRig rig(spec);
        EXPECT_EQ(rig.launches(OpKind::fa_metadata), 1) << name;
        EXPECT_EQ(rig.launches(OpKind::page_table), 1) << name;
    }
}

std::int64_t metadata_launches(StepSpec spec, MetadataForm form, OpKind op) {
    spec.metadata = form;
    return StepRig(spec).launches(op);
}

TEST(StepLaunch, OfTensorOperationsAreFourOrFiveForFa3AndAboutTwentyFiveForTrtllm) {
    using enum MetadataForm;
    const auto fa = OpKind::fa_metadata;
    EXPECT_EQ(metadata_launches(on_static(on("tiny-gqa", "fa3")), eager, fa), 4);
    EXPECT_EQ(metadata_launches(on_static(on("tiny-gqa", "fa3", 16)), eager, fa), 5);
    EXPECT_EQ(metadata_launches(on_static(on("tiny-gqa", "fa3", 16)), fused, fa), 1);
    const StepSpec windows = on_static(on("tiny-swa", "trtllm_mha", 16));
    EXPECT_EQ(metadata_launches(windows, eager, OpKind::trtllm_metadata), 23);
    EXPECT_EQ(metadata_launches(windows, fused, OpKind::trtllm_metadata), 1);
}

TEST(StepLaunch, OfTheLaterFormsTakesStateSlotsAndAStaticWindowInOne) {
    using enum MetadataForm;
    const StepSpec state = on("tiny-mla", "flashinfer_mla");
    EXPECT_EQ(metadata_launches(state, plain, OpKind::state_slots), 3);
    EXPECT_EQ(metadata_launches(state, fused, OpKind::state_slots), 1);
    EXPECT_EQ(metadata_launches(on_static(state), plain, OpKind::state_slots), 1);
    // min, scan and copy, difference, gather; and the map of the ids: index and copy
    const StepSpec windows = on_static(on("tiny-swa", "triton"));
    EXPECT_EQ(metadata_launches(windows, plain, OpKind::window_stream), 7);
    EXPECT_EQ(metadata_launches(windows, fused, OpKind::window_stream), 5);
}

TEST(StepLaunch, OfAVerificationIsFiveAndTheStreamThatAPlainStepHas) {
    StepSpec spec = on_static(on("tiny-gqa", "triton"));
    spec.delta = 3;
    spec.verify = VerifyMode::uniform;
    const StepRig rig(spec);
    EXPECT_EQ(rig.launches(OpKind::verify_csr), 5);
    EXPECT_EQ(rig.launches(OpKind::static_gather), 1);
    EXPECT_EQ(rig.launches(OpKind::len_cast), -1);
}

TEST(StepLaunch, OfAWindowsWriteLocationIsEightFromFullIdsAndOneFromVirtualOnes) {
    StepSpec spec = on("tiny-swa", "triton");
    spec.write = LaunchForm::eager;
    EXPECT_EQ(StepRig(spec).launches(OpKind::swa_write_loc), 8);
    spec.write = LaunchForm::fused;
    EXPECT_EQ(StepRig(spec).launches(OpKind::swa_write_loc), 1);
    EXPECT_EQ(StepRig(on_static(spec)).launches(OpKind::swa_write_loc), 1);
    const StepSpec cast = on_static(on("tiny-swa", "trtllm_mha", 16));
    EXPECT_EQ(StepRig(cast).launches(OpKind::swa_write_loc), 2);
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
    const std::int64_t state_slots = 3;
    EXPECT_EQ(in.counts.graph_nodes, out.counts.graph_nodes + 5 + state_slots);
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
    spec.attention_backend = "triton";
    spec.alloc = form;
    spec.churn = 0.2;
    return StepRig(spec).launches(op);
}

// The seeds counted 305 launches of 61 frees and 140 of 70 binds in ten steps, 5 and 2 each; fused
// they were 183 and 70, 3 and 1 each.
TEST(LaunchCounts, AWholeFreeOfAStepTakes5LaunchesEagerAnd3Fused) {
    const std::int64_t frees = 6; // 3 lanes are replaced twice in a cycle of 10 steps
    EXPECT_EQ(churned(OpKind::lazy_free, LaunchForm::eager), frees * 5);
    EXPECT_EQ(churned(OpKind::lazy_free, LaunchForm::fused), frees * 3);
}

TEST(LaunchCounts, ABindOfAStepTakes2LaunchesEagerAnd1Fused) {
    const auto fused = churned(OpKind::bind, LaunchForm::fused);
    EXPECT_GT(fused, 0);
    EXPECT_EQ(churned(OpKind::bind, LaunchForm::eager), 2 * fused);
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
    spec.attention_backend = "triton";
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
