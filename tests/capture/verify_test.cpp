#include "capture/verify.h"

#include "capture/model/error.h"
#include "capture/workload/lanes.h"
#include "capture/workload/plan_ops.h"
#include "tests/workload/step_rig.h"

#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;

/// Passes a step through and spoils one byte of one buffer, or its output.
class SpoiledStep final : public PreparedStep {
  public:
    SpoiledStep(PreparedStep& step, workload::BufferId buffer, std::size_t byte)
        : step_(step),
          buffer_(buffer),
          spoiled_byte_(byte) {}

    Sample replay(std::int64_t times) override { return step_.replay(times); }

    [[nodiscard]] std::int64_t copies() const override { return step_.copies(); }

    [[nodiscard]] std::vector<std::byte> read(
        workload::BufferId buffer, const workload::Region& region, std::int64_t copy
    ) const override {
        auto bytes = step_.read(buffer, region, copy);
        if (buffer == buffer_) {
            bytes[spoiled_byte_] ^= std::byte{0x40};
        }
        return bytes;
    }

    [[nodiscard]] std::int64_t graph_nodes() const override { return step_.graph_nodes(); }

    [[nodiscard]] std::vector<MemoryStat> memory() const override { return {}; }

    [[nodiscard]] std::int64_t steps_run() const override { return step_.steps_run(); }

    [[nodiscard]] bool is_apart() const override { return step_.is_apart(); }

    [[nodiscard]] std::optional<HostTimes> host_times(std::int64_t steps) override {
        return step_.host_times(steps);
    }

  private:
    PreparedStep& step_;
    workload::BufferId buffer_;
    std::size_t spoiled_byte_;
};

void expect_refused(workload::BufferId buffer, const std::string& name) {
    const StepRig rig(small_step());
    SpoiledStep spoiled(*rig.step, buffer, 0);
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
    // Byte 3 of a float holds its sign and exponent.
    SpoiledStep spoiled(*rig.step, workload::BufferId::output, 3);
    try {
        static_cast<void>(verify(spoiled, rig.plan, rig.state));
        FAIL() << "a wrong output was accepted";
    } catch (const VerifyError& error) {
        EXPECT_NE(
            std::string(error.what()).find("could not verify attention: lane 0"), std::string::npos
        );
    }
}

/// A lane whose request was replaced must not read what its predecessor left.
TEST(Verify, KnowsThePredecessorsRowsFromTheLanesOwn) {
    StepSpec spec = small_step();
    spec.churn = 0.25;
    const auto plan = workload::plan_step(spec, {});
    EXPECT_EQ(workload::owner_in_step(plan, 0, 3), 1);
    EXPECT_EQ(workload::owner_in_step(plan, 0, 4), 4); // its request was replaced
    EXPECT_EQ(workload::owner_in_step(plan, 0, 8), 1);
    EXPECT_EQ(workload::owner_in_step(plan, 1, 2), 2);
    EXPECT_EQ(workload::owner_in_step(plan, 1, 3), 5); // lane 1 started a step older
}

TEST(Verify, DoesNotCompareAttentionOverHoles) {
    StepSpec spec = small_step();
    spec.holes = 0.3;
    const StepRig rig(spec);
    const Check check = verify(*rig.step, rig.plan, rig.state);
    EXPECT_FALSE(check.attention_error.has_value());
}

/// Under the sanitizers this also proves that no op writes past its buffers.
TEST(Verify, EveryOpHoldsAloneInBothFormsAtSeveralPageSizes) {
    for (const auto& [op, name] : EnumNames<OpKind>::values) {
        for (const auto& [form, form_name] : EnumNames<LaunchForm>::values) {
            for (const std::int64_t page_size : {1, 16}) {
                if (!workload::can_run_alone(op)) {
                    continue;
                }
                StepSpec spec = test::small_step_for(op, form);
                spec.page_size = page_size;
                spec.seq_len = 100;
                MeasureSpec how;
                how.op = name;
                how.op_launches = 4;
                const StepRig rig(spec, how);
                EXPECT_GT(verify(*rig.step, rig.plan, rig.state).ids_compared, 0)
                    << name << form_name << page_size;
            }
        }
    }
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
        spec.churn = 0.25;
        specs.push_back(spec);
        spec.churn = 0.0;
        spec.delta = 3;
        specs.push_back(spec);
        spec.delta = 0;
        spec.prefix_share = 0.5;
        specs.push_back(spec);
        spec.preset = "tiny-gqa";
        spec.attention_backend = "triton";
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
