#include "capture/model/error.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace kvprof;
using test::small_step;

std::int64_t launches_of(const StepSpec& spec, OpKind op) {
    return test::StepRig(spec).launches(op);
}

TEST(Delay, IsOneMoreLaunchOfItsOpAndOfNoOther) {
    const StepSpec plain = small_step();
    StepSpec delayed = plain;
    delayed.delay_op = "token-stream";
    delayed.delay_us = 1.0;
    EXPECT_EQ(
        launches_of(delayed, OpKind::token_stream), launches_of(plain, OpKind::token_stream) + 1
    );
    EXPECT_EQ(launches_of(delayed, OpKind::indptr), launches_of(plain, OpKind::indptr));
    EXPECT_EQ(launches_of(delayed, OpKind::attention), launches_of(plain, OpKind::attention));
}

TEST(Delay, AnOpThatTheStepDoesNotHaveIsRefusedWithThoseItHas) {
    StepSpec spec = small_step();
    spec.delay_op = "static-gather";
    spec.delay_us = 1.0;
    try {
        static_cast<void>(workload::plan_step(spec, {}));
        FAIL() << "no error";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("static-gather"));
        EXPECT_THAT(error.hint(), testing::HasSubstr("token-stream"));
    }
}

TEST(Delay, FitsIntoEveryOpOfTheStep) {
    const workload::StepPlan plain = workload::plan_step(small_step(), {});
    ASSERT_FALSE(plain.ops.empty());
    for (const workload::PlannedOp& op : plain.ops) {
        StepSpec spec = small_step();
        spec.delay_op = to_string(op.op);
        spec.delay_us = 0.5;
        EXPECT_EQ(launches_of(spec, op.op), launches_of(small_step(), op.op) + 1) << spec.delay_op;
    }
}

TEST(Delay, LastsAtLeastAsLongOnTheHost) {
    StepSpec spec = small_step();
    spec.delay_op = "token-stream";
    spec.delay_us = 2'500.5; // far over the step's own time
    const test::StepRig rig(spec);
    EXPECT_GE(rig.step->replay(2).gpu_time, std::chrono::nanoseconds{2 * 2'500'500});
}

TEST(Delay, HalfOfItIsRefused) {
    StepSpec no_time = small_step();
    no_time.delay_op = "token-stream";
    EXPECT_THROW(static_cast<void>(workload::plan_step(no_time, {})), UsageError);
    StepSpec no_op = small_step();
    no_op.delay_us = 5.0;
    EXPECT_THROW(static_cast<void>(workload::plan_step(no_op, {})), UsageError);
    StepSpec negative = small_step();
    negative.delay_op = "token-stream";
    negative.delay_us = -1.0;
    EXPECT_THROW(static_cast<void>(workload::plan_step(negative, {})), UsageError);
}

} // namespace
