#include "capture/model/params.h"
#include "tests/workload/step_rig.h"

#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;

std::int64_t index_launches(const StepSpec& spec) {
    const StepRig rig(spec);
    rig.run();
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
    rig.run();
    EXPECT_EQ(rig.launches(OpKind::write_loc), -1);
    EXPECT_EQ(rig.launches(OpKind::page_table), -1);
    EXPECT_EQ(rig.launches(OpKind::static_gather), 1);
}

TEST(LaunchCounts, PlacementMovesNodesIntoTheGraphAndChangesNoCount) {
    StepSpec spec = small_step();
    const StepRig out(spec);
    spec.placement = Placement::in;
    const StepRig in(spec);
    out.run();
    in.run();
    EXPECT_EQ(in.index_launches(), out.index_launches());
    EXPECT_EQ(in.step->graph_nodes(), out.step->graph_nodes() + 5);
}

TEST(LaunchCounts, EagerWriteAbovePageSize1Takes6) {
    StepSpec spec = small_step();
    spec.write = LaunchForm::eager;
    spec.page_size = 16;
    const StepRig rig(spec);
    rig.run();
    EXPECT_EQ(rig.launches(OpKind::write_loc), 6);
}

std::int64_t micro_launches(const char* op, LaunchForm form, std::int64_t page_size = 1) {
    StepSpec spec = small_step();
    spec.alloc = form;
    spec.write = form;
    spec.table = form;
    spec.page_size = page_size;
    spec.dcp = 2;
    spec.pool_tokens = 1024;
    MeasureSpec how;
    how.op = op;
    how.op_launches = 1;
    const StepRig rig(spec, how);
    rig.run();
    OpKind kind{};
    parse_field("op", op, kind);
    return rig.launches(kind);
}

struct FormCase {
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

// 61 whole frees and 70 binds of ten decode steps, as the seeds counted them.
TEST(LaunchCounts, SixtyOneLazyFreesTake305LaunchesEagerAnd183Fused) {
    EXPECT_EQ(61 * micro_launches("lazy-free", LaunchForm::eager), 305);
    EXPECT_EQ(61 * micro_launches("lazy-free", LaunchForm::fused), 183);
}

TEST(LaunchCounts, SeventyBindsTake140LaunchesEagerAnd70Fused) {
    EXPECT_EQ(70 * micro_launches("bind", LaunchForm::eager), 140);
    EXPECT_EQ(70 * micro_launches("bind", LaunchForm::fused), 70);
}

TEST(LaunchCounts, AStreamAloneIsTwoLaunchesAsRectangleAndOneAsStream) {
    StepSpec spec = small_step();
    MeasureSpec how;
    how.op = "token-stream";
    how.op_launches = 1;
    const StepRig stream(spec, how);
    spec.index_mode = IndexMode::rectangle;
    const StepRig rectangle(spec, how);
    stream.run();
    rectangle.run();
    EXPECT_EQ(stream.launches(OpKind::token_stream), 1);
    EXPECT_EQ(rectangle.launches(OpKind::token_stream), 2);
}

} // namespace
