#include "capture/observe.h"

#include "capture/command_tag.h"
#include "capture/host/host_executor.h"
#include "capture/host/live_work.h"
#include "capture/workload/lanes.h"
#include "capture/workload/plan_buffers.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace {

using namespace kvprof;
using test::small_step;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MeasureSpec on_host() {
    MeasureSpec how;
    how.executor = ExecutorKind::host;
    how.warmup_max_s = 0.001;
    how.trace_steps = 30;
    return how;
}

kvprof::Run observed(const StepSpec& spec, const MeasureSpec& how) {
    host::HostRecorder recorder;
    host::HostExecutor executor(&recorder);
    return observe(Pass::nodes, &recorder, executor, spec, how);
}

TEST(Observe, EveryLaunchOfAHostStepIsAttributedToItsOp) {
    const StepSpec spec = small_step();
    const test::StepRig rig(spec);
    const kvprof::Run run = observed(spec, on_host());
    ASSERT_EQ(run.passes.size(), 1U);
    EXPECT_THAT(run.passes.front().failure, IsEmpty());
    EXPECT_EQ(run.passes.front().steps, 30);
    EXPECT_EQ(run.passes.front().orphans, 0);
    std::map<OpKind, std::int64_t> records;
    for (const OpSample& sample : run.op_samples) {
        records[sample.op] += sample.records;
    }
    for (const OpStat& stat : rig.counts.ops) {
        EXPECT_EQ(records[stat.op], 30 * (stat.launches + stat.copies)) << to_string(stat.op);
    }
}

TEST(Observe, StepsUnderChurnAreWholeCycles) {
    StepSpec spec = small_step();
    spec.churn = 0.25; // lengths repeat after 4 steps, and who holds the pages after 8
    MeasureSpec how = on_host();
    how.trace_steps = 36;
    ASSERT_EQ(workload::steps_in_cycle(workload::plan_step(spec, how)), 8);
    const kvprof::Run run = observed(spec, how);
    ASSERT_EQ(run.passes.size(), 1U);
    EXPECT_THAT(run.passes.front().failure, IsEmpty());
    EXPECT_EQ(run.passes.front().steps, 40);
}

TEST(Observe, BatchesHoldTwentyStepsAndTheRest) {
    const kvprof::Run run = observed(small_step(), on_host());
    ASSERT_EQ(run.passes.front().batches.size(), 2U);
    EXPECT_EQ(run.passes.front().batches[0].steps, 20);
    EXPECT_EQ(run.passes.front().batches[1].steps, 10);
    EXPECT_EQ(run.step_records.size(), 30U);
}

TEST(Observe, TheHostHasNoGraphMemoryAndSaysSo) {
    host::HostExecutor executor;
    const kvprof::Run run = observe(Pass::memory, nullptr, executor, small_step(), on_host());
    EXPECT_THAT(run.passes.front().failure, HasSubstr("the host executor has no graph"));
    EXPECT_THAT(run.marks, IsEmpty());
    EXPECT_EQ(run.status.state, RunState::complete);
}

TEST(AddPass, APassThatContradictsThePlanMakesTheRunInvalid) {
    kvprof::Run run;
    run.samples.resize(3);
    kvprof::Run contradicted = failed_pass(Pass::counts, "op repack: differs");
    contradicted.status = {RunState::invalid, "op repack: differs", 5};
    add_pass(run, std::move(contradicted));
    EXPECT_EQ(run.status.state, RunState::invalid);
    EXPECT_THAT(run.samples, IsEmpty());
}

TEST(AddPass, APassThatFailedLeavesTheTimesStanding) {
    kvprof::Run run;
    run.samples.resize(3);
    add_pass(run, failed_pass(Pass::nodes, "no CUPTI"));
    EXPECT_EQ(run.status.state, RunState::complete);
    EXPECT_EQ(run.samples.size(), 3U);
    EXPECT_EQ(run.passes.front().failure, "no CUPTI");
}

TEST(LiveWork, FollowsTheLengthsOfEachStepOfACycle) {
    StepSpec spec = small_step();
    spec.batch = 1;
    spec.max_batch = 1;
    spec.max_context = 4096;
    spec.seq_len = 254; // grows to 257 and starts again
    spec.churn = 0.25;
    spec.grid = Grid::ctx;
    spec.index_mode = IndexMode::rectangle;
    const test::StepRig rig(spec);
    const host::LiveWork live(rig.plan, rig.state);
    workload::StepProgram program(rig.plan, workload::imagined_places(rig.plan), rig.state);
    std::vector<std::int64_t> seen;
    for (std::int64_t step = 0; step < 8; ++step) {
        const workload::Commands& commands = program.next_step();
        for (std::size_t i = 0; i < commands.size(); ++i) {
            if (commands[i].op == OpKind::page_table) {
                seen.push_back(*live.blocks(step, tag_of(commands[i], Role::op, i)));
            }
        }
    }
    // The first step replayed has 255 tokens: then 256, 257, 254. Past 256 columns a second block
    // has work.
    EXPECT_THAT(seen, ElementsAre(1, 1, 2, 1, 1, 1, 2, 1));
}

} // namespace
