#include "capture/cuda/cupti_recorder.h"

#include "capture/activity/join.h"
#include "capture/model/error.h"
#include "tests/support/cuda/played_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace kvprof::cuda {
namespace {

using activity::Joined;
using activity::Recording;
using test::FakeCupti;
using test::PlayedLoop;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t kSteps = 50;

Joined join_steps(const Recording& recording, Pass pass = Pass::nodes) {
    return activity::join(recording, {.pass = pass, .steps = kSteps});
}

std::int64_t launches_of(const Joined& joined, const std::string& name) {
    std::int64_t launches = 0;
    for (const KernelStat& kernel : joined.kernels) {
        launches += kernel.name == name ? kernel.launches : 0;
    }
    return launches;
}

TEST(CuptiRecorder, AttributesEveryNodeOfEveryReplay) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    const Recording recording = loop.record(kSteps);
    EXPECT_EQ(recording.failure, "");
    EXPECT_EQ(recording.records.size(), 5U * kSteps);
    EXPECT_EQ(recording.nodes_cross_checked, 4);
    EXPECT_EQ(recording.unknown_kinds, 0);
    ASSERT_EQ(recording.executables.size(), 1U);
    EXPECT_EQ(recording.executables[0].kernels, 2);
    EXPECT_EQ(recording.executables[0].memory_copies, 1);
    EXPECT_EQ(recording.executables[0].memory_sets, 1);

    const Joined joined = join_steps(recording);
    EXPECT_EQ(joined.evidence.failure, "");
    EXPECT_EQ(joined.evidence.by_node, 4 * kSteps);
    EXPECT_EQ(joined.evidence.by_launch, kSteps);
    EXPECT_EQ(joined.evidence.orphans, 0);
    EXPECT_EQ(joined.evidence.unattributed, 0);
    EXPECT_EQ(launches_of(joined, "attend"), kSteps);
    EXPECT_EQ(launches_of(joined, "build_table"), kSteps);
    EXPECT_EQ(launches_of(joined, "append"), kSteps);
    EXPECT_EQ(launches_of(joined, "warm_up"), 0);
}

TEST(CuptiRecorder, GivesEachNodeTheOpThatItWasCapturedFor) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    const Joined joined = join_steps(loop.record(kSteps));
    const auto attend = std::ranges::find(joined.kernels, std::string("attend"), &KernelStat::name);
    ASSERT_NE(attend, joined.kernels.end());
    EXPECT_EQ(attend->op, OpKind::attention);
    EXPECT_EQ(attend->placement, Placement::in);
    EXPECT_EQ(attend->grid, (Dim3{9, 1, 1}));
    EXPECT_EQ(attend->time, std::chrono::nanoseconds(10 * kSteps));
}

TEST(CuptiRecorder, GivesOneSpanAReplayInAGraphLevelTrace) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::graph);
    const Recording recording = loop.record(kSteps);
    EXPECT_EQ(recording.spans.size(), 1U * kSteps);
    EXPECT_EQ(recording.records.size(), 0U);
    const Joined joined = join_steps(recording, Pass::graph);
    EXPECT_EQ(joined.evidence.failure, "");
    EXPECT_EQ(joined.evidence.nodes_cross_checked, 4);
    EXPECT_EQ(joined.graph_spans.size(), 1U * kSteps);
}

TEST(CuptiRecorder, CountsOutermostCallsOfTheSteps) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::counts);
    const Recording recording = loop.record(kSteps);
    EXPECT_EQ(recording.records.size(), 0U);
    EXPECT_THAT(fake.log, Not(Contains("flush")));
    std::int64_t replays = 0;
    std::int64_t captured = 0;
    for (const auto& [function, count] : recording.calls) {
        EXPECT_THAT(function, Not(HasSubstr("cuLaunch"))); // nested in a runtime call
        replays += function == "cudaGraphLaunch" ? count.calls : 0;
        captured += count.is_captured ? count.calls : 0;
    }
    EXPECT_EQ(replays, kSteps);
    EXPECT_EQ(captured, 4);
}

TEST(CuptiRecorder, ForgetsWhatCameBeforeTheStart) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    loop.set_up();
    fake.dropped = 9;
    loop.recorder().start();
    const Recording recording = loop.recorder().stop();
    EXPECT_EQ(recording.records.size(), 0U);
    EXPECT_EQ(recording.dropped, 0);
    EXPECT_THAT(recording.launches, IsEmpty());
}

TEST(CuptiRecorder, ReportsWhatCuptiLost) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    loop.set_up();
    loop.recorder().start();
    loop.run(kSteps);
    fake.dropped = 3;
    const Recording recording = loop.recorder().stop();
    EXPECT_EQ(recording.dropped, 3);
    EXPECT_THAT(join_steps(recording).evidence.failure, Not(IsEmpty()));
}

TEST(CuptiRecorder, ForcesOutABufferThatHoldsAnUnfinishedRecord) {
    FakeCupti fake;
    fake.keeps_last_record = true;
    PlayedLoop loop(fake, Pass::nodes);
    const Recording recording = loop.record(kSteps);
    EXPECT_THAT(fake.log, Contains("forced flush"));
    EXPECT_EQ(recording.records.size(), 5U * kSteps);
}

TEST(CuptiRecorder, DoesNotForceWhenEverythingCame) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    static_cast<void>(loop.record(kSteps));
    EXPECT_THAT(fake.log, Not(Contains("forced flush")));
}

