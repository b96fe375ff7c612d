#include "capture/verify.h"

#include "capture/model/error.h"
#include "tests/workload/step_rig.h"

#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;

/// Passes a step through and spoils one byte of one buffer, or its output.
class SpoiledStep final : public PreparedStep {
  public:
    SpoiledStep(PreparedStep& step, workload::BufferId buffer)
        : step_(step),
          buffer_(buffer) {}

    Sample replay(std::int64_t times) override { return step_.replay(times); }

    [[nodiscard]] std::vector<std::byte>
    read(workload::BufferId buffer, const workload::Region& region) const override {
        auto bytes = step_.read(buffer, region);
        if (buffer == buffer_) {
            bytes.front() ^= std::byte{1};
        }
        return bytes;
    }

    [[nodiscard]] std::vector<OpStat> ops() const override { return step_.ops(); }

    [[nodiscard]] std::int64_t graph_nodes() const override { return step_.graph_nodes(); }

    [[nodiscard]] std::vector<MemoryStat> memory() const override { return {}; }

  private:
    PreparedStep& step_;
    workload::BufferId buffer_;
};

void expect_refused(workload::BufferId buffer, const std::string& name) {
    const StepRig rig(small_step());
    SpoiledStep spoiled(*rig.step, buffer);
    try {
        static_cast<void>(verify(spoiled, rig.plan, rig.state));
        FAIL() << "a spoiled " << name << " was accepted";
    } catch (const VerifyError& error) {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
}

TEST(Verify, AcceptsARightStepAndSaysHowMuchItCompared) {
    const StepRig rig(small_step());
    const Check check = verify(*rig.step, rig.plan, rig.state);
    EXPECT_GT(check.ids_compared, 60);
    EXPECT_EQ(check.ids_different, 0);
    EXPECT_GT(check.attention_rows, 0);
    ASSERT_TRUE(check.attention_error.has_value());
    EXPECT_LT(*check.attention_error, 1e-4);
}

TEST(Verify, RefusesOneWrongStreamId) {
    expect_refused(workload::BufferId::stream, "stream");
}

TEST(Verify, RefusesOneWrongWriteLocation) {
    expect_refused(workload::BufferId::write_loc, "write_loc");
}

TEST(Verify, RefusesATableThatTheHostTwinDoesNotHave) {
    expect_refused(workload::BufferId::full_v2p, "full_v2p");
}

TEST(Verify, RefusesAWrongAttentionOutput) {
    const StepRig rig(small_step());
    SpoiledStep spoiled(*rig.step, workload::BufferId::lens); // the reference sees another length
    EXPECT_THROW(static_cast<void>(verify(spoiled, rig.plan, rig.state)), VerifyError);
}

TEST(Verify, RefusesALengthThatNoLaneHas) {
    const StepRig rig(small_step());
    auto plan = rig.plan;
    plan.max_len = 19; // lanes have 20
    EXPECT_THROW(static_cast<void>(verify(*rig.step, plan, rig.state)), VerifyError);
}

TEST(Verify, DoesNotCompareAttentionOverHoles) {
    StepSpec spec = small_step();
    spec.holes = 0.3;
    const StepRig rig(spec);
    const Check check = verify(*rig.step, rig.plan, rig.state);
    EXPECT_FALSE(check.attention_error.has_value());
}

class VerifiedStep : public testing::TestWithParam<StepSpec> {};

TEST_P(VerifiedStep, HoldsOnTheHost) {
    const StepRig rig(GetParam());
    EXPECT_NO_THROW(static_cast<void>(verify(*rig.step, rig.plan, rig.state)));
}

std::vector<StepSpec> variants() {
    std::vector<StepSpec> specs;
    for (const std::int64_t page_size : {1, 3, 64}) {
        StepSpec spec = small_step();
        spec.page_size = page_size;
        spec.v2p = IndexWidth::i32;
        specs.push_back(spec);
        spec.churn = 0.3;
        specs.push_back(spec);
        spec.churn = 0.0;
        spec.delta = 3;
        specs.push_back(spec);
        spec.delta = 0;
        spec.prefix_share = 0.5;
        specs.push_back(spec);
        spec.preset = "tiny-gqa";
        spec.attention_backend = AttentionBackend::triton;
        specs.push_back(spec);
        spec.prefix_share = 0.0;
        spec.pool = PoolKind::statik;
        spec.churn = 0.5;
        specs.push_back(spec);
        spec.pool = PoolKind::unified;
        spec.churn = 0.0;
        spec.preset = "tiny-swa";
        spec.length_law = LengthLaw::ragged;
        spec.seq_len = 150;
        specs.push_back(spec);
    }
    return specs;
}

INSTANTIATE_TEST_SUITE_P(Variants, VerifiedStep, testing::ValuesIn(variants()));

} // namespace
