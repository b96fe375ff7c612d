#include "capture/model/error.h"
#include "report/render.h"
#include "tests/analyzers/gate_rows.h"
#include "tests/report/sample_reports.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::report {
namespace {

using namespace analyzers::test_rows;
using analyzers::Verdict;
using testing::HasSubstr;
using testing::Not;

std::string junit_of(std::vector<analyzers::Delta> rows, const analyzers::Policy& policy) {
    return render(test::report_of(Format::junit, std::move(rows), policy));
}

TEST(Junit, HasASuiteACaseAndATestAGatedRow) {
    const Report report = test::gate_report(Format::junit);
    test::expect_golden("gate.junit.xml", test::without_recipe(report, render(report)));
}

TEST(Junit, CarriesItsRecipe) {
    EXPECT_THAT(
        render(test::gate_report(Format::junit)),
        HasSubstr("<property name=\"kvprof.recipe\" value=\"{&quot;schema&quot;:")
    );
}

TEST(Junit, SkipsWhatIsInconclusiveAndSaysWhatWouldDecide) {
    const std::string xml = junit_of({noisy()}, policy_of({"step_time"}));
    EXPECT_THAT(
        xml,
        HasSubstr("<skipped message=\"too-noisy, would have seen 2.10% > 1%; 16 runs a side would "
                  "decide\" />")
    );
    EXPECT_THAT(xml, HasSubstr("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""));
}

TEST(Junit, TellsTheRowsOfOneWordByTheirIds) {
    const std::string xml = junit_of(
        {row_of("gpu.kernel.sum", Verdict::inconclusive, "too-few-runs"),
         row_of("span.wall", Verdict::inconclusive, "too-few-runs")},
        policy_of({"step_time"})
    );
    EXPECT_THAT(xml, HasSubstr("<testcase name=\"step_time (gpu.kernel.sum)\""));
    EXPECT_THAT(xml, HasSubstr("<testcase name=\"step_time (span.wall)\""));
}

TEST(Junit, TakesWhatCanNotBeComparedForAnError) {
    analyzers::Delta row = same_time();
    row.verdict = Verdict::not_comparable;
    row.reason = "device-uuid";
    EXPECT_THAT(
        junit_of({row}, policy_of({"step_time"})),
        HasSubstr("<error type=\"not comparable\" message=\"device-uuid\" />")
    );
}

TEST(Junit, TakesAMetricThatNobodyMeasuredForAnError) {
    const std::string xml = junit_of(
        {same_time(), count("step.launches", 1, 1)}, policy_of({"step_time", "wall_time"})
    );
    EXPECT_THAT(
        xml,
        HasSubstr("<testcase name=\"wall_time\" classname=\"kvprof.decode\" time=\"0.000\">\n"
                  "      <error type=\"not-measured\" message=\"not-measured\" />")
    );
    EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"0\""));
}

TEST(Junit, TakesASideWithoutAValueForAnErrorAndNotForNoise) {
    analyzers::Delta row = count("graph.exec.bytes", 1, 1);
    row.verdict = Verdict::inconclusive;
    row.reason = "capture-failure";
    row.candidate.summary.reset();
    EXPECT_THAT(
        junit_of({row}, policy_of({"graph.exec.bytes"})),
        HasSubstr("<error type=\"not-measured\" message=\"capture-failure\" />")
    );
}

TEST(Junit, LetsARegressionPassThatIsAccepted) {
    analyzers::Policy policy = policy_of({"launches"});
    policy.accepted = {{"launches", "", "2026-12-31", "a table of its own", 9}};
    const std::string xml = junit_of({count("step.launches", 40, 41)}, policy);
    EXPECT_THAT(
        xml,
        HasSubstr("<system-out>40 -&gt; 41 (+1)\n"
                  "regressed, and accepted until 2026-12-31: a table of its own</system-out>")
    );
    EXPECT_THAT(xml, Not(HasSubstr("<failure")));
}

TEST(Junit, FailsAnAcceptanceWhoseLastDayHasPassed) {
    analyzers::Policy policy = policy_of({"launches"});
    policy.accepted = {{"launches", "", "2026-11-28", "a table of its own", 9}};
    const std::string xml = junit_of({count("step.launches", 40, 41)}, policy);
    EXPECT_THAT(xml, HasSubstr("<failure type=\"regressed\" message=\"40 -> 41 (+1)\" />"));
    EXPECT_THAT(xml, HasSubstr("accepted until 2026-11-28, which has passed"));
}

TEST(Junit, SaysWhyACaseCanNotBeComparedWhereNoRowDoes) {
    Report report = test::report_of(Format::junit, {}, policy_of({"launches"}));
    auto& gate = std::get<Judged>(report.subject).gate;
    gate.cases.front().concerns = {
        {analyzers::Severity::blocks, "batch", "batch differs: 8 -> 64"}};
    EXPECT_THAT(
        render(report),
        HasSubstr("<error type=\"not comparable\" message=\"batch differs: 8 -> 64\" />")
    );
}

TEST(Junit, OfNoCaseAtAllIsAnError) {
    Report report = test::report_of(Format::junit, {}, policy_of({"launches"}));
    std::get<Judged>(report.subject).gate = analyzers::gate_of({}, policy_of({"launches"}), kToday);
    EXPECT_THAT(render(report), HasSubstr("message=\"there is no case to compare\""));
}

TEST(Junit, ListsVariantsWithoutACounterpart) {
    Report report = test::gate_report(Format::junit);
    std::get<Judged>(report.subject).unpaired = {{"batch=256", "no complete run"}};
    EXPECT_THAT(
        render(report),
        HasSubstr("<testcase name=\"batch=256\" classname=\"kvprof.unpaired\" time=\"0.000\">\n"
                  "      <skipped message=\"no complete run\" />")
    );
}

TEST(Junit, FailsAClaimThatIsContradicted) {
    Report report = test::gate_report(Format::junit);
    ClaimAnswer answer;
    answer.claim.text = "launches B-A = -1";
    answer.cell = "batch=8";
    answer.verdict = ClaimVerdict::contradicted;
    answer.measured = "27 -> 27 (0)";
    report.claims = CheckedClaims{{"claims.toml", "", {answer.claim}}, {answer}};
    EXPECT_THAT(
        render(report),
        HasSubstr("<testcase name=\"launches B-A = -1 at batch=8\" classname=\"kvprof.claims\" "
                  "time=\"0.000\">\n"
                  "      <failure type=\"contradicted\" message=\"27 -> 27 (0)\" />")
    );
}

TEST(Junit, EscapesNames) {
    const std::string xml = render(test::hostile_report(Format::junit));
    EXPECT_THAT(xml, HasSubstr("&quot;b&quot; 'c'&#13;&#10;d | `e` &lt;script>&amp;amp;"));
    EXPECT_EQ(xml.find('\x01'), std::string::npos);
    EXPECT_EQ(xml.find('\xed'), std::string::npos); // half of a surrogate pair
}

TEST(Junit, RefusesWhatIsNotJudged) {
    try {
        (void)render(test::run_report(Format::junit));
        FAIL() << "no error";
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "could not write junit of a run: nothing is judged");
        EXPECT_THAT(error.hint(), HasSubstr("openmetrics"));
    }
    EXPECT_THROW((void)render(test::experiment_report(Format::junit)), UsageError);
}

} // namespace
} // namespace kvprof::report
