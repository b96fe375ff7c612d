#include "tests/activity/trace_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

namespace kvprof::activity::test {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Join, FindsNodesByTheirIdAndEagerKernelsByTheirLaunch) {
    const Joined joined = two_steps().join();
    EXPECT_EQ(joined.evidence.failure, "");
    EXPECT_THAT(joined.conditions, IsEmpty());
    EXPECT_EQ(joined.evidence.records, 8);
    EXPECT_EQ(joined.evidence.by_node, 6);
    EXPECT_EQ(joined.evidence.by_launch, 2);
    EXPECT_EQ(joined.evidence.steps, 2);
    ASSERT_EQ(joined.kernels.size(), 4U);
    EXPECT_EQ(joined.kernels[0].op, OpKind::page_table);
    EXPECT_EQ(joined.kernels[0].placement, Placement::out);
    EXPECT_EQ(joined.kernels[1].op, OpKind::write_loc);
    EXPECT_EQ(joined.kernels[2].op, OpKind::append);
    EXPECT_EQ(joined.kernels[2].copy, CopyKind::device_to_device);
    EXPECT_EQ(joined.kernels[3].op, OpKind::attention);
    EXPECT_EQ(joined.kernels[3].placement, Placement::in);
}

TEST(Join, SumsTheTimeOfEachOpInEachStep) {
    EXPECT_THAT(
        two_steps().join().op_samples,
        ElementsAre(
            OpSample{0, OpKind::page_table, Placement::out, 1, 100ns},
            OpSample{0, OpKind::write_loc, Placement::in, 1, 50ns},
            OpSample{0, OpKind::append, Placement::in, 1, 20ns},
            OpSample{0, OpKind::attention, Placement::in, 1, 200ns},
            OpSample{1, OpKind::page_table, Placement::out, 1, 100ns},
            OpSample{1, OpKind::write_loc, Placement::in, 1, 50ns},
            OpSample{1, OpKind::append, Placement::in, 1, 20ns},
            OpSample{1, OpKind::attention, Placement::in, 1, 200ns}
        )
    );
}

void expect_same(const Joined& left, const Joined& right) {
    EXPECT_EQ(left.kernels, right.kernels);
    EXPECT_EQ(left.op_samples, right.op_samples);
    EXPECT_EQ(left.steps, right.steps);
    EXPECT_EQ(left.events, right.events);
    EXPECT_EQ(left.evidence, right.evidence);
}

TEST(Join, TheOrderOfRecordsAndLaunchesDoesNotMatter) {
    TraceRig rig = two_steps();
    rig.how.keep_events = 2;
    const Joined expected = rig.join();
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        std::shuffle(rig.records.begin(), rig.records.end(), random);
        std::shuffle(rig.recording.launches.begin(), rig.recording.launches.end(), random);
        expect_same(rig.join(), expected);
    }
}

TEST(Join, NumbersStepsFromTheFirstRecordedOne) {
    TraceRig rig = two_steps();
    for (Launch& launch : rig.recording.launches) {
        launch.step += 40;
    }
    rig.how.first_step = 40;
    expect_same(rig.join(), two_steps().join());
}

TEST(Join, LeavesOutStepsThatWereNotToBeRecorded) {
    TraceRig rig = two_steps();
    rig.how = {.first_step = 1, .steps = 1};
    const Joined joined = rig.join();
    EXPECT_EQ(joined.evidence.failure, "");
    EXPECT_EQ(joined.evidence.records, 4);
    EXPECT_THAT(joined.op_samples, testing::SizeIs(4));
    EXPECT_EQ(joined.op_samples[0].step, 0);
}

TEST(Join, LeavesOutStepsBeforeTheFirstRecordedOne) {
    TraceRig rig = two_steps();
    for (Launch& launch : rig.recording.launches) {
        launch.step += 40;
    }
    rig.eager({.start = 1, .end = 2, .correlation = 9}, op_tag(OpKind::bind, Placement::out), 37);
    rig.how.first_step = 40;
    expect_same(rig.join(), two_steps().join());
}

TEST(Join, IgnoresWhatRestoresAStepOrSetsItUp) {
    TraceRig rig = two_steps();
    const std::uint32_t flush = rig.kernel("flush");
    rig.eager(
        {.start = 5, .end = 6, .correlation = 500, .shape = flush}, {.role = Role::between_steps}, 0
    );
    rig.eager({.start = 7, .end = 8, .correlation = 501, .shape = flush}, {}, 0);
    rig.eager(
        {.start = 9, .end = 9, .correlation = 502, .shape = flush},
        op_tag(OpKind::append, Placement::out),
        -1
    );
    expect_same(rig.join(), two_steps().join());
}

