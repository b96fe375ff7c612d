#include "analyzers/compare.h"
#include "analyzers/metrics_of.h"
#include "analyzers/time_ledger.h"
#include "tests/analyzers/series_values.h"
#include "tests/analyzers/traced_run.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace kvprof::analyzers {
namespace {

using test::traced_like;
using test::values_of;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kSteps = 4;

/// Two launch calls and a synchronisation a step, five captured calls, and what is no step.
kvprof::Run counted_run() {
    kvprof::Run run = test::step_run(IndexMode::stream, {3});
    run.passes = {{.pass = Pass::counts, .steps = kSteps}};
    const auto call = [](const char* name, ApiKind kind, Role role, std::int64_t calls) {
        return ApiStat{.call = name, .kind = kind, .role = role, .calls = calls};
    };
    run.calls = {
        call("cudaLaunchKernel", ApiKind::kernel_launch, Role::op, kSteps),
        call("cudaGraphLaunch", ApiKind::graph_launch, Role::replay, kSteps),
        call("cudaStreamSynchronize", ApiKind::synchronize, Role::op, kSteps),
        call("cudaLaunchKernel", ApiKind::kernel_launch, Role::op, 5),
        call("cudaLaunchKernel", ApiKind::kernel_launch, Role::none, 100),
        call("cudaLaunchKernel", ApiKind::kernel_launch, Role::none, 7),
        call("cudaStreamSynchronize", ApiKind::synchronize, Role::between_steps, 100)};
    run.calls[3].is_captured = true;
    run.calls[5].is_captured = true;
    return run;
}

KernelStat kernel(OpKind op, std::int64_t blocks, std::optional<std::int64_t> with_work) {
    KernelStat stat{.op = op, .launches = kSteps, .blocks = blocks};
    stat.blocks_with_work = with_work;
    return stat;
}

KernelStat copy(CopyKind kind, std::int64_t copies) {
    return {.kind = ActivityKind::memory_copy, .copy = kind, .launches = copies};
}

kvprof::Run recorded_run() {
    kvprof::Run run = test::step_run(IndexMode::stream, {3});
    run.passes = {{.pass = Pass::nodes, .steps = kSteps}};
    run.kernels = {
        kernel(OpKind::token_stream, 400, 100),
        kernel(OpKind::token_stream, 400, 300),
        kernel(OpKind::token_stream, 40, std::nullopt),
        copy(CopyKind::host_to_device, 2 * kSteps),
        copy(CopyKind::device_to_device, kSteps)};
    return run;
}

TEST(TraceMetrics, CountOutermostCallsOfTheStep) {
    const kvprof::Run run = counted_run();
    EXPECT_THAT(values_of(run, "step.host_launch_calls"), ElementsAre(2.0));
    EXPECT_THAT(values_of(run, "step.sync_calls"), ElementsAre(1.0));
    EXPECT_THAT(values_of(run, "api.cudaLaunchKernel.calls"), ElementsAre(1.0));
}

TEST(TraceMetrics, CountCapturedCallsOnceAndApart) {
    EXPECT_THAT(values_of(counted_run(), "step.captured_launch_calls"), ElementsAre(5.0));
}

TEST(TraceMetrics, CountCapturedCallsOfOneOfSeveralGraphs) {
    kvprof::Run run = counted_run();
    run.passes[0].graphs = 5; // --l2 loop: each set of buffers has its own
    EXPECT_THAT(values_of(run, "step.captured_launch_calls"), ElementsAre(1.0));
}

TEST(TraceMetrics, CountWhatRanOnTheDevice) {
    const kvprof::Run run = recorded_run();
    EXPECT_THAT(values_of(run, "step.device_kernels"), ElementsAre(3.0));
    EXPECT_THAT(values_of(run, "step.memory_copies"), ElementsAre(3.0));
    EXPECT_THAT(values_of(run, "step.h2d_copies"), ElementsAre(2.0));
    EXPECT_THAT(values_of(run, "step.d2h_copies"), ElementsAre(0.0));
}

TEST(TraceMetrics, TakeTheLiveFractionOfKernelsThatHaveARule) {
    const kvprof::Run run = recorded_run();
    EXPECT_THAT(values_of(run, "op.token-stream.blocks"), ElementsAre(210.0));
    EXPECT_THAT(values_of(run, "op.token-stream.live_fraction"), ElementsAre(0.5));
}

TEST(TraceMetrics, GiveOneTracedTimeABatch) {
    const kvprof::Run run = traced_like({.batches = 2, .edges = {900, 1900}});
    EXPECT_THAT(values_of(run, "step.traced_time"), ElementsAre(8950.0, 9050.0));
    EXPECT_THAT(values_of(run, "step.profiler_overhead"), ElementsAre(1.125)); // 9,000 over 8,000
    EXPECT_THAT(values_of(run, "op.attention.time"), ElementsAre(5000.0, 5000.0));
    EXPECT_THAT(values_of(run, "step.gap_time"), ElementsAre(700.0, 700.0));
    EXPECT_THAT(values_of(run, "step.overlap_time"), ElementsAre(200.0, 200.0));
    EXPECT_THAT(values_of(run, "step.tail_time"), ElementsAre(400.0, 400.0));
    EXPECT_THAT(values_of(run, "step.gpu_time"), testing::Each(8000.0));
}

/// What the ledger says of tails, over all steps.
double ledger_tail(const kvprof::Run& run) {
    const TimeLedger ledger = *time_ledger(run);
    const auto line =
        std::find_if(ledger.parts.begin(), ledger.parts.end(), [](const TimeLine& part) {
            return part.part == TimePart::tail;
        });
    return line == ledger.parts.end() ? 0.0 : line->ns.value;
}

TEST(TraceMetrics, GiveTheTailThatTheLedgerShows) {
    const kvprof::Run run = traced_like({.batches = 3});
    EXPECT_DOUBLE_EQ(ledger_tail(run), 400.0);
    EXPECT_THAT(values_of(run, "step.tail_time"), testing::Each(400.0));
}

TEST(TraceMetrics, GiveNoTailOfABatchThatHasNone) {
    EXPECT_THAT(
        values_of(traced_like({.tail = std::nullopt}), "step.tail_time"), IsEmpty()
    ); // an L2 flush runs between the steps
    EXPECT_THAT(values_of(traced_like({.steps_per_batch = 1}), "step.tail_time"), IsEmpty());
    kvprof::Run run = traced_like({.batches = 2});
    run.passes[0].batches[1].steps = 1; // the last batch is not full
    run.step_records.resize(11);
    run.step_records[10].tail.reset();
    EXPECT_THAT(values_of(run, "step.tail_time"), ElementsAre(400.0));
    EXPECT_THAT(values_of(run, "step.gap_time"), ElementsAre(700.0, 700.0));
}

TEST(TraceMetrics, GiveAnOpOneTimeForBothItsPlacements) {
    kvprof::Run run = traced_like({.batches = 1, .steps_per_batch = 1});
    run.op_samples.push_back(
        {0, OpKind::attention, Placement::out, 1, std::chrono::nanoseconds(600)}
    );
    EXPECT_THAT(values_of(run, "op.attention.time"), ElementsAre(5600.0));
}

TEST(TraceMetrics, GiveNoTimesOfAStepWhenOneOpWasMeasuredAlone) {
    kvprof::Run run = traced_like({});
    run.measure.op = "attention";
    EXPECT_THAT(values_of(run, "step.traced_time"), IsEmpty());
    EXPECT_THAT(values_of(run, "op.attention.time"), IsEmpty());
}

TEST(TraceMetrics, DivideHostTimesByTheirSteps) {
    kvprof::Run run = test::step_run(IndexMode::stream, {3});
    using std::chrono::nanoseconds;
    run.host_times = HostTimes{4, nanoseconds(400), nanoseconds(1200), nanoseconds(40)};
    EXPECT_THAT(values_of(run, "step.host_before"), ElementsAre(100.0));
    EXPECT_THAT(values_of(run, "step.host_launch"), ElementsAre(300.0));
    EXPECT_THAT(values_of(run, "step.host_after"), ElementsAre(10.0));
}

TEST(TraceMetrics, GiveNoNumberForMemoryThatDidNotMove) {
    kvprof::Run run = test::step_run(IndexMode::stream, {3});
    run.passes = {{.pass = Pass::memory}};
    run.marks = {
        {MemoryMark::warmed, MemorySource::device_free, Bytes{0}},
        {MemoryMark::captured, MemorySource::device_free, Bytes{0}},
        {MemoryMark::uploaded, MemorySource::device_free, Bytes{2 << 20}},
        {MemoryMark::replayed, MemorySource::graph_reserved, Bytes{0}}};
    EXPECT_THAT(values_of(run, "graph_memory.captured.bytes"), IsEmpty());
    EXPECT_THAT(values_of(run, "graph_memory.uploaded.bytes"), ElementsAre(2 << 20));
    EXPECT_THAT(values_of(run, "graph_memory.graph-reserved.bytes"), ElementsAre(0.0));
}

TEST(TraceMetrics, TakeTheCostOfAnExecutableFromItsSlope) {
    kvprof::Run run = test::step_run(IndexMode::stream, {3});
    run.passes = {{.pass = Pass::memory}};
    run.executables = {{1, 9, Bytes{1000}}, {2, 9, Bytes{2000}}, {4, 9, Bytes{4000}}};
    EXPECT_THAT(values_of(run, "graph.exec.bytes"), ElementsAre(testing::DoubleNear(1000, 1e-6)));
}

TEST(TraceMetrics, TakeNothingFromAPassThatFailed) {
    for (kvprof::Run run : {counted_run(), recorded_run(), traced_like({})}) {
        run.passes[0].failure = "CUPTI is busy";
        for (const Series& series : metrics_of(run)) {
            EXPECT_EQ(series.metric->pass, Pass::timing) << series.id;
        }
    }
}

TEST(Compare, DoesNotTakeAMissingPassForZeroCalls) {
    kvprof::Run untraced = counted_run();
    untraced.passes.clear();
    untraced.calls.clear();
    // One repeat of a variant is traced, the others are not.
    const Comparison comparison =
        compare(side_of("a", {counted_run(), untraced}), side_of("b", {counted_run(), untraced}));
    const auto row =
        std::find_if(comparison.deltas.begin(), comparison.deltas.end(), [](const Delta& delta) {
            return delta.id == "step.host_launch_calls";
        });
    ASSERT_NE(row, comparison.deltas.end());
    EXPECT_THAT(row->base.values, ElementsAre(2.0));
    EXPECT_EQ(row->verdict, Verdict::same);
}

} // namespace
} // namespace kvprof::analyzers
