#include "report/renderers.h"
#include "tests/report/sample_reports.h"
#include "tests/support/example_runs.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace kvprof::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Json json_of(const Report& report) {
    return Json::parse(json_document(report));
}

/// gate_report() as `kvprof report` shows it.
Report compared() {
    Report report = test::gate_report(Format::json);
    report.recipe.is_gate = false;
    Judged& judged = std::get<Judged>(report.subject);
    judged.experiments = {
        {.uuid = test::uuid_of('e'),
         .started_at = "2026-01-02T03:00:00Z",
         .command_line = "kvprof run --ab",
         .label = "delay",
         .kind = ExperimentKind::ab,
         .ab = AbDesign{.treatment = {"delay-op"}}}};
    return report;
}

analyzers::Comparison& first_case(Report& report) {
    return std::get<Judged>(report.subject).gate.cases.front();
}

TEST(JsonDocument, MatchesTheGoldens) {
    test::expect_golden("report_gate.json", json_document(test::lone_gate_report(Format::json)));
    test::expect_golden("report_run.json", json_document(test::run_report(Format::json)));
}

TEST(JsonDocument, IsNamedAfterItsSubject) {
    EXPECT_EQ(json_of(test::run_report(Format::json))["schema"], "kvprof.run/1");
    EXPECT_EQ(json_of(test::experiment_report(Format::json))["schema"], "kvprof.experiment/1");
    EXPECT_EQ(json_of(test::gate_report(Format::json))["schema"], "kvprof.gate/1");
    Report report = compared();
    EXPECT_EQ(json_of(report)["schema"], "kvprof.comparisons/1");
    std::get<Judged>(report.subject).by = "batch";
    EXPECT_EQ(json_of(report)["schema"], "kvprof.pairs/1");
    report = test::lone_gate_report(Format::json);
    report.recipe.is_gate = false;
    EXPECT_EQ(json_of(report)["schema"], "kvprof.comparison/1");
}

TEST(JsonDocument, CarriesWhatItWasMadeFrom) {
    const Report report = compared();
    const Json head = json_of(report)["report"];
    EXPECT_EQ(head["id"], report_id(report.recipe));
    EXPECT_EQ(head["tool"]["version"], "0.1.0");
    EXPECT_EQ(parse_recipe(head["recipe"].dump()), report.recipe);
    EXPECT_TRUE(head["claims"].is_null());
    ASSERT_EQ(head["experiments"].size(), 1U);
    EXPECT_EQ(head["experiments"][0]["label"], "delay");
    EXPECT_THAT(head["experiments"][0]["design"]["treatment"], ElementsAre("delay-op"));
}

TEST(JsonDocument, SaysWhatTheClaimsAnswer) {
    Report report = compared();
    ClaimAnswer answer;
    answer.claim.text = "launches B-A = 0";
    answer.verdict = ClaimVerdict::supported;
    report.claims = CheckedClaims{{.origin = "claims.toml"}, {answer}};
    EXPECT_EQ(json_of(report)["report"]["claims"]["claims"][0]["verdict"], "supported");
}

TEST(JsonDocument, GivesEachMetricItsUnitValuesAndTest) {
    const Json json = json_of(compared());
    const Json& row = json["cases"][1]["comparison"]["metrics"][0];
    EXPECT_EQ(row["id"], "step.gpu_time");
    EXPECT_EQ(row["unit"], "ns");
    EXPECT_EQ(row["base"]["values"].size(), 8U);
    EXPECT_EQ(row["base"]["median"], 12'407'300);
    EXPECT_EQ(row["change"]["method"], "hl-signed-rank");
    EXPECT_EQ(row["p"], 0.0078125);
    EXPECT_EQ(row["policy_limit"], 0.01);
    EXPECT_EQ(row["verdict"], "regressed");
}

TEST(JsonDocument, WritesTimesAndBytesAsIntegers) {
    const Json json = json_of(test::run_report(Format::json));
    EXPECT_TRUE(json["samples"][0]["gpu_time_ns"].is_number_integer());
    EXPECT_TRUE(json["memory"][0]["bytes"].is_number_integer());
}

TEST(JsonDocument, ListsTheVoidRunsOfBothSides) {
    Report report = compared();
    first_case(report).base.excluded = {
        {test::uuid_of('f'), "batch=8", RunState::voided, "1.20 GiB came"},
        {test::uuid_of('d'), "batch=8", RunState::invalid, "wrong ids"}};
    const Json voided = json_of(report)["cases"][0]["comparison"]["voided_runs"];
    ASSERT_EQ(voided.size(), 1U);
    EXPECT_EQ(voided[0]["side"], "base");
    EXPECT_EQ(voided[0]["uuid"], test::uuid_of('f'));
}

TEST(JsonDocument, WritesWhatIsNoNumberAsNull) {
    Report report = compared();
    analyzers::SampledTest& test = *first_case(report).deltas.front().test;
    test.high = std::numeric_limits<double>::infinity();
    test.detectable = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(json_document(report), Not(HasSubstr("nan")));
    const Json row = json_of(report)["cases"][0]["comparison"]["metrics"][0];
    EXPECT_TRUE(row["change"]["high"].is_null());
    EXPECT_TRUE(row["detectable"].is_null());
}

TEST(JsonDocument, KeepsHostileNames) {
    const Json json = json_of(test::hostile_report(Format::json));
    const std::string cell = json["comparisons"][1]["cell"];
    EXPECT_THAT(cell, HasSubstr("a \"b\" 'c'\r\nd | `e` <script>"));
    EXPECT_THAT(cell, HasSubstr("\xef\xbf\xbd")); // for bytes that are no UTF-8
    EXPECT_GT(cell.size(), 5000U);
}

} // namespace
} // namespace kvprof::report
