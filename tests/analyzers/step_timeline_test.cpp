#include "analyzers/step_timeline.h"

#include "analyzers/json_timeline.h"
#include "analyzers/timeline_section.h"
#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kvprof::analyzers {
namespace {

using std::chrono::nanoseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// When and where a kernel of a step ran, in ns.
struct Ran {
    std::int64_t step = 0;
    std::int64_t start = 0;
    std::int64_t duration = 0;
    std::int64_t kernel = 0;
    std::int64_t stream = 7;
    std::int64_t rank = 0;
    std::int64_t device = 0;
};

/// Kernel 0 is "gemm", 1 "norm", 2 a copy.
kvprof::Run run_of(const std::vector<Ran>& all) {
    kvprof::Run run;
    run.uuid = "0123456789abcdef";
    for (const char* name : {"gemm", "norm", ""}) {
        run.kernels.emplace_back().name = name;
    }
    run.kernels[2].kind = ActivityKind::memory_copy;
    run.kernels[2].copy = CopyKind::host_to_device;
    for (const Ran& ran : all) {
        KernelEvent event;
        event.step = ran.step;
        event.start = nanoseconds(ran.start);
        event.duration = nanoseconds(ran.duration);
        event.kernel = ran.kernel;
        event.stream = ran.stream;
        event.rank = ran.rank;
        event.device = ran.device;
        run.events.push_back(event);
    }
    return run;
}

Ran on_stream(std::int64_t stream, Ran ran) {
    ran.stream = stream;
    return ran;
}

Ran of_rank(std::int64_t rank, Ran ran) {
    ran.rank = rank;
    return ran;
}

kvprof::Run with_ranks(kvprof::Run run, const std::vector<std::string>& files) {
    run.profile.emplace();
    for (const std::string& file : files) {
        ProfileRank& rank = run.profile->ranks.emplace_back();
        rank.rank = "TP" + std::to_string(run.profile->ranks.size() - 1);
        rank.file = file;
    }
    return run;
}

std::vector<std::string> lanes_of(const StepTimeline& timeline) {
    std::vector<std::string> names;
    for (const StepLane& lane : timeline.lanes) {
        names.push_back(lane.name + ": " + std::to_string(lane.bars.size()));
    }
    return names;
}

StepTimeline drawn(const kvprof::Run& run) {
    return step_timeline(run, "", std::nullopt);
}

std::string failure_of(const kvprof::Run& run, std::int64_t place) {
    try {
        std::ignore = step_timeline(run, "base: main", place);
    } catch (const UsageError& error) {
        return std::string(error.what()) + "; " + error.hint();
    }
    return "none";
}

TEST(StepTimeline, BeginsAtItsFirstRecordWhateverTheOrderOfTheRecords) {
    const auto timeline = drawn(run_of({{0, 530, 10, 1}, {0, 500, 20, 0}}));
    ASSERT_EQ(timeline.lanes.size(), 1U);
    EXPECT_EQ(timeline.lanes[0].bars[0].start, nanoseconds(0));
    EXPECT_EQ(timeline.lanes[0].bars[1].start, nanoseconds(30));
    EXPECT_THAT(timeline.names, ElementsAre("gemm", "norm"));
}

TEST(StepTimeline, MeasuresWallKernelTimeGapsAndKernels) {
    // gemm 0-20 and norm 10-30 overlap, nothing until the copy 50-60, norm 90-100
    const auto timeline =
        drawn(run_of({{0, 0, 20, 0}, on_stream(8, {0, 10, 20, 1}), {0, 50, 10, 2}, {0, 90, 10, 1}})
        );
    EXPECT_EQ(timeline.wall, nanoseconds(100));
    EXPECT_EQ(timeline.kernel_time, nanoseconds(50)) << "without the copy";
    EXPECT_EQ(timeline.gaps, nanoseconds(20 + 30));
    EXPECT_EQ(timeline.kernels, 3);
    EXPECT_THAT(lanes_of(timeline), ElementsAre("stream 7: 3", "stream 8: 1"));
    EXPECT_THAT(timeline.names, ElementsAre("gemm", "norm", "(copy host-to-device)"));
}

TEST(StepTimeline, HasALaneForEachStreamOfEachRankAndTheWallOfTheLongest) {
    const auto run = with_ranks(
        run_of(
            {{0, 0, 10},
             {0, 30, 10},
             of_rank(1, {0, 5, 10}),
             of_rank(1, on_stream(20, {0, 65, 10}))}
        ),
        {"a.json", "b.json"}
    );
    const auto timeline = drawn(run);
    EXPECT_THAT(
        lanes_of(timeline),
        ElementsAre("rank TP0, stream 7: 2", "rank TP1, stream 7: 1", "rank TP1, stream 20: 1")
    );
    EXPECT_EQ(timeline.wall, nanoseconds(70)) << "of rank 1, not 75 over both";
    EXPECT_EQ(timeline.gaps, nanoseconds(20 + 50)) << "each rank's own";
    EXPECT_TRUE(timeline.has_own_clocks);
    EXPECT_FALSE(drawn(with_ranks(run, {})).has_own_clocks);
}

TEST(StepTimeline, KeepsTheDevicesOfARankApart) {
    const auto timeline = drawn(run_of({{0, 0, 10}, {0, 20, 10, 0, 7, 0, 1}}));
    EXPECT_THAT(lanes_of(timeline), ElementsAre("device 0, stream 7: 1", "device 1, stream 7: 1"));
    EXPECT_EQ(timeline.gaps, nanoseconds(0)) << "between two devices there is none";
}

TEST(StepTimeline, IsOfTheStepOfMedianLengthUnlessOneIsChosen) {
    const auto run =
        run_of({{2, 0, 50}, {5, 100, 10}, {7, 200, 30}, {9, 300, 20}}); // lengths 50, 10, 30, 20
    EXPECT_EQ(drawn(run).step, 9) << "of two in the middle the shorter";
    EXPECT_EQ(drawn(run).place, 3);
    EXPECT_EQ(drawn(run).kept, 4);
    EXPECT_FALSE(drawn(run).is_chosen);
    const auto first = step_timeline(run, "", 0);
    EXPECT_EQ(first.step, 2) << "the first that was kept";
    EXPECT_TRUE(first.is_chosen);
}

TEST(StepTimeline, RefusesAStepThatWasNotKept) {
    const auto run = run_of({{2, 0, 50}, {5, 100, 10}});
    EXPECT_EQ(
        failure_of(run, 2),
        "could not draw step 2 of base: main: the records of 2 steps were kept; --step takes 0 to "
        "1, in the order of time"
    );
    EXPECT_THAT(failure_of(run, -1), HasSubstr("could not draw step -1"));
    EXPECT_THAT(failure_of(run_of({{2, 0, 50}}), 1), HasSubstr("--step 0 is the only one"));
    EXPECT_EQ(failure_of(run, 1), "none");
}

TEST(StepTimeline, RefusesAKernelThatTheRunDoesNotHave) {
    EXPECT_THROW(std::ignore = drawn(run_of({{0, 0, 10, 3}})), BadDataError);
}

TEST(StepTimeline, HoldsOneKernelAndOneWithoutLength) {
    const auto one = drawn(run_of({{0, 70, 10}}));
    EXPECT_EQ(one.wall, nanoseconds(10));
    EXPECT_EQ(one.gaps, nanoseconds(0));
    const auto none = drawn(run_of({{0, 70, 0}}));
    EXPECT_EQ(none.wall, nanoseconds(0));
    EXPECT_EQ(none.kernels, 1);
}

TEST(StepTimeline, KnowsNoGapsOfReplaysWithoutTheirKernels) {
    kvprof::Run run = with_ranks(run_of({{0, 0, 10}, {0, 90, 10}}), {"a.sqlite"});
    run.profile->ranks[0].figures.push_back({"graph_trace.count", 1});
    EXPECT_EQ(drawn(run).gaps, std::nullopt);
    EXPECT_THAT(timeline_section({drawn(run)}).lines.back(), HasSubstr("gaps n/a"));
    EXPECT_TRUE(timelines_object({drawn(run)})[0]["gaps_ns"].is_null());
}

TEST(StepTimeline, NamesTheAnnotationOfAnImportedStep) {
    kvprof::Run run = with_ranks(run_of({{1, 0, 10}}), {"a.json"});
    run.profile->ranks[0].steps.resize(2);
    run.profile->ranks[0].steps[1].name = "step[DECODE bs=32]";
    EXPECT_EQ(drawn(run).step_name, "step[DECODE bs=32]");
}

StepBar bar(std::int64_t start, std::int64_t duration, std::size_t name = 0) {
    StepBar one;
    one.start = nanoseconds(start);
    one.duration = nanoseconds(duration);
    one.name = name;
    return one;
}

TEST(Merged, PutsShortBarsTogetherThatStandClose) {
    const auto bars = merged({bar(0, 2), bar(3, 3, 1), bar(7, 2)}, nanoseconds(10));
    ASSERT_EQ(bars.size(), 1U);
    EXPECT_EQ(bars[0].start, nanoseconds(0));
    EXPECT_EQ(bars[0].duration, nanoseconds(9));
    EXPECT_EQ(bars[0].records, 3);
    EXPECT_EQ(bars[0].name, 0U) << "4 ns of 0, 3 ns of 1";
    EXPECT_TRUE(bars[0].has_others);
}

TEST(Merged, KeepsLongBarsAndThoseThatAGapParts) {
    const std::vector<StepBar> bars{bar(0, 10), bar(10, 2), bar(25, 2), bar(27, 10)};
    EXPECT_EQ(merged(bars, nanoseconds(10)), bars);
}

TEST(Merged, MakesNoBarOverTwiceTheLimit) {
    std::vector<StepBar> bars;
    for (std::int64_t i = 0; i < 1000; ++i) {
        bars.push_back(bar(i, 1));
    }
    std::int64_t records = 0;
    for (const StepBar& one : merged(bars, nanoseconds(10))) {
        EXPECT_LE(one.duration, nanoseconds(20));
        EXPECT_FALSE(one.has_others);
        records += one.records;
    }
    EXPECT_EQ(records, 1000);
}

TEST(Merged, PutsKernelsWithoutLengthTogether) {
    EXPECT_EQ(merged({bar(5, 0), bar(5, 0), bar(5, 0)}, nanoseconds(1)).size(), 1U);
    EXPECT_THAT(merged({}, nanoseconds(1)), IsEmpty());
}

TEST(NamesByTime, OrdersOverAllSides) {
    const auto base = drawn(run_of({{0, 0, 10, 0}, {0, 10, 30, 1}}));
    const auto candidate = drawn(run_of({{0, 0, 5, 1}, {0, 10, 40, 0}, {0, 50, 50, 2}}));
    EXPECT_THAT(
        names_by_time({base, candidate}), // 50, 50, 35: equal ones by name
        ElementsAre("(copy host-to-device)", "gemm", "norm")
    );
    EXPECT_THAT(names_by_time({}), IsEmpty());
}

std::vector<std::string> row_of(const Table& table, std::size_t row) {
    std::vector<std::string> words;
    for (const Cell& cell : table.rows().at(row)) {
        words.push_back(cell.text);
    }
    return words;
}

TEST(TimelineSection, HasBothSidesAndTheirDifference) {
    const auto section = timeline_section(
        {step_timeline(run_of({{0, 0, 2000}, {0, 3000, 1000}}), "base: A", std::nullopt),
         step_timeline(run_of({{0, 0, 2500}, {1, 0, 9}}), "candidate: B", 0)}
    );
    ASSERT_TRUE(section.table);
    EXPECT_EQ(section.table->columns()[1].title, "base: A");
    const Table& table = *section.table;
    EXPECT_THAT(row_of(table, 0), ElementsAre("wall", "4.00 us", "2.50 us", "-1.50 us"));
    EXPECT_THAT(row_of(table, 1), ElementsAre("kernel time", "3.00 us", "2.50 us", "-0.50 us"));
    EXPECT_THAT(row_of(table, 2), ElementsAre("gaps", "1.00 us", "0.00 us", "-1.00 us"));
    EXPECT_THAT(row_of(table, 3), ElementsAre("kernels", "2", "1", "-1"));
    EXPECT_EQ(section.lines[0], "base: A: step 0 of run 01234567, the only one that was kept");
    EXPECT_EQ(
        section.lines[1], "candidate: B: step 0 of run 01234567, --step 0 of the 2 that were kept"
    );
}

TEST(TimelineSection, HasNoDifferenceOfOneRunAndIsEmptyWithoutAny) {
    const auto section = timeline_section({drawn(run_of({{0, 0, 2000}}))});
    EXPECT_THAT(row_of(*section.table, 0), ElementsAre("wall", "2.00 us"));
    EXPECT_THAT(section.lines[0], Not(HasSubstr(": step")));
    EXPECT_TRUE(timeline_section({}).empty());
}

TEST(TimelinesObject, HasTheFiguresOfTheTable) {
    const Json json = timelines_object({drawn(run_of({{3, 0, 20}, {3, 50, 10, 1}}))});
    ASSERT_EQ(json.size(), 1U);
    EXPECT_EQ(json[0]["step"], 3);
    EXPECT_EQ(json[0]["wall_ns"], 60);
    EXPECT_EQ(json[0]["kernel_time_ns"], 30);
    EXPECT_EQ(json[0]["gaps_ns"], 30);
    EXPECT_EQ(json[0]["kernels"], 2);
    EXPECT_EQ(json[0]["lanes"], 1);
}

} // namespace
} // namespace kvprof::analyzers
