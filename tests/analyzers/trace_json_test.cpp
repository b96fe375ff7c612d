#include "analyzers/missing_timeline.h"
#include "analyzers/timeline.h"
#include "capture/model/error.h"
#include "tests/analyzers/json_documents.h"
#include "tests/support/example_runs.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace kvprof::analyzers {
namespace {

using std::chrono::nanoseconds;
using test::traced_run;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TimeSpan time_span(std::int64_t start, std::int64_t duration) {
    return {nanoseconds(start), nanoseconds(duration)};
}

nlohmann::json trace_of(const kvprof::Run& run) {
    return nlohmann::json::parse(perfetto_json(run));
}

/// Names of the tracks, with the number of bars on each.
std::map<std::string, int> tracks_of(const kvprof::Run& run) {
    std::map<int, std::string> names;
    std::map<std::string, int> bars;
    const nlohmann::json trace = trace_of(run);
    for (const auto& event : trace["traceEvents"]) {
        if (event["name"] == "thread_name") {
            names[event["tid"]] = event["args"]["name"];
        } else if (event["ph"] == "X") {
            ++bars[names.at(event["tid"])];
        }
    }
    return bars;
}

/// Bars of the op, in order.
std::vector<nlohmann::json> bars_of(const kvprof::Run& run, const std::string& op) {
    std::vector<nlohmann::json> bars;
    const nlohmann::json trace = trace_of(run);
    for (const auto& event : trace["traceEvents"]) {
        if (event["ph"] == "X" && event["name"] == op) {
            bars.push_back(event);
        }
    }
    return bars;
}

TEST(Lanes, HoldWhatDoesNotOverlapInOne) {
    EXPECT_THAT(
        lanes_of({time_span(10, 5), time_span(0, 10), time_span(15, 0), time_span(15, 1)}),
        ElementsAre(ElementsAre(1, 0, 2, 3))
    );
    EXPECT_THAT(lanes_of({}), IsEmpty());
}

TEST(Lanes, SpreadWhatOverlaps) {
    EXPECT_THAT(
        lanes_of({time_span(0, 10), time_span(9, 10), time_span(10, 2), time_span(11, 1)}),
        ElementsAre(ElementsAre(0, 2), ElementsAre(1), ElementsAre(3))
    );
}

TEST(RenderPerfetto, MatchesTheGolden) {
    test::expect_golden("timeline.json", perfetto_json(traced_run()));
}

TEST(RenderPerfetto, SaysWhatIsShown) {
    const auto json = trace_of(traced_run());
    EXPECT_EQ(json["displayTimeUnit"], "ns");
    EXPECT_EQ(json["otherData"]["run"], traced_run().uuid);
    EXPECT_EQ(json["otherData"]["device"], "NVIDIA H200");
    EXPECT_THAT(json["otherData"]["times"].get<std::string>(), HasSubstr("traced"));
}

TEST(RenderPerfetto, GivesTimesInMicrosecondsToTheNanosecond) {
    kvprof::Run run = traced_run();
    run.events[2].start = nanoseconds(8'640'000'000'000'001); // a hundred days
    run.events[2].duration = nanoseconds(1);
    EXPECT_THAT(perfetto_json(run), HasSubstr("\"ts\":8640000000000.001,\"dur\":0.001,"));
}

TEST(RenderPerfetto, PutsTheFactsOfAKernelBesideIt) {
    const auto page_table = bars_of(traced_run(), "page-table").at(0);
    EXPECT_EQ(page_table["cat"], "page-table");
    EXPECT_EQ(page_table["args"]["grid"], "4096x64x1");
    EXPECT_EQ(page_table["args"]["block"], "256x1x1");
    EXPECT_EQ(page_table["args"]["live_fraction"], 2112.0 / 262'144.0);
    EXPECT_EQ(page_table["args"]["node"], "30064771074");
    EXPECT_EQ(page_table["args"]["step"], 0);
    EXPECT_THAT(page_table["args"]["kernel"].get<std::string>(), HasSubstr("page_table_kernel"));
}

TEST(RenderPerfetto, LeavesOutWhatAnEventDoesNotHave) {
    const auto bars = bars_of(traced_run(), "indptr");
    const auto& scan = bars.at(0)["args"];
    const auto& copy = bars.at(1)["args"];
    EXPECT_FALSE(scan.contains("node") || scan.contains("live_fraction") || scan.contains("copy"));
    EXPECT_EQ(copy["copy"], "device-to-device");
    EXPECT_FALSE(copy.contains("grid") || copy.contains("registers"));
}

TEST(RenderPerfetto, GivesEachStreamATrackAndOneToTheStepsAndTheGraph) {
    kvprof::Run run = traced_run();
    run.events[0].stream = 7;
    run.events[3].stream = 7;
    EXPECT_THAT(
        tracks_of(run),
        UnorderedElementsAre(
            testing::Pair("steps", 2),
            testing::Pair("graph launches", 2),
            testing::Pair("stream 7", 2),
            testing::Pair("stream 13", 4)
        )
    );
}

TEST(RenderPerfetto, KeepsRecordsOfOneStreamThatOverlapApart) {
    kvprof::Run run = traced_run();
    run.events[1].start = run.events[0].start;
    EXPECT_EQ(tracks_of(run)["stream 13, overlap 1"], 1);
}

TEST(RenderPerfetto, SpansAStepFromItsFirstRecordToItsLast) {
    kvprof::Run run = traced_run();
    std::reverse(run.events.begin(), run.events.end()); // events need no order
    const auto step = bars_of(run, "step 1").at(0);
    EXPECT_EQ(step["ts"], 112.0);
    EXPECT_EQ(step["dur"], 104.488);
}

TEST(RenderPerfetto, SpansAGraphsLaunchFromItsFirstNodeToItsLast) {
    kvprof::Run run = traced_run();
    run.events[1].node = run.events[2].node - 1; // another node of the same executable
    const auto launch = bars_of(run, "graph 7").at(0);
    EXPECT_EQ(launch["ts"], 3.2);
    EXPECT_EQ(launch["dur"], 102.3);
    EXPECT_EQ(launch["args"]["step"], 0);
}

TEST(RenderPerfetto, StartsWithTheFirstRecord) {
    kvprof::Run run = traced_run();
    for (KernelEvent& event : run.events) {
        event.start += nanoseconds(5000);
    }
    EXPECT_EQ(bars_of(run, "step 0").at(0)["ts"], 0.0);
}

TEST(RenderPerfetto, HasTracksForEachRankOfSeveral) {
    kvprof::Run run = traced_run();
    run.profile.emplace().ranks.resize(2);
    run.profile->ranks[1].rank = "TP01";
    for (std::size_t i = 3; i < run.events.size(); ++i) {
        run.events[i].rank = 1;
    }
    run.events[4].device = 1;
    EXPECT_EQ(
        tracks_of(run),
        (std::map<std::string, int>{
            {"rank 0, steps", 1},
            {"rank 0, graph launches", 1},
            {"rank 0, stream 13", 3},
            {"rank TP01, steps", 1},
            {"rank TP01, graph launches", 1},
            {"rank TP01, device 0, stream 13", 2},
            {"rank TP01, device 1, stream 13", 1}})
    );
}

TEST(RenderPerfetto, RefusesAnEventOfAnUnknownKernel) {
    for (const std::int64_t kernel : {3, -1}) {
        kvprof::Run run = traced_run();
        run.events[5].kernel = kernel;
        EXPECT_THROW(std::ignore = perfetto_json(run), BadDataError) << kernel;
    }
}

TEST(RenderPerfetto, SurvivesBytesThatAreNoText) {
    kvprof::Run run = traced_run();
    run.kernels[0].name = "\xff\"\n";
    EXPECT_NO_THROW(std::ignore = trace_of(run));
}

TEST(MissingTimeline, NamesWhyThePassGaveNone) {
    kvprof::Run run = traced_run();
    run.passes[2].failure = "CUPTI is held by another tool: end it";
    EXPECT_EQ(
        missing_timeline(run),
        (Missing{"its nodes pass failed: CUPTI is held by another tool: end it", ""})
    );
}

TEST(MissingTimeline, NamesThePassThatWasNotRun) {
    kvprof::Run run = traced_run();
    run.measure.passes = "timing";
    run.passes.clear();
    EXPECT_EQ(
        missing_timeline(run),
        (Missing{"its nodes pass was not run (--passes timing)", "kvprof run --passes timing+nodes"}
        )
    );
    run.status = {RunState::not_run, "no memory", 5};
    EXPECT_EQ(missing_timeline(run).cause, "it is not-run: no memory");
}

TEST(MissingTimeline, NamesTheImportThatKeepsRecords) {
    kvprof::Run run = traced_run();
    run.profile.emplace();
    EXPECT_THAT(missing_timeline(run).cause, HasSubstr("was imported without the records"));
    EXPECT_THAT(missing_timeline(run).hint, HasSubstr("kvprof import --keep-events 4"));
}

TEST(MissingTimeline, NamesTheStepsThatWereNotKept) {
    kvprof::Run run = traced_run();
    run.measure.keep_events = 0;
    EXPECT_THAT(missing_timeline(run).cause, HasSubstr("--keep-events 0"));
    run.measure.keep_events = 3;
    EXPECT_THAT(missing_timeline(run).cause, HasSubstr("(6 records in 2 steps)"));
}

} // namespace
} // namespace kvprof::analyzers
