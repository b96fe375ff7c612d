#include "capture/model/error.h"
#include "capture/verify.h"
#include "capture/workload/checked_region.h"
#include "tests/capture/read_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using test::StepRig;
using workload::BufferId;

/// What an op is to leave in a buffer, alone as in a whole step.
struct Alone {
    friend void PrintTo(const Alone& one, std::ostream* out) { *out << one.op; }

    const char* op;
    const char* preset;
    const char* backend;
    BufferId buffer;
    std::int64_t bytes;
};

StepSpec spec_of(const Alone& one, PoolKind pool, LaunchForm form) {
    StepSpec spec = test::small_step();
    spec.preset = one.preset;
    spec.attention_backend = one.backend;
    spec.pool = pool;
    spec.write = form;
    spec.page_size = 4;
    spec.max_batch = spec.batch; // alone the bucket is the batch
    return spec;
}

std::vector<std::byte> left_by(const Alone& one, const StepSpec& spec, const char* op) {
    MeasureSpec how;
    how.op = op;
    how.op_launches = 1;
    const StepRig rig(spec, how);
    rig.run();
    return rig.step->read(one.buffer, {1, one.bytes, one.bytes, 0}, 0);
}

/// Why the op cannot run alone; empty when it can.
std::string refusal(const StepSpec& spec, const char* op) {
    MeasureSpec how;
    how.op = op;
    try {
        static_cast<void>(workload::plan_step(spec, how));
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

class OpAlone : public testing::TestWithParam<Alone> {};

TEST_P(OpAlone, ProducesWhatItDoesInTheStep) {
    const Alone& one = GetParam();
    for (const PoolKind pool : {PoolKind::statik, PoolKind::unified}) {
        for (const LaunchForm form : {LaunchForm::eager, LaunchForm::fused}) {
            const StepSpec spec = spec_of(one, pool, form);
            EXPECT_EQ(left_by(one, spec, one.op), left_by(one, spec, ""));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Ops,
    OpAlone,
    testing::Values(
        Alone{"state-slots", "tiny-mla", "flashinfer_mla", BufferId::state_slots, 3 * 4},
        Alone{"swa-write-loc", "tiny-swa", "triton", BufferId::swa_write_loc, 3 * 8},
        Alone{"fa-metadata", "tiny-gqa", "fa3", BufferId::cu_seqlens_k, 4 * 4}
    )
);

TEST(OpAlone, TableAndStreamFillsBothAsTheStepDoes) {
    StepSpec spec = test::small_step();
    spec.page_size = 4;
    spec.index_mode = IndexMode::both;
    const StepRig whole(spec);
    whole.run();
    MeasureSpec how;
    how.op = "table-and-stream";
    const StepRig alone(spec, how);
    alone.run();
    EXPECT_EQ(
        test::stream_ids(alone, BufferId::stream, 60), test::stream_ids(whole, BufferId::stream, 60)
    );
    const std::int64_t width = whole.plan.table_width;
    for (std::int64_t lane = 0; lane < 3; ++lane) {
        EXPECT_EQ(
            test::table_row(alone, BufferId::table, width, lane),
            test::table_row(whole, BufferId::table, width, lane)
        );
    }
}

TEST(OpAlone, FusedMetadataFillsWhatItDoesInTheStep) {
    for (const auto* preset : {"tiny-gqa", "tiny-swa"}) {
        StepSpec spec = test::small_step();
        spec.preset = preset;
        spec.attention_backend = "flashinfer";
        spec.metadata = MetadataForm::fused;
        spec.max_batch = spec.batch;
        const StepRig whole(spec);
        whole.run();
        MeasureSpec how;
        how.op = "fused-metadata";
        const StepRig alone(spec, how);
        alone.run();
        EXPECT_EQ(alone.plan.ops.size(), 1);
        for (const workload::BufferSpec& buffer : alone.plan.buffers) {
            if (const auto region = workload::checked_region(alone.plan, buffer)) {
                EXPECT_EQ(
                    alone.step->read(buffer.id, *region, 0), whole.step->read(buffer.id, *region, 0)
                ) << preset
                  << ", " << buffer.name;
            }
        }
    }
}

TEST(OpAlone, FusedMetadataTakesVirtualIdsAndAContextThatHoldsTheWindows) {
    StepSpec spec = test::small_step();
    spec.preset = "tiny-swa";
    spec.attention_backend = "flashinfer";
    spec.pool = PoolKind::statik;
    EXPECT_THAT(refusal(spec, "fused-metadata"), testing::HasSubstr("translates virtual ids"));
    spec.pool = PoolKind::unified;
    spec.max_context = 3;
    spec.seq_len = 2;
    EXPECT_THAT(refusal(spec, "fused-metadata"), testing::HasSubstr("--max-context is 3"));
}

TEST(OpAlone, FusedMetadataHasNoGridOfColumns) {
    StepSpec spec = test::small_step();
    spec.grid = Grid::ctx;
    EXPECT_EQ(refusal(spec, "page-table"), "");
    EXPECT_THAT(refusal(spec, "fused-metadata"), testing::HasSubstr("--grid ctx has no effect"));
}

TEST(OpAlone, IsRefusedWhereTheModelHasNothingForIt) {
    const StepSpec spec = test::gqa_step("triton");
    EXPECT_THAT(
        refusal(spec, "state-slots"), testing::HasSubstr("state layers, and tiny-gqa has none")
    );
    EXPECT_THAT(
        refusal(spec, "swa-write-loc"), testing::HasSubstr("sliding windows, and tiny-gqa has none")
    );
}

} // namespace
