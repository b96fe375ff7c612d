#include "report/renderers.h"
#include "tests/report/sample_reports.h"
#include "tests/support/example_runs.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <sstream>

namespace kvprof::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

std::vector<Json> lines_of(const Report& report) {
    std::istringstream text(json_lines(report));
    std::vector<Json> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(Json::parse(line));
    }
    return lines;
}

std::map<std::string, int> records_of(const Report& report) {
    std::map<std::string, int> counts;
    for (const Json& line : lines_of(report)) {
        ++counts[line["record"]];
    }
    return counts;
}

Json first_of(const Report& report, const std::string& record) {
    for (Json& line : lines_of(report)) {
        if (line["record"] == record) {
            return std::move(line);
        }
    }
    return nullptr;
}

TEST(JsonLines, MatchTheGolden) {
    test::expect_golden("report_run.jsonl", json_lines(test::run_report(Format::jsonl)));
}

TEST(JsonLines, StartWithTheReport) {
    const Report report = test::gate_report(Format::jsonl);
    const Json head = lines_of(report).front();
    EXPECT_EQ(head["schema"], "kvprof.report-lines/1");
    EXPECT_EQ(parse_recipe(head["report"]["recipe"].dump()), report.recipe);
}

TEST(JsonLines, GiveARunALineAndEachOfItsRows) {
    const Report report = test::run_report(Format::jsonl);
    const auto metrics = static_cast<int>(Json::parse(json_document(report))["metrics"].size());
    EXPECT_THAT(
        records_of(report),
        UnorderedElementsAre(
            Pair("report", 1), Pair("run", 1), Pair("metric", metrics), Pair("kernel", 3)
        )
    );
    const Json metric = first_of(report, "metric");
    EXPECT_EQ(metric["run"], test::uuid_of('4'));
    EXPECT_EQ(metric["kind"], "sampled");
    EXPECT_FALSE(first_of(report, "run").contains("metrics"));
}

TEST(JsonLines, GiveEveryRunOfAnExperiment) {
    EXPECT_EQ(records_of(test::experiment_report(Format::jsonl))["run"], 5);
}

TEST(JsonLines, SayWhichCaseAndSideALineIsOf) {
    const Report report = test::gate_report(Format::jsonl);
    auto counts = records_of(report);
    EXPECT_EQ(counts["case"], 2);
    EXPECT_EQ(counts["run"], 32);
    EXPECT_EQ(counts["kernel"], 3);
    const Json run = first_of(report, "run");
    EXPECT_EQ(run["cell"], "batch=8");
    EXPECT_EQ(run["side"], "base");
    const Json metric = first_of(report, "metric");
    EXPECT_EQ(metric["cell"], "batch=8");
    EXPECT_EQ(metric["family"], "primary");
}

TEST(JsonLines, SayTheVerdictBeforeTheCases) {
    const Json gate = lines_of(test::gate_report(Format::jsonl)).at(1);
    EXPECT_EQ(gate["record"], "verdict");
    EXPECT_EQ(gate["verdict"], "regressed");
    EXPECT_EQ(gate["exit_code"], 1);
    EXPECT_THAT(gate["line"].get<std::string>(), HasSubstr("regressed (1)"));
    Report report = test::gate_report(Format::jsonl);
    report.recipe.is_gate = false;
    EXPECT_TRUE(lines_of(report).at(1)["line"].is_null());
    EXPECT_EQ(records_of(report)["gated"], 0);
}

TEST(JsonLines, ListWhatIsInNoFigure) {
    Report report = test::lone_gate_report(Format::jsonl);
    auto& judged = std::get<Judged>(report.subject);
    judged.gate.cases[0].candidate.excluded = {
        {test::uuid_of('f'), "v", RunState::voided, "1.20 GiB came"}};
    judged.unpaired = {{"batch=9", "it has no base"}};
    EXPECT_EQ(first_of(report, "excluded")["side"], "candidate");
    EXPECT_EQ(first_of(report, "unpaired")["variant"], "batch=9");
}

TEST(JsonLines, KeepHostileNamesOnALine) {
    const Report report = test::hostile_report(Format::jsonl);
    for (const Json& line : lines_of(report)) { // none is broken in two
        EXPECT_TRUE(line.contains("record"));
    }
    EXPECT_THAT(
        first_of(report, "unpaired")["variant"].get<std::string>(),
        HasSubstr("\r\nd | `e` <script>")
    );
}

} // namespace
} // namespace kvprof::report
