#include "analyzers/run_sections.h"

#include "analyzers/device_words.h"
#include "analyzers/limits.h"
#include "analyzers/pass_times.h"
#include "tests/analyzers/table_rows.h"
#include "tests/analyzers/traced_run.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::analyzers {
namespace {

using test::traced_like;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(ShortKernelName, LeavesOutNamespacesTypeAndParameters) {
    EXPECT_EQ(
        short_kernel_name("kvprof::page_table_kernel(kvprof::PageTable)"), "page_table_kernel"
    );
    EXPECT_EQ(
        short_kernel_name("void kvprof::(anonymous namespace)::copy<int, kvprof::Row>(int*)"),
        "copy<int, Row>"
    );
    EXPECT_EQ(short_kernel_name("void f<(int)4, (bool)1>(float const*)"), "f<(int)4, (bool)1>");
}

TEST(ShortKernelName, KeepsWhatItCanNotRead) {
    EXPECT_EQ(short_kernel_name("_Z6kernelPi"), "_Z6kernelPi");
    EXPECT_EQ(short_kernel_name("(odd)"), "(odd)");
    EXPECT_EQ(short_kernel_name(""), "");
}

TEST(ClockEventWords, NamesEachBit) {
    EXPECT_EQ(clock_event_words(0), "none");
    EXPECT_EQ(clock_event_words(0x4 | 0x80), "SW power cap, HW power brake");
    EXPECT_EQ(clock_event_words(0x1 | 0x1000), "GPU idle, 0x1000");
}

TEST(PassTimes, GiveTheOverheadOfEveryTracedPass) {
    kvprof::Run run = traced_like({});
    PassResult counts = run.passes[0];
    counts.pass = Pass::counts;
    for (TracedBatch& batch : counts.batches) {
        batch.gpu_time = std::chrono::nanoseconds(84'000); // of 10 steps
    }
    PassResult graph = counts;
    graph.pass = Pass::graph;
    graph.failure = "CUPTI is busy";
    run.passes.insert(run.passes.begin(), {counts, graph});
    const std::vector<PassTime> times = pass_times(run);
    ASSERT_EQ(times.size(), 2U);
    EXPECT_EQ(times[0].pass, Pass::counts);
    EXPECT_DOUBLE_EQ(*times[0].overhead, 1.05);
    EXPECT_EQ(times[1].pass, Pass::nodes);
    EXPECT_DOUBLE_EQ(*times[1].overhead, 1.11875);
}

TEST(ConditionsSection, SaysWhatFollowsFromEach) {
    kvprof::Run run;
    run.conditions = {
        {ConditionKind::hw_slowdown, "in 1 of 9 readings"},
        {ConditionKind::power_capped, "in 2 of 9 readings"}};
    EXPECT_THAT(
        conditions_section(run).lines,
        ElementsAre(
            "hw-slowdown: void: times of this run are not compared: in 1 of 9 readings",
            "power-capped: kept, tagged: in 2 of 9 readings"
        )
    );
}

TEST(OpsSection, ShowsTimesAsTracedAndTheirShareOfTheTracedStep) {
    const std::vector<std::string> rows = test::table_rows(*ops_section(traced_like({})).table);
    EXPECT_THAT(
        rows, Contains(HasSubstr("33.5 %"))
    ); // 3,000 of 8,950 ns, whatever the untraced step is
}

TEST(CoverageSection, PutsTheGraphsNodesBesideItsRecords) {
    EXPECT_THAT(
        coverage_section(test::traced_run()).lines,
        Contains("graph: 1 kernel nodes captured, 1 kernel records of it a replay")
    );
}

TEST(CoverageSection, SaysWhatEachPassAttributed) {
    kvprof::Run run = test::traced_run();
    run.passes[1].failure.clear();
    run.passes[1].untimed = 0;
    EXPECT_THAT(
        coverage_section(run).lines,
        ElementsAre(
            "graph: 2 spans of 2 replays; orphans 0, dropped 0, untimed 0",
            "nodes: 6 records of 2 steps; attributed by node id 33.3 %, by launch 66.7 %; of no op "
            "0; orphans 0, dropped 0, untimed 0; 1 node ids cross-checked",
            "graph: 1 kernel nodes captured, 1 kernel records of it a replay"
        )
    );
}

TEST(CallsSection, ShowsCapturedCallsOfOneGraph) {
    kvprof::Run run = test::traced_run();
    run.calls = {run.calls[3]};
    run.calls[0].calls = 6;
    run.passes[0].graphs = 3;
    EXPECT_THAT(
        test::table_rows(*calls_section(run).table), Contains(HasSubstr("page-table | - | 2"))
    );
}

TEST(MemorySection, ShowsTheFormulasTermBesideABuffer) {
    kvprof::Run run;
    run.memory = {
        {"table", MemorySource::ledger, "graph", Bytes{1 << 20}},
        {"table", MemorySource::model, "added", Bytes{1 << 20}},
        {"logits", MemorySource::model, "always", Bytes{4096}},
        {"step", MemorySource::device_free, "device", Bytes{0}}};
    const Section section = memory_section(run);
    EXPECT_THAT(
        test::table_rows(*section.table),
        ElementsAre(
            "table | graph | 1.0 MiB | 1.0 MiB (added)", "logits | - | - | 4.0 KiB (always)"
        )
    );
    EXPECT_THAT(section.lines, ElementsAre("device-free step: did not move, which proves nothing"));
}

TEST(GraphMemorySection, NeverCallsAnUnmovedReadingNoMemory) {
    kvprof::Run run;
    run.passes = {{.pass = Pass::memory}};
    run.marks = {
        {MemoryMark::warmed, MemorySource::device_free, Bytes{0}},
        {MemoryMark::buffers, MemorySource::device_free, Bytes{2 << 20}},
        {MemoryMark::captured, MemorySource::device_free, Bytes{2 << 20}}};
    const Section section = graph_memory_section(run);
    EXPECT_THAT(test::table_rows(*section.table), Contains(HasSubstr("captured | 2.0 MiB (?)")));
    EXPECT_THAT(section.lines, Contains(HasSubstr("unresolved, the slack is unknown")));
}

TEST(Limits, NameEachPassThatDidNotRun) {
    const std::vector<std::string> limits = limits_of({test::step_run(IndexMode::stream, {3})});
    EXPECT_THAT(limits, Contains("the time of each op: the step was timed as a whole"));
    EXPECT_THAT(limits, Contains(HasSubstr("the counts pass did not run")));
    EXPECT_THAT(limits, Contains(HasSubstr("the graph pass did not run")));
    EXPECT_THAT(limits, Contains(HasSubstr("the memory pass did not run")));
}

TEST(Limits, SayWhyAPassFailedInsteadOfThatItDidNotRun) {
    EXPECT_THAT(
        limits_of({test::traced_run()}),
        ElementsAre(HasSubstr("what the graph pass sees: could not use the recording: 2 of 2 "))
    );
}

TEST(Limits, CountARepeatThatAnotherOneWasTracedFor) {
    kvprof::Run untraced = test::traced_run();
    untraced.passes.clear();
    const auto is_op_time = HasSubstr("the time of each op");
    EXPECT_THAT(limits_of({test::traced_run(), untraced}), Not(Contains(is_op_time)));
    untraced.step.batch = 8;
    EXPECT_THAT(
        limits_of({test::traced_run(), untraced}),
        Contains("the time of each op: the step was timed as a whole (in 1 of 2 runs)")
    );
}

} // namespace
} // namespace kvprof::analyzers
