#include "tests/activity/trace_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::activity::test {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// The one condition of a recording, which leaves no figures.
Condition only_condition(const TraceRig& rig) {
    const Joined joined = rig.join();
    EXPECT_EQ(joined.conditions.size(), 1U);
    EXPECT_THAT(joined.evidence.failure, HasSubstr("--trace-steps"));
    EXPECT_THAT(joined.kernels, IsEmpty());
    EXPECT_THAT(joined.op_samples, IsEmpty());
    EXPECT_THAT(joined.steps, IsEmpty());
    EXPECT_THAT(joined.events, IsEmpty());
    return joined.conditions.empty() ? Condition{} : joined.conditions.front();
}

TEST(Census, LostRecordsLeaveNoFigures) {
    TraceRig rig = two_steps();
    rig.recording.dropped = 12;
    EXPECT_EQ(rig.join().evidence.dropped, 12);
    EXPECT_EQ(
        only_condition(rig),
        (Condition{ConditionKind::dropped_records, "12 records were lost and 8 kept"})
    );
}

TEST(Census, TellsItsOwnFullBuffersFromALossOfCupti) {
    TraceRig rig = two_steps();
    rig.recording.dropped = 12;
    rig.recording.refused_buffers = 3;
    EXPECT_EQ(
        only_condition(rig).detail,
        "12 records were lost and 8 kept: kvprof had no buffer to lend 3 times"
    );
}

TEST(Census, RecordsThatCannotBeReadCountAsLost) {
    TraceRig rig = two_steps();
    rig.recording.unknown_kinds = 2;
    EXPECT_EQ(only_condition(rig).kind, ConditionKind::dropped_records);
}

TEST(Census, ARecordWithoutTimesStillIsANodeOfItsReplay) {
    for (const auto& [start, end] :
         {std::pair{0U, 0U}, std::pair{0U, 5U}, std::pair{5U, 0U}, std::pair{9U, 8U}}) {
        TraceRig rig = two_steps();
        rig.records[2].start = start;
        rig.records[2].end = end;
        EXPECT_EQ(rig.join().evidence.untimed, 1);
        EXPECT_EQ(
            only_condition(rig),
            (Condition{
                ConditionKind::untimed_records,
                "1 of 8 records have no start, no end, or an end before the start"})
        );
    }
}

TEST(Census, ARecordOfNoLengthIsTimed) {
    TraceRig rig = two_steps();
    rig.records[2].end = rig.records[2].start;
    EXPECT_EQ(rig.join().evidence.failure, "");
}

TEST(Census, SeesAMissingNode) {
    TraceRig rig = two_steps();
    rig.records.erase(rig.records.begin() + 5); // the write of step 1
    EXPECT_EQ(
        only_condition(rig),
        (Condition{
            ConditionKind::census_mismatch,
            "1 of 2 replays did not record the nodes of their graph, the first in step 1: "
            "1 kernels, 1 copies and 0 fills of 2, 1 and 0"})
    );
}

TEST(Census, SeesAnExtraNode) {
    TraceRig rig = two_steps();
    rig.records.push_back(rig.records[2]); // a second copy in step 0
    EXPECT_THAT(
        only_condition(rig).detail, HasSubstr("step 0: 2 kernels, 2 copies and 0 fills of 2, 1")
    );
}

TEST(Census, SeesAReplayWithoutRecords) {
    TraceRig rig = two_steps();
    rig.replay(99, 1);
    EXPECT_THAT(only_condition(rig).detail, HasSubstr("1 of 3 replays"));
    EXPECT_THAT(only_condition(rig).detail, HasSubstr("nothing recorded"));
}

TEST(Census, DoesNotExpectRecordsOfReplaysOutsideTheSteps) {
    TraceRig rig = two_steps();
    rig.replay(99, -1);
    rig.replay(98, 2);
    EXPECT_EQ(rig.join().evidence.failure, "");
}

