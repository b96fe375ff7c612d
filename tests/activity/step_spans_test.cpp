#include "capture/activity/step_spans.h"

#include "tests/activity/trace_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::activity::test {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(StepSpans, AddUpToSpanGapsAndTail) {
    const Joined joined = two_steps().join();
    EXPECT_THAT(
        joined.steps,
        ElementsAre(
            StepRecord{
                .step = 0,
                .batch = 0,
                .records = 4,
                .span = 400ns,
                .busy_sum = 370ns,
                .busy_union = 370ns,
                .tail = 40ns},
            StepRecord{
                .step = 1,
                .batch = 0,
                .records = 4,
                .span = 400ns,
                .busy_sum = 370ns,
                .busy_union = 370ns}
        )
    );
    EXPECT_THAT(joined.recorded, ElementsAre(840ns));
}

TEST(StepSpans, OverlappingStreamsCountOnceInTheUnion) {
    const std::vector<StepItem> items{{.start = 1000, .end = 1100}, {.start = 1006, .end = 1106}};
    const StepSpan times = step_span(items);
    EXPECT_EQ(times.busy_sum, 200ns);
    EXPECT_EQ(times.busy_union, 106ns);
    EXPECT_EQ(times.end - times.start, 106U);
}

TEST(StepSpans, ARecordInsideAnotherAddsNothingToTheUnion) {
    const std::vector<StepItem> items{
        {.start = 1000, .end = 1100}, {.start = 1010, .end = 1020}, {.start = 1150, .end = 1160}};
    const StepSpan times = step_span(items);
    EXPECT_EQ(times.busy_sum, 120ns);
    EXPECT_EQ(times.busy_union, 110ns);
    EXPECT_EQ(times.end, 1160U);
}

/// Steps of 10 ns each, 100 ns from start to start.
std::vector<StepSpan> even_steps(std::size_t count) {
    std::vector<StepSpan> steps;
    for (std::size_t step = 0; step < count; ++step) {
        steps.push_back({.start = 1000 + 100 * step, .end = 1010 + 100 * step, .records = 1});
    }
    return steps;
}

TEST(StepSpans, TheLastStepOfABatchHasNoTail) {
    const std::vector<StepSpan> steps = even_steps(5);
    const std::vector<StepRecord> records = step_records(steps, {.steps = 5, .steps_per_batch = 2});
    EXPECT_EQ(records[0].tail, 90ns);
    EXPECT_EQ(records[1].tail, std::nullopt);
    EXPECT_EQ(records[2].tail, 90ns);
    EXPECT_EQ(records[3].tail, std::nullopt);
    EXPECT_EQ(records[4].tail, std::nullopt);
    EXPECT_EQ(records[1].batch, 0);
    EXPECT_EQ(records[4].batch, 2);
}

TEST(StepSpans, ATailIsNegativeWhenTheNextStepBeginsEarly) {
    std::vector<StepSpan> steps = even_steps(2);
    steps[1].start = 1004;
    EXPECT_EQ(step_records(steps, {.steps = 2, .steps_per_batch = 2})[0].tail, -6ns);
}

TEST(StepSpans, ABatchLastsFromItsFirstStartToItsLastEnd) {
    const std::vector<StepSpan> steps = even_steps(5);
    EXPECT_THAT(
        recorded_of_batches(steps, {.steps = 5, .steps_per_batch = 2}),
        ElementsAre(110ns, 110ns, 10ns)
    );
}

TEST(StepSpans, ALongEarlierStepEndsItsBatch) {
    std::vector<StepSpan> steps = even_steps(2);
    steps[0].end = 1500;
    EXPECT_THAT(recorded_of_batches(steps, {.steps = 2, .steps_per_batch = 2}), ElementsAre(500ns));
}

TEST(StepSpans, StepsApartAddTheirSpansAndHaveNoTails) {
    const std::vector<StepSpan> steps = even_steps(3);
    const StepsRun how{.steps = 3, .steps_per_batch = 2, .is_apart = true};
    EXPECT_THAT(recorded_of_batches(steps, how), ElementsAre(20ns, 10ns));
    EXPECT_EQ(step_records(steps, how)[0].tail, std::nullopt);
}

TEST(KeptEvents, AreOfTheFirstTheLastAndTheLongestStep) {
    std::vector<StepSpan> steps = even_steps(10);
    steps[6].end += 1;
    EXPECT_THAT(steps_to_keep(steps, 0), IsEmpty());
    EXPECT_THAT(steps_to_keep(steps, 1), ElementsAre(0));
    EXPECT_THAT(steps_to_keep(steps, 2), ElementsAre(0, 9));
    EXPECT_THAT(steps_to_keep(steps, 3), ElementsAre(0, 6, 9));
}

TEST(KeptEvents, OfMoreStepsAreSpreadEvenly) {
    const std::vector<StepSpan> steps = even_steps(10); // the first is the longest
    EXPECT_THAT(steps_to_keep(steps, 4), ElementsAre(0, 3, 7, 9));
    EXPECT_THAT(steps_to_keep(steps, 10), testing::SizeIs(10));
    EXPECT_THAT(steps_to_keep(steps, 50), testing::SizeIs(10));
}

TEST(KeptEvents, StartWithTheFirstKeptRecordAndNameTheirKernel) {
    TraceRig rig = two_steps();
    rig.how.keep_events = 2;
    rig.records[1].stream = 13;
    const Joined joined = rig.join();
    ASSERT_EQ(joined.events.size(), 8U);
    EXPECT_EQ(
        joined.events[1],
        (KernelEvent{
            .step = 0,
            .kernel = 1,
            .stream = 13,
            .node = node_id(7, 0),
            .start = 110ns,
            .duration = 50ns})
    );
    EXPECT_EQ(
        joined.events[7],
        (KernelEvent{
            .step = 1, .kernel = 3, .node = node_id(7, 2), .start = 640ns, .duration = 200ns})
    );
    EXPECT_EQ(joined.kernels[3].name, "attention");
}

TEST(KeptEvents, OfOneStepAreThatStepsAlone) {
    TraceRig rig = two_steps();
    rig.how.keep_events = 1;
    EXPECT_EQ(rig.join().events.size(), 4U);
    rig.how.keep_events = 0;
    EXPECT_THAT(rig.join().events, IsEmpty());
}

} // namespace

} // namespace kvprof::activity::test
