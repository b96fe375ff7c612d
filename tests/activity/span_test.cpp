#include "tests/activity/trace_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::activity::test {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Three replays at graph level, of 100, 110 and 120 ns, listed backwards.
TraceRig three_spans() {
    TraceRig rig;
    rig.how = {.pass = Pass::graph, .steps = 3, .steps_per_batch = 3};
    for (std::uint32_t step = 0; step < 3; ++step) {
        rig.replay(10 + step, step);
        const std::uint64_t start = 1000 + 200 * step;
        rig.recording.spans.insert(
            rig.recording.spans.begin(), Span{start, start + 100 + 10 * step, 10 + step}
        );
    }
    return rig;
}

TEST(GraphSpans, AreThoseOfTheReplaysInTheOrderOfTheSteps) {
    const Joined joined = three_spans().join();
    EXPECT_EQ(joined.evidence.failure, "");
    EXPECT_THAT(joined.graph_spans, ElementsAre(100ns, 110ns, 120ns));
    EXPECT_EQ(joined.evidence.records, 3);
    EXPECT_THAT(joined.steps, IsEmpty());
    EXPECT_THAT(joined.recorded, ElementsAre(std::nullopt));
}

TEST(GraphSpans, LeaveOutReplaysOutsideTheSteps) {
    TraceRig rig = three_spans();
    rig.replay(50, -1);
    rig.recording.spans.push_back({1, 2, 50});
    EXPECT_THAT(rig.join().graph_spans, testing::SizeIs(3));
}

TEST(GraphSpans, AreMissedWhenAReplayHasNone) {
    TraceRig rig = three_spans();
    rig.recording.spans.pop_back();
    const Joined joined = rig.join();
    EXPECT_THAT(
        joined.evidence.failure, HasSubstr("1 of 3 replays do not have one span: 0 in step 0")
    );
    EXPECT_THAT(joined.graph_spans, IsEmpty());
}

TEST(GraphSpans, AreRefusedWhenAReplayHasTwo) {
    TraceRig rig = three_spans();
    rig.recording.spans.push_back(rig.recording.spans.front());
    EXPECT_THAT(rig.join().evidence.failure, HasSubstr("2 in step 2"));
}

TEST(GraphSpans, WithoutTimesOrLaunchAreRefused) {
    TraceRig rig = three_spans();
    rig.recording.spans[0].start = 0;
    EXPECT_EQ(rig.join().evidence.untimed, 1);
    EXPECT_EQ(rig.join().conditions[0].kind, ConditionKind::untimed_records);
    rig = three_spans();
    rig.recording.spans.push_back({1, 2, 999});
    EXPECT_EQ(rig.join().evidence.orphans, 1);
    EXPECT_EQ(rig.join().conditions[0].kind, ConditionKind::census_mismatch);
    EXPECT_THAT(rig.join().graph_spans, IsEmpty());
}

TEST(GraphSpans, OfATraceThatHasNoneAreMissedAndNotNodes) {
    TraceRig rig = three_spans();
    rig.recording.spans.clear();
    const Joined joined = rig.join();
    EXPECT_THAT(
        joined.evidence.failure, HasSubstr("3 of 3 replays do not have one span: 0 in step 0")
    );
    EXPECT_THAT(joined.evidence.failure, Not(HasSubstr("nodes")));
    EXPECT_THAT(joined.graph_spans, IsEmpty());
}

TEST(GraphSpans, OfStepsWithoutReplaysAreRefused) {
    TraceRig rig;
    rig.how = {.pass = Pass::graph, .steps = 3};
    EXPECT_THAT(rig.join().evidence.failure, HasSubstr("no step replayed a graph"));
}

TEST(GraphSpans, KeepHowManyNodesWereCrossChecked) {
    TraceRig rig = three_spans();
    rig.recording.nodes_cross_checked = 4;
    EXPECT_EQ(rig.join().evidence.nodes_cross_checked, 4);
}

TEST(GraphSpans, AreNotReadOfANodesTrace) {
    TraceRig rig = three_spans();
    rig.how.pass = Pass::nodes;
    const Joined joined = rig.join();
    EXPECT_THAT(joined.graph_spans, IsEmpty());
    EXPECT_THAT(joined.evidence.failure, HasSubstr("nothing recorded"));
}

} // namespace

} // namespace kvprof::activity::test