TEST(Census, SeesAReplayOfAnUnknownGraph) {
    TraceRig rig = two_steps();
    rig.recording.executables[0].id = 70;
    const Joined joined = rig.join();
    EXPECT_EQ(joined.evidence.unattributed, 6);
    EXPECT_THAT(joined.evidence.failure, HasSubstr("nodes of a graph that is unknown"));
}

TEST(Census, SeesAReplayThatMixesGraphs) {
    TraceRig rig = two_steps();
    rig.executable({.id = 9, .kernels = 1}, {op_tag(OpKind::write_loc, Placement::in)});
    rig.records[1].node = node_id(9, 0);
    EXPECT_THAT(only_condition(rig).detail, HasSubstr("nodes of several graphs"));
}

// Drivers record a fill of a graph as the kernel that does it, when they must instrument it.
TEST(Census, TakesAFillThatIsRecordedAsItsKernel) {
    TraceRig rig = two_steps();
    rig.recording.executables[0].kernels = 1;
    rig.recording.executables[0].memory_sets = 1;
    EXPECT_EQ(rig.join().evidence.failure, "");
    rig.recording.shapes[rig.records[1].shape].kind = ActivityKind::memory_set; // the write
    EXPECT_EQ(rig.join().evidence.failure, "");
}

TEST(Census, SeesOtherKernelsInAReplayOfTheSameGraph) {
    TraceRig rig = two_steps();
    rig.records[5].shape = rig.kernel("another write");
    EXPECT_EQ(
        only_condition(rig),
        (Condition{
            ConditionKind::kernel_set_differs,
            "1 of 2 replays ran other kernels than the first of their graph: that of step 1 than "
            "that of 0"})
    );
}

TEST(Census, SeesANodeTwiceInThePlaceOfAnother) {
    TraceRig rig = two_steps();
    rig.recording.shapes[rig.records[5].shape].name = "attention"; // so that only nodes differ
    rig.records[5].node = rig.records[7].node;
    EXPECT_EQ(only_condition(rig).kind, ConditionKind::kernel_set_differs);
}

TEST(Census, ReplaysOfOtherGraphsMayRunOtherKernels) {
    TraceRig rig = two_steps();
    rig.how.steps = 3;
    rig.executable({.id = 9, .kernels = 1}, {op_tag(OpKind::attention, Placement::in)});
    rig.replay(90, 2);
    rig.records.push_back(
        {.start = 9000,
         .end = 9100,
         .node = node_id(9, 0),
         .correlation = 90,
         .shape = rig.kernel("short attention")}
    );
    EXPECT_EQ(rig.join().evidence.failure, "");
}

TEST(Census, SeesAnEagerLaunchWithoutRecord) {
    TraceRig rig = two_steps();
    rig.launch(60, op_tag(OpKind::indptr, Placement::out), 1);
    EXPECT_EQ(
        only_condition(rig),
        (Condition{
            ConditionKind::census_mismatch,
            "1 of 3 launches outside graphs have no record, the first in step 1 (correlation 60)"})
    );
}

TEST(Census, SeesStepsWithoutRecord) {
    TraceRig rig = two_steps();
    rig.how.steps = 4;
    EXPECT_EQ(
        only_condition(rig),
        (Condition{
            ConditionKind::census_mismatch, "2 of 4 steps have no record, the first is step 2"})
    );
}

TEST(Census, SeesACorrelationThatNamesTwoLaunches) {
    TraceRig rig = two_steps();
    rig.recording.launches.push_back(rig.recording.launches.front());
    EXPECT_THAT(
        rig.join().evidence.failure, HasSubstr("correlation 20 names more than one launch")
    );
}

TEST(Census, SaysEverythingThatIsWrong) {
    TraceRig rig = two_steps();
    rig.recording.dropped = 1;
    rig.records.pop_back();
    const Joined joined = rig.join();
    EXPECT_EQ(joined.conditions.size(), 2U);
    EXPECT_THAT(
        joined.evidence.failure, HasSubstr("1 records were lost and 7 kept; 1 of 2 replays")
    );
}

} // namespace

} // namespace kvprof::activity::test
