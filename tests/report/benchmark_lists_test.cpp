#include "report/render.h"
#include "tests/report/sample_reports.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace kvprof::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

void expect_experiment_golden(Format format, const char* name) {
    const Report report = test::experiment_report(format);
    test::expect_golden(name, test::without_recipe(report, render(report)));
}

/// A run whose variant is `variant`.
Report variant_report(Format format, const std::string& variant) {
    Report report = test::run_report(format);
    std::get<kvprof::Run>(report.subject).variant = variant;
    return report;
}

TEST(Gbench, HasOneEntryARun) {
    expect_experiment_golden(Format::gbench, "experiment.gbench.json");
}

TEST(Gbench, NumbersTheRunsOfEachSide) {
    const json list = json::parse(render(test::gate_report(Format::gbench)))["benchmarks"];
    ASSERT_EQ(list.size(), 32U);
    const json& second = list[9];
    EXPECT_EQ(second["name"], "decode/batch=8/side=candidate");
    EXPECT_EQ(second["family_index"], 1);
    EXPECT_EQ(second["repetition_index"], 1);
    EXPECT_EQ(second["repetitions"], 8);
    EXPECT_EQ(second["iterations"], 10);
}

TEST(Gbench, HasTheTimeOfTheHostWhereItIsKnown) {
    const json run = json::parse(render(test::run_report(Format::gbench)))["benchmarks"][0];
    EXPECT_EQ(run["real_time"], 110);
    EXPECT_EQ(run["cpu_time"], 14.781); // 8.4375 + 4.84375 + 1.5 us
    const json untimed =
        json::parse(render(test::experiment_report(Format::gbench)))["benchmarks"][0];
    EXPECT_EQ(untimed["real_time"], 9);
    EXPECT_EQ(untimed["cpu_time"], 10); // on the host's clock around the batch
}

TEST(Gbench, CarriesItsRecipe) {
    const Report report = test::gate_report(Format::gbench);
    EXPECT_EQ(json::parse(render(report))["context"]["kvprof.recipe"], recipe_json(report.recipe));
}

TEST(Bmf, HasMediansWithTheirBounds) {
    expect_experiment_golden(Format::bmf, "experiment.bmf.json");
}

TEST(Bmf, HasBoundsOfAnExactMetricOnlyWhereRunsDisagree) {
    Report report = test::experiment_report(Format::bmf);
    const json alike = json::parse(render(report))["decode/index-mode=rectangle"]["launches"];
    EXPECT_EQ(alike, (json{{"value", 2}}));
    std::get<Experiment>(report.subject).runs[0].ops[0].launches += 2;
    const json differ = json::parse(render(report))["decode/index-mode=rectangle"]["launches"];
    EXPECT_EQ(differ, (json{{"value", 3}, {"lower_value", 2}, {"upper_value", 4}}));
}

TEST(Benchstat, HasOneLineARun) {
    expect_experiment_golden(Format::benchstat, "experiment.benchstat.txt");
}

TEST(Benchstat, KeepsANumberAtTheEndOfANameFromBeingTakenForThreads) {
    EXPECT_THAT(
        render(variant_report(Format::benchstat, "preset=kimi-48")),
        HasSubstr("\nBenchmarkDecode/preset=kimi-48-1 60 110000 ns/op")
    );
    EXPECT_THAT(
        render(variant_report(Format::benchstat, "batch=48")),
        HasSubstr("\nBenchmarkDecode/batch=48 60 ")
    );
}

TEST(Benchstat, LeavesOutARunWithoutATime) {
    Report report = test::run_report(Format::benchstat);
    std::get<kvprof::Run>(report.subject).samples.clear();
    EXPECT_THAT(render(report), Not(HasSubstr("Benchmark")));
}

TEST(GithubActionBenchmark, HasSmallerIsBetterEntries) {
    expect_experiment_golden(
        Format::github_action_benchmark, "experiment.github-action-benchmark.json"
    );
}

TEST(BenchmarkLists, OfARunThatIsNotCompleteAreEmpty) {
    Report report = test::run_report(Format::bmf);
    std::get<kvprof::Run>(report.subject).status.state = RunState::not_run;
    EXPECT_EQ(render(report), "{}\n");
    report.recipe.format = Format::github_action_benchmark;
    EXPECT_EQ(render(report), "[]\n");
    report.recipe.format = Format::gbench;
    EXPECT_EQ(json::parse(render(report))["benchmarks"], json::array());
}

TEST(BenchmarkLists, OfHostileNamesCanBeRead) {
    EXPECT_EQ(json::parse(render(test::hostile_report(Format::gbench)))["benchmarks"].size(), 32U);
    EXPECT_EQ(json::parse(render(test::hostile_report(Format::bmf))).size(), 4U);
    EXPECT_EQ(
        json::parse(render(test::hostile_report(Format::github_action_benchmark))).size(), 16U
    );
    std::istringstream lines(render(test::hostile_report(Format::benchstat)));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("Benchmark")) {
            std::istringstream words(line);
            std::vector<std::string> list(std::istream_iterator<std::string>(words), {});
            ASSERT_EQ(list.size(), 10U) << line.substr(0, 200);
            EXPECT_EQ(list[3], "ns/op");
        }
    }
}

} // namespace
} // namespace kvprof::report