TEST(Join, IgnoresANodeThatRestoresWithinAReplayYetCountsIt) {
    TraceRig rig = two_steps();
    rig.recording.node_tags[0][1] = {.role = Role::between_steps};
    const Joined joined = rig.join();
    EXPECT_EQ(joined.evidence.failure, "");
    EXPECT_EQ(joined.evidence.records, 6);
    EXPECT_EQ(joined.kernels.size(), 3U);
}

// CUPTI gives all nodes of a replay the correlation of the graph launch, so only the node id tells
// them apart.
TEST(Join, NodesThatShareACorrelationKeepTheirOps) {
    const Joined joined = two_steps().join();
    EXPECT_EQ(joined.kernels[1].time, 100ns);
    EXPECT_EQ(joined.kernels[3].time, 400ns);
}

TEST(Join, CountsARecordOfNoLaunchAsAnOrphan) {
    TraceRig rig = two_steps();
    rig.records.push_back({.start = 1, .end = 2, .correlation = 999});
    const Joined joined = rig.join();
    EXPECT_EQ(joined.evidence.orphans, 1);
    EXPECT_EQ(joined.evidence.records, 8);
    EXPECT_EQ(
        joined.evidence.failure,
        "could not use the recording: 1 records of no known launch, the first of correlation 999 "
        "and node 0x0. Fewer steps: --trace-steps"
    );
}

TEST(Join, ANodeThatCarriesTheCorrelationOfAnEagerCallIsAnOrphan) {
    TraceRig rig = two_steps();
    rig.records[1].correlation = 20; // that of the page table
    EXPECT_EQ(rig.join().evidence.orphans, 1);
}

TEST(Join, ANodeWithoutTagIsUnattributed) {
    TraceRig rig = two_steps();
    rig.recording.node_tags[0][1] = {};
    const Joined joined = rig.join();
    EXPECT_EQ(joined.evidence.unattributed, 2);
    EXPECT_EQ(joined.evidence.records, 8);
    EXPECT_THAT(
        joined.evidence.failure, testing::HasSubstr("2 records of steps belong to no known op")
    );
    EXPECT_THAT(joined.evidence.failure, testing::HasSubstr("node 0x700000001"));
}

TEST(Join, ANodeBeyondTheExecutableIsUnattributed) {
    TraceRig rig = two_steps();
    rig.recording.node_tags[0].resize(2);
    EXPECT_EQ(rig.join().evidence.unattributed, 2);
}

TEST(Join, ARecordOfAReplayWithoutNodeIdIsUnattributed) {
    TraceRig rig = two_steps();
    rig.records[1].node = 0;
    EXPECT_EQ(rig.join().evidence.unattributed, 1);
}

TEST(Join, TheOpAroundAReplayIsNotThatOfItsRecords) {
    TraceRig rig = two_steps();
    rig.recording.launches[1].tag = op_tag(OpKind::prefill, Placement::in);
    EXPECT_EQ(rig.join().evidence.failure, "");
    rig.records[1].node = 0;
    EXPECT_EQ(rig.join().evidence.unattributed, 1);
}

TEST(Join, KeepsNoFigureOfARecordingThatHasFailed) {
    TraceRig rig = two_steps();
    rig.how.keep_events = 2;
    rig.recording.failure = "could not read the records: the tool shut down";
    const Joined joined = rig.join();
    EXPECT_EQ(joined.evidence.failure, rig.recording.failure);
    EXPECT_EQ(joined.evidence.records, 8);
    EXPECT_THAT(joined.kernels, IsEmpty());
    EXPECT_THAT(joined.op_samples, IsEmpty());
    EXPECT_THAT(joined.steps, IsEmpty());
    EXPECT_THAT(joined.events, IsEmpty());
    EXPECT_THAT(joined.recorded, ElementsAre(std::nullopt));
}

TEST(Join, PassesTheCrossCheckedNodesOn) {
    TraceRig rig = two_steps();
    rig.recording.nodes_cross_checked = 3;
    EXPECT_EQ(rig.join().evidence.nodes_cross_checked, 3);
}

} // namespace

} // namespace kvprof::activity::test
