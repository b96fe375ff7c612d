#include "analyzers/time_ledger.h"

#include "tests/analyzers/traced_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace kvprof::analyzers {
namespace {

using test::traced_like;
using test::TracedShape;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

double part_of(const TimeLedger& ledger, TimePart part) {
    double sum = 0.0;
    for (const TimeLine& line : ledger.parts) {
        sum += line.part == part ? line.ns.value : 0.0;
    }
    return sum;
}

double time_of(const TimeLedger& ledger, OpKind op) {
    double sum = 0.0;
    for (const TimeLine& line : ledger.parts) {
        sum += line.op == op ? line.ns.value : 0.0;
    }
    return sum;
}

TEST(TimeLedger, SplitsAStepIntoPartsThatAddUp) {
    const TimeLedger ledger = *time_ledger(traced_like({}));
    EXPECT_DOUBLE_EQ(time_of(ledger, OpKind::page_table), 3000.0);
    EXPECT_DOUBLE_EQ(time_of(ledger, OpKind::attention), 5000.0);
    EXPECT_DOUBLE_EQ(part_of(ledger, TimePart::overlap), -200.0);
    EXPECT_DOUBLE_EQ(part_of(ledger, TimePart::gap), 700.0);
    EXPECT_DOUBLE_EQ(part_of(ledger, TimePart::tail), 400.0);        // the last one's by the others
    EXPECT_NEAR(part_of(ledger, TimePart::unexplained), 50.0, 1e-9); // 900 ns a batch, less a tail
    EXPECT_DOUBLE_EQ(ledger.traced.value, 8950.0);
    double sum = 0.0;
    for (const TimeLine& line : ledger.parts) {
        sum += line.ns.value;
    }
    EXPECT_DOUBLE_EQ(sum, ledger.traced.value);
    EXPECT_EQ(ledger.steps, 60);
    EXPECT_EQ(ledger.batches, 6);
    EXPECT_NEAR(ledger.unexplained_per_batch, 500.0, 1e-9);
}

TEST(TimeLedger, AttributesADelayToItsOp) {
    constexpr double kDelay = 50'000.0;
    TracedShape slow;
    slow.ops[0].ns += static_cast<std::int64_t>(kDelay);
    slow.untraced += static_cast<std::int64_t>(kDelay);
    const TimeLedger before = *time_ledger(traced_like({}));
    const TimeLedger after = *time_ledger(traced_like(slow));
    EXPECT_THAT(
        time_of(after, OpKind::page_table) - time_of(before, OpKind::page_table),
        DoubleNear(kDelay, 0.05 * kDelay)
    );
    EXPECT_DOUBLE_EQ(time_of(after, OpKind::attention), time_of(before, OpKind::attention));
    EXPECT_DOUBLE_EQ(part_of(after, TimePart::gap), part_of(before, TimePart::gap));
    EXPECT_LE(std::abs(after.unexplained().ns.value), after.unexplained_limit + 1e-6);
    EXPECT_NEAR(after.traced.value - before.traced.value, kDelay, 1e-6);
}

TEST(TimeLedger, ShowsADelayOutsideTheRecordsAsUnexplained) {
    TracedShape shape;
    shape.edges = {51'400}; // a tail, and 5.1 us a step that no record has
    const TimeLedger ledger = *time_ledger(traced_like(shape));
    EXPECT_NEAR(ledger.unexplained().ns.value, 5100.0, 1e-6);
    EXPECT_TRUE(ledger.is_finding());
    EXPECT_THAT(
        ledger.warnings, ElementsAre(HasSubstr("are not to be quoted"), HasSubstr("unexplained"))
    );
}

TEST(TimeLedger, LeavesOpenWhatTwoEventsABatchCanNotResolve) {
    TracedShape shape;
    shape.edges = {1799}; // the way out and the way in, 400 each, and what two events leave open
    const TimeLedger ledger = *time_ledger(traced_like(shape));
    EXPECT_NEAR(ledger.unexplained_limit, 140.0, 1e-9); // 2 x 500 ns and a tail, over 10 steps
    EXPECT_FALSE(ledger.is_finding());
    shape.edges = {1801};
    EXPECT_TRUE(time_ledger(traced_like(shape))->is_finding());
}

TEST(TimeLedger, LeavesOpenWhatBatchesDisagreeBy) {
    TracedShape shape;
    shape.edges = {0, 4000, 0, 4000, 0, 4000}; // 0 or 400 ns a step, mean 200
    const TimeLedger ledger = *time_ledger(traced_like(shape));
    // 200 ns from the mean each: 200 / sqrt(5) x t(5) = 2.5706, 100 ns of the clock, 40 of a tail
    EXPECT_NEAR(ledger.unexplained_limit, 140.0 + 229.92, 0.01);
    EXPECT_FALSE(ledger.is_finding());
}

TEST(TimeLedger, AllowsEachStepItsTwoEventsWhenStepsAreTimedApart) {
    TracedShape shape;
    shape.tail = std::nullopt;
    EXPECT_DOUBLE_EQ(time_ledger(traced_like(shape))->unexplained_limit, 1000.0);
}

bool has_tail(const TimeLedger& ledger) {
    return std::any_of(ledger.parts.begin(), ledger.parts.end(), [](const TimeLine& line) {
        return line.part == TimePart::tail;
    });
}

TEST(TimeLedger, HasNoTailWhereNoStepHasOne) {
    EXPECT_TRUE(has_tail(*time_ledger(traced_like({}))));
    EXPECT_FALSE(has_tail(*time_ledger(traced_like({.tail = std::nullopt}))));
    EXPECT_FALSE(has_tail(*time_ledger(traced_like({.steps_per_batch = 1}))));
}

TEST(TimeLedger, TakesAnOpThatRunsInSomeStepsAsItsMean) {
    kvprof::Run run = traced_like({});
    run.op_samples.push_back(
        {7, OpKind::zero_pages, Placement::out, 1, std::chrono::nanoseconds(600)}
    );
    EXPECT_DOUBLE_EQ(time_of(*time_ledger(run), OpKind::zero_pages), 10.0); // of 60 steps
}

TEST(TimeLedger, BoundsNoTimeBelowZero) {
    kvprof::Run run = traced_like({});
    run.op_samples.front().time *= 10'000; // one step of one batch waited
    const TimeLedger ledger = *time_ledger(run);
    for (const TimeLine& line : ledger.parts) {
        if (line.part == TimePart::op && line.ns.interval) {
            EXPECT_GE(line.ns.interval->low, 0.0);
        }
    }
}

TEST(TimeLedger, LeadsBackToTheUntracedStep) {
    const TimeLedger ledger = *time_ledger(traced_like({}));
    EXPECT_DOUBLE_EQ(ledger.untraced->value, 8000.0);
    EXPECT_DOUBLE_EQ(*ledger.tracing_cost(), 950.0);
    EXPECT_DOUBLE_EQ(ledger.records, 2.0);
    EXPECT_DOUBLE_EQ(*ledger.overhead(), 1.11875);
    EXPECT_FALSE(ledger.has_long_gaps);
    EXPECT_THAT(ledger.warnings, IsEmpty());
}

TEST(TimeLedger, DoesNotScaleDurations) {
    TracedShape shape;
    shape.untraced = 4000;
    EXPECT_DOUBLE_EQ(time_of(*time_ledger(traced_like(shape)), OpKind::attention), 5000.0);
}

TEST(TimeLedger, RefusesGapSizesOfAStepThatTracingMakesMuchLonger) {
    TracedShape shape;
    shape.untraced = 6800; // x1.316
    const TimeLedger ledger = *time_ledger(traced_like(shape));
    EXPECT_TRUE(ledger.has_long_gaps);
    EXPECT_THAT(ledger.warnings, ElementsAre(HasSubstr("1.32 times as long (over 1.3)")));
    shape.untraced = 6900; // x1.297
    EXPECT_FALSE(time_ledger(traced_like(shape))->has_long_gaps);
}

TEST(TimeLedger, DoubtsDurationsThatExceedTheirSpanOnOneStream) {
    TracedShape shape;
    shape.overlap = 900; // 8000 ns of records within 7800 ns
    kvprof::Run run = traced_like(shape);
    EXPECT_THAT(
        time_ledger(run)->warnings, ElementsAre(HasSubstr("in 60 of 60 steps durations add up"))
    );
    run.events = {{.stream = 7}, {.stream = 8}};
    EXPECT_THAT(time_ledger(run)->warnings, IsEmpty());
}

TEST(TimeLedger, SaysWhenTimedStepsHaveNoRecord) {
    kvprof::Run run = traced_like({});
    run.step_records.pop_back();
    EXPECT_THAT(
        time_ledger(run)->warnings, testing::Contains(HasSubstr("60 steps were timed and 59"))
    );
}

TEST(TimeLedger, NeedsANodesPassThatCounts) {
    kvprof::Run run = traced_like({});
    run.passes[0].failure = "records were lost";
    EXPECT_FALSE(time_ledger(run));
    run = traced_like({});
    run.passes.clear();
    EXPECT_FALSE(time_ledger(run));
    run = traced_like({});
    run.step_records.clear();
    EXPECT_FALSE(time_ledger(run));
    run = traced_like({});
    run.status.state = RunState::invalid;
    EXPECT_FALSE(time_ledger(run));
}

TEST(TimeLedger, GivesNoTracingCostWithoutATimingPass) {
    kvprof::Run run = traced_like({});
    run.samples.clear();
    const TimeLedger ledger = *time_ledger(run);
    EXPECT_FALSE(ledger.tracing_cost());
    EXPECT_FALSE(ledger.overhead());
}

TEST(TimeLedger, TakesIntervalsOverBatchesWhenThereAreFive) {
    kvprof::Run run = traced_like({.batches = 5, .steps_per_batch = 2});
    // Each batch one step of +100 and one of -100 ns: batches agree, steps do not.
    for (std::size_t i = 0; i < run.op_samples.size(); ++i) {
        const std::int64_t sign = run.op_samples[i].step % 2 == 0 ? 1 : -1;
        run.op_samples[i].time += std::chrono::nanoseconds(sign * 100);
    }
    EXPECT_DOUBLE_EQ(margin_of(time_ledger(run)->parts[0].ns), 0.0);
    run.passes[0].batches.pop_back();
    EXPECT_GT(margin_of(time_ledger(run)->parts[0].ns), 50.0);
}

} // namespace
} // namespace kvprof::analyzers
