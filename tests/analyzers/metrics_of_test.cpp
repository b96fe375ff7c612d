#include "analyzers/metrics_of.h"

#include "tests/analyzers/series_values.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace kvprof::analyzers {
namespace {

using test::step_run;
using test::values_of;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(MetricsOf, DividesASampleByItsReplays) {
    const kvprof::Run run = step_run(IndexMode::stream, {3, 5});
    EXPECT_THAT(values_of(run, "step.gpu_time"), ElementsAre(3000.0, 5000.0));
    EXPECT_THAT(values_of(run, "step.wall_time"), ElementsAre(4000.0, 6000.0));
}

TEST(MetricsOf, KeepsFractionsOfANanosecond) {
    kvprof::Run run = step_run(IndexMode::stream, {1});
    run.samples[0].gpu_time = std::chrono::nanoseconds(25);
    EXPECT_THAT(values_of(run, "step.gpu_time"), ElementsAre(2.5));
}

TEST(MetricsOf, DividesByTheLaunchesOfAnOpMeasuredAlone) {
    kvprof::Run run = step_run(IndexMode::stream, {20});
    run.measure.op = "token-stream";
    run.measure.op_launches = 4;
    EXPECT_THAT(values_of(run, "op.gpu_time"), ElementsAre(5000.0));
    EXPECT_THAT(values_of(run, "step.gpu_time"), IsEmpty());
}

TEST(MetricsOf, LeavesOutDiscardedSamples) {
    kvprof::Run run = step_run(IndexMode::stream, {3, 90, 5});
    run.samples[1].discarded = "interrupted";
    EXPECT_THAT(values_of(run, "step.gpu_time"), ElementsAre(3000.0, 5000.0));
}

TEST(MetricsOf, LeavesOutSamplesWithoutReplays) {
    kvprof::Run run = step_run(IndexMode::stream, {3});
    run.samples[0].replays = 0;
    EXPECT_THAT(values_of(run, "step.gpu_time"), IsEmpty());
}

TEST(MetricsOf, AddsUpLaunchesAndCopies) {
    kvprof::Run run = step_run(IndexMode::stream, {3});
    run.ops = {
        {OpKind::alloc_bind, Stage::scheduler, Placement::out, 5, 2},
        {OpKind::token_stream, Stage::metadata, Placement::in, 3, 1},
        {OpKind::token_stream, Stage::metadata, Placement::in, 4, 0}};
    EXPECT_THAT(values_of(run, "step.launches"), ElementsAre(12.0));
    EXPECT_THAT(values_of(run, "step.launches_out"), ElementsAre(5.0));
    EXPECT_THAT(values_of(run, "step.copies"), ElementsAre(3.0));
    EXPECT_THAT(values_of(run, "op.token-stream.launches"), ElementsAre(7.0));
    EXPECT_THAT(values_of(run, "graph.nodes"), ElementsAre(1.0));
}

TEST(MetricsOf, KeepsTheLedgerApartFromTheDevice) {
    kvprof::Run run = step_run(IndexMode::stream, {3});
    run.memory = {
        {"table", MemorySource::ledger, "graph", Bytes{100}},
        {"stream", MemorySource::ledger, "graph", Bytes{20}},
        {"table", MemorySource::device_free, "device", Bytes{7}}};
    EXPECT_THAT(values_of(run, "ledger.graph.bytes"), ElementsAre(120.0));
    EXPECT_THAT(values_of(run, "ledger.table.bytes"), ElementsAre(100.0));
    EXPECT_THAT(values_of(run, "device_free.table.bytes"), ElementsAre(7.0));
}

TEST(MetricsOf, FollowsTheCatalogue) {
    const std::vector<Series> list = metrics_of(step_run(IndexMode::rectangle, {3}));
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), [](const Series& a, const Series& b) {
        return a.metric < b.metric;
    }));
    EXPECT_EQ(list.front().id, "step.gpu_time");
}

TEST(MetricsOf, TakesNothingFromARunThatIsNotComplete) {
    kvprof::Run run = step_run(IndexMode::stream, {3});
    run.status.state = RunState::invalid;
    EXPECT_THAT(metrics_of(run), IsEmpty());
}

/// 1 us, 2 us, ... of one replay each.
kvprof::Run single_replays(std::int64_t count) {
    kvprof::Run run = step_run(IndexMode::stream, {});
    for (std::int64_t i = 1; i <= count; ++i) {
        run.samples.push_back(
            {.ordinal = i,
             .replays = 1,
             .gpu_time = std::chrono::microseconds(i),
             .wall_time = {},
             .discarded = std::nullopt}
        );
    }
    return run;
}

TEST(TailOfSteps, IsTheNinetyNinthPercentileOfAThousandSingleReplays) {
    EXPECT_THAT(values_of(single_replays(1000), "step.gpu_time_p99"), ElementsAre(990e3));
    EXPECT_THAT(values_of(single_replays(1001), "step.gpu_time_p99"), ElementsAre(991e3));
}

TEST(TailOfSteps, NeedsAThousandThatWereKept) {
    EXPECT_THAT(values_of(single_replays(999), "step.gpu_time_p99"), IsEmpty());
    kvprof::Run run = single_replays(1000);
    run.samples[5].discarded = "interrupted";
    EXPECT_THAT(values_of(run, "step.gpu_time_p99"), IsEmpty());
}

TEST(TailOfSteps, HasNoneInBatchesOfReplaysAndOfAnOpAlone) {
    kvprof::Run batch = single_replays(1000);
    batch.samples[5].replays = 2;
    EXPECT_THAT(values_of(batch, "step.gpu_time_p99"), IsEmpty());
    kvprof::Run op = single_replays(1000);
    op.measure.op = "repack";
    EXPECT_THAT(values_of(op, "step.gpu_time_p99"), IsEmpty());
}

} // namespace
} // namespace kvprof::analyzers
