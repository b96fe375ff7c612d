#include "capture/verify.h"
#include "capture/workload/contents.h"
#include "capture/workload/plan_ops.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

/// --metadata fused of a reader of a stream on a unified pool: one launch for all index work.
namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;
using testing::ElementsAre;
using workload::BufferId;
using workload::plan_step;

StepSpec fused_on(const char* preset, const char* backend) {
    StepSpec spec = small_step();
    spec.preset = preset;
    spec.attention_backend = backend;
    spec.metadata = MetadataForm::fused;
    return spec;
}

StepSpec plain(StepSpec spec) {
    spec.metadata = MetadataForm::plain;
    return spec;
}

/// Index work of a step without the state slots that some models look up.
std::vector<std::string> index_ops(const StepSpec& spec) {
    std::vector<std::string> names;
    for (const workload::PlannedOp& op : plan_step(spec, {}).ops) {
        const bool is_index = op.stage == Stage::write || op.stage == Stage::metadata;
        if (is_index && op.op != OpKind::state_slots) {
            names.emplace_back(to_string(op.op));
        }
    }
    return names;
}

TEST(FusedStep, HasOneLaunchOfIndexWork) {
    EXPECT_EQ(StepRig(fused_on("tiny-mla", "flashinfer_mla")).index_launches(), 1);
    EXPECT_EQ(StepRig(fused_on("tiny-gqa", "flashinfer")).index_launches(), 1);
    EXPECT_EQ(StepRig(fused_on("tiny-swa", "flashinfer")).index_launches(), 1);
    EXPECT_EQ(StepRig(plain(fused_on("tiny-swa", "flashinfer"))).index_launches(), 3 + 5 + 2);
}

TEST(FusedStep, LeavesSplitsAndFurtherReadersToTheirLaunches) {
    EXPECT_THAT(
        index_ops(fused_on("tiny-swa", "triton")),
        ElementsAre("fused-metadata", "kv-splits", "kv-splits")
    );
    StepSpec spec = fused_on("tiny-gqa", "flashinfer");
    spec.consumers = 2;
    EXPECT_THAT(index_ops(spec), ElementsAre("fused-metadata", "token-stream"));
    spec.share = Share::plan;
    EXPECT_THAT(index_ops(spec), ElementsAre("fused-metadata", "stream-copy"));
}

TEST(FusedStep, IsTheUnifiedPoolsAfterTheFusedWrite) {
    const StepSpec spec = fused_on("tiny-gqa", "flashinfer");
    StepSpec other = spec;
    other.pool = PoolKind::statik;
    EXPECT_THAT(index_ops(other), ElementsAre("indptr", "static-gather"));
    other = spec;
    other.stage = HistoryStage::after_37512;
    EXPECT_THAT(index_ops(other), ElementsAre("write-loc", "indptr", "token-stream"));
    other = spec;
    other.index_mode = IndexMode::both;
    EXPECT_THAT(index_ops(other), ElementsAre("write-loc", "indptr", "table-and-stream"));
}

TEST(FusedStep, MovesIntoTheGraphAsOneNode) {
    StepSpec spec = fused_on("tiny-gqa", "flashinfer");
    const StepRig out(spec);
    spec.placement = Placement::in;
    const StepRig in(spec);
    EXPECT_EQ(in.counts.graph_nodes, out.counts.graph_nodes + 1);
}

/// Steps whose outputs must not depend on the form of their metadata.
std::vector<StepSpec> steps() {
    std::vector<StepSpec> all;
    for (const auto& [preset, backend] :
         {std::pair{"tiny-mla", "flashinfer_mla"},
          std::pair{"tiny-gqa", "flashinfer"},
          std::pair{"tiny-swa", "flashinfer"},
          std::pair{"tiny-swa", "triton"},
          std::pair{"tiny-tri", "triton"}}) {
        for (const std::int64_t page_size : {1, 3, 16}) {
            StepSpec spec = fused_on(preset, backend);
            spec.page_size = page_size;
            spec.length_law = LengthLaw::ragged;
            spec.seq_len = 90;
            spec.holes = 0.1;
            spec.tombstones = 0.1;
            all.push_back(spec);
            spec.placement = Placement::in;
            all.push_back(spec);
            spec.delta = 2;
            all.push_back(spec);
        }
    }
    return all;
}

TEST(FusedStep, LeavesInEveryBufferWhatTheLaunchesThatItReplacesLeave) {
    for (const StepSpec& spec : steps()) {
        const StepRig fused(spec);
        const StepRig apart(plain(spec));
        fused.run();
        apart.run();
        ASSERT_EQ(fused.plan.buffers.size(), apart.plan.buffers.size());
        for (const workload::BufferSpec& buffer : fused.plan.buffers) {
            if (buffer.is_output && buffer.id != BufferId::kv) {
                const auto bytes = std::min<std::int64_t>(buffer.bytes(), 1 << 16);
                EXPECT_EQ(
                    fused.values<std::uint8_t>(buffer.id, bytes),
                    apart.values<std::uint8_t>(buffer.id, bytes)
                ) << buffer.name
                  << " of " << testing::PrintToString(spec);
            }
        }
    }
}

TEST(FusedStep, HoldsTheSameBytes) {
    for (const StepSpec& spec : steps()) {
        const auto fused = ledger_of(plan_step(spec, {}));
        const auto apart = ledger_of(plan_step(plain(spec), {}));
        ASSERT_EQ(fused.size(), apart.size());
        for (std::size_t i = 0; i < fused.size(); ++i) {
            EXPECT_EQ(fused[i].name, apart[i].name);
            EXPECT_EQ(fused[i].bytes, apart[i].bytes) << fused[i].name;
        }
    }
}

TEST(FusedStep, HoldsAgainstTheFp64AttentionUnderChurnToo) {
    for (const char* preset : {"tiny-gqa", "tiny-swa"}) {
        StepSpec spec = fused_on(preset, "triton");
        spec.churn = 0.25;
        const StepRig rig(spec);
        EXPECT_GT(verify(*rig.step, rig.plan, rig.state).attention_rows, 0);
    }
}

} // namespace