TEST(CuptiRecorder, LosesNothingUnseenWhenBuffersRunOut) {
    FakeCupti fake;
    fake.records_per_buffer = 1; // far more buffers at once than the pool has
    PlayedLoop loop(fake, Pass::graph);
    constexpr std::int64_t kReplays = 200;
    const Recording recording = loop.record(kReplays);
    EXPECT_EQ(std::ssize(recording.spans) + recording.dropped, kReplays);
    EXPECT_GT(recording.refused_buffers, 0);
    EXPECT_EQ(recording.refused_buffers, static_cast<std::int64_t>(fake.refused_buffers()));
}

TEST(CuptiRecorder, LeavesSpoiltRecordsToTheJoin) {
    for (const auto spoil :
         {FakeCupti::Spoil::no_times,
          FakeCupti::Spoil::end_before_start,
          FakeCupti::Spoil::twice}) {
        FakeCupti fake;
        PlayedLoop loop(fake, Pass::nodes);
        fake.spoil = spoil;
        const Recording recording = loop.record(kSteps);
        EXPECT_GE(recording.records.size(), 5U * kSteps);
        EXPECT_THAT(join_steps(recording).evidence.failure, Not(IsEmpty()));
    }
}

TEST(CuptiRecorder, CountsRecordsOfUnknownKinds) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    loop.set_up();
    loop.recorder().start();
    fake.has_unknown_kind = true;
    EXPECT_EQ(loop.recorder().stop().unknown_kinds, 1);
}

TEST(CuptiRecorder, FailsWhenAnExecutablesNodesHaveOtherOpsThanItsSource) {
    FakeCupti fake;
    fake.clones_are_mixed_up = true;
    PlayedLoop loop(fake, Pass::nodes);
    const Recording recording = loop.record(kSteps);
    EXPECT_EQ(recording.nodes_cross_checked, 2);
    EXPECT_THAT(recording.failure, HasSubstr("2 nodes of the executable graph have another op"));
}

TEST(CuptiRecorder, FailsWhenAGraphEventHasNoId) {
    FakeCupti fake;
    fake.fail("exec_id", 19);
    PlayedLoop loop(fake, Pass::nodes);
    EXPECT_THAT(loop.record(kSteps).failure, HasSubstr("1 nodes or graphs were announced"));
}

TEST(CuptiRecorder, FailsWhenACallCouldNotBeKept) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::counts);
    loop.set_up();
    loop.recorder().start();
    fake.is_out_of_memory = true;
    loop.run(1);
    fake.is_out_of_memory = false;
    loop.run(kSteps);
    const Recording recording = loop.recorder().stop();
    EXPECT_THAT(recording.failure, HasSubstr("3 calls or graph events could not be kept"));
    EXPECT_THAT(recording.failure, HasSubstr("--trace-steps"));
}

TEST(CuptiRecorder, FailsWhenANodeCouldNotBeKept) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    fake.is_out_of_memory = true;
    loop.set_up();
    fake.is_out_of_memory = false;
    loop.recorder().start();
    loop.run(kSteps);
    EXPECT_THAT(loop.recorder().stop().failure, HasSubstr("could not be kept"));
}

TEST(CuptiRecorder, DoesNotReadAGraphThatWasDestroyed) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    loop.set_up();
    loop.recorder().start();
    loop.run(kSteps);
    fake.destroy(loop.graph());
    const Recording recording = loop.recorder().stop();
    EXPECT_EQ(recording.nodes_cross_checked, 0);
    EXPECT_EQ(recording.failure, "");
    EXPECT_EQ(join_steps(recording).evidence.by_node, 4 * kSteps);
}

TEST(CuptiRecorder, KeepsTheTagsOfAnExecutableThatWasDestroyed) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    loop.set_up();
    loop.recorder().start();
    loop.run(kSteps);
    fake.destroy(loop.executable());
    EXPECT_EQ(join_steps(loop.recorder().stop()).evidence.by_node, 4 * kSteps);
}

TEST(CuptiRecorder, SaysWhenTheDeviceIsNotSupported) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    fake.device_supported = 0;
    try {
        loop.recorder().start();
        ADD_FAILURE() << "it started";
    } catch (const UnavailableError& error) {
        EXPECT_THAT(error.what(), HasSubstr("does not support the device"));
    }
}

TEST(CuptiRecorder, FailsWithAReasonWhenAFlushFails) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    loop.set_up();
    loop.recorder().start();
    fake.fail("flush", 999);
    EXPECT_THROW(static_cast<void>(loop.recorder().stop()), UnavailableError);
}

TEST(CuptiRecorder, FailsWithAReasonOnceCuptiHasShutItselfDown) {
    FakeCupti fake;
    PlayedLoop loop(fake, Pass::nodes);
    loop.set_up();
    loop.recorder().start();
    fake.die();
    EXPECT_THROW(static_cast<void>(loop.recorder().stop()), UnavailableError);
}

TEST(CuptiRecorder, RefusesAPassThatRunsWithoutCupti) {
    FakeCupti fake;
    EXPECT_THROW(CuptiRecorder(fake.api(), Pass::timing), UsageError);
    EXPECT_THAT(fake.log, IsEmpty());
}

} // namespace
} // namespace kvprof::cuda
