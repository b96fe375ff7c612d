#include "capture/model/error.h"
#include "report/renderers.h"
#include "tests/analyzers/json_documents.h"
#include "tests/report/sample_reports.h"
#include "tests/support/example_runs.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace kvprof::report {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::nanoseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// A run of the side as if it had kept the events of traced_run(), `later` after that.
Run with_events(const analyzers::Side& side, nanoseconds later) {
    Run run = side.runs.front();
    const Run traced = test::traced_run();
    run.kernels = traced.kernels;
    run.events = traced.events;
    for (KernelEvent& event : run.events) {
        event.start += later;
    }
    return run;
}

Report compared() {
    Report report = test::lone_gate_report(Format::perfetto);
    auto& judged = std::get<Judged>(report.subject);
    const analyzers::Comparison& only = judged.gate.cases.front();
    judged.timelines = {
        with_events(only.base, nanoseconds(0)), with_events(only.candidate, nanoseconds(777'000))};
    return report;
}

Json events_of(const Report& report) {
    return Json::parse(perfetto_trace(report))["traceEvents"];
}

/// The names that the processes have, in order.
std::vector<std::string> processes_of(const Report& report) {
    std::vector<std::string> names;
    for (const Json& event : events_of(report)) {
        if (event["name"] == "process_name") {
            names.push_back(event["args"]["name"]);
        }
    }
    return names;
}

TEST(PerfettoTrace, MatchesTheGolden) {
    test::expect_golden("report_timeline.json", perfetto_trace(compared()));
}

TEST(PerfettoTrace, OfARunHoldsTheEventsThatExportWrites) {
    const Report report = test::run_report(Format::perfetto);
    const Json exported = Json::parse(analyzers::perfetto_json(test::traced_run()));
    EXPECT_EQ(events_of(report), exported["traceEvents"]);
}

TEST(PerfettoTrace, CarriesItsRecipe) {
    const Report report = compared();
    const Json about = Json::parse(perfetto_trace(report))["otherData"];
    EXPECT_EQ(about["report"], report_id(report.recipe));
    EXPECT_EQ(parse_recipe(about["recipe"].get<std::string>()), report.recipe);
}

TEST(PerfettoTrace, PutsTheSidesBesideEachOther) {
    EXPECT_THAT(
        processes_of(compared()),
        ElementsAre(StartsWith("base: A; NVIDIA H200"), StartsWith("candidate: B; NVIDIA H200"))
    );
}

TEST(PerfettoTrace, AlignsTheSidesOnTheirFirstStep) {
    std::map<int, double> first;
    for (const Json& event : events_of(compared())) {
        if (event["ph"] == "X") {
            const auto [place, is_new] = first.try_emplace(event["pid"], event["ts"]);
            place->second = std::min(place->second, event["ts"].get<double>());
        }
    }
    EXPECT_EQ(first, (std::map<int, double>{{1, 0.0}, {2, 0.0}}));
}

TEST(PerfettoTrace, GivesEveryEventWhatAViewerNeeds) {
    std::set<int> tracks;
    for (const Json& event : events_of(compared())) {
        for (const char* member : {"ph", "pid", "tid", "ts", "name"}) {
            EXPECT_TRUE(event.contains(member)) << member;
        }
        EXPECT_EQ(event.contains("dur"), event["ph"] == "X");
        if (event["name"] == "thread_name") { // no two processes share a track's number
            EXPECT_TRUE(tracks.insert(event["tid"].get<int>()).second);
        }
    }
    EXPECT_FALSE(tracks.contains(1) || tracks.contains(2)); // a viewer's main threads
}

TEST(PerfettoTrace, HasTracksWhoseBarsDoNotOverlap) {
    Report report = compared();
    for (kvprof::Run& run : std::get<Judged>(report.subject).timelines) {
        run.events[1].start = run.events[0].start;
    }
    std::map<int, double> ends;
    for (const Json& event : events_of(report)) {
        if (event["ph"] == "X") {
            double& end = ends[event["tid"]];
            EXPECT_GE(event["ts"].get<double>(), end - 1e-6) << event.dump();
            end = event["ts"].get<double>() + event["dur"].get<double>();
        }
    }
}

TEST(PerfettoTrace, RefusesAComparisonWithoutEvents) {
    EXPECT_THROW(std::ignore = perfetto_trace(test::gate_report(Format::perfetto)), UsageError);
    Report report = compared();
    std::get<Judged>(report.subject).timelines[1].events.clear();
    try {
        std::ignore = perfetto_trace(report);
        FAIL() << "drew a side without events";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("could not draw the timeline of run b"));
    }
}

TEST(PerfettoTrace, RefusesAWholeExperiment) {
    EXPECT_THROW(
        std::ignore = perfetto_trace(test::experiment_report(Format::perfetto)), UsageError
    );
}

TEST(PerfettoTrace, KeepsHostileNames) {
    Report report = compared();
    auto& judged = std::get<Judged>(report.subject);
    judged.gate.cases[0].base.label = test::hostile_name();
    judged.timelines[0].kernels[0].name = test::hostile_name();
    judged.timelines[0].environment.device_name = test::hostile_name();
    EXPECT_THAT(processes_of(report)[0], HasSubstr("a \"b\" 'c'\r\nd | `e` <script>"));
}

} // namespace
} // namespace kvprof::report
