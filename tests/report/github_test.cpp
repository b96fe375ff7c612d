#include "capture/model/error.h"
#include "report/clean_text.h"
#include "report/render.h"
#include "tests/analyzers/gate_rows.h"
#include "tests/report/sample_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace kvprof::report {
namespace {

using namespace analyzers::test_rows;
using analyzers::OnInconclusive;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string annotations_of(std::vector<analyzers::Delta> rows, const analyzers::Policy& policy) {
    return github_parts(test::report_of(Format::github, std::move(rows), policy)).annotations;
}

analyzers::Policy with_file(analyzers::Policy policy) {
    policy.origin = "ci/kvprof.toml";
    policy.primary_line = 3;
    return policy;
}

/// `count` buffers that grew by a byte each.
std::string annotations_of_buffers(int buffers) {
    std::vector<analyzers::Delta> rows;
    analyzers::Policy policy;
    policy.primary.clear();
    for (int i = 0; i < buffers; ++i) {
        const std::string id = "ledger.b" + std::to_string(i) + ".bytes";
        rows.push_back(count(id, 1, 2));
        policy.primary.push_back(id);
    }
    return annotations_of(std::move(rows), policy);
}

TEST(Github, TellsTheRowsOfOneWordByTheirIds) {
    const std::string text = annotations_of(
        {row_of("gpu.kernel.sum", analyzers::Verdict::inconclusive, "too-few-runs"),
         row_of("span.wall", analyzers::Verdict::inconclusive, "too-few-runs")},
        policy_of({"step_time"})
    );
    EXPECT_THAT(
        text, HasSubstr("title=kvprof step_time (span.wall) inconclusive::step_time (span.wall)")
    );
    EXPECT_THAT(text, HasSubstr("::step_time (gpu.kernel.sum) too-few-runs"));
}

TEST(Github, PointsAtTheLineThatSaysTheLimit) {
    EXPECT_EQ(
        github_parts(test::gate_report(Format::github)).annotations,
        "::error file=kvprof.toml,line=7,title=kvprof step_time regressed::step_time at batch=64 "
        "+1.49%25 [+1.41, +1.57] > 1%25\n"
    );
}

TEST(Github, PointsAtTheListOfPrimaryMetricsWhereNoRuleNamesOne) {
    EXPECT_EQ(
        annotations_of({count("step.launches", 40, 41)}, with_file(policy_of({"launches"}))),
        "::error file=ci/kvprof.toml,line=3,title=kvprof launches regressed::launches 40 -> 41 (+1)"
        "\n"
    );
}

TEST(Github, PointsNowhereForTheBuiltInPolicy) {
    EXPECT_EQ(
        annotations_of({count("step.launches", 40, 41)}, policy_of({"launches"})),
        "::error title=kvprof launches regressed::launches 40 -> 41 (+1)\n"
    );
}

TEST(Github, WarnsOfWhatIsInconclusiveUnlessThatFails) {
    analyzers::Policy policy = policy_of({"step_time"});
    EXPECT_THAT(
        annotations_of({noisy()}, policy),
        StartsWith("::error title=kvprof step_time inconclusive::")
    );
    policy.on_inconclusive = OnInconclusive::warn;
    EXPECT_THAT(
        annotations_of({noisy()}, policy),
        StartsWith("::warning title=kvprof step_time inconclusive::step_time too-noisy, would have")
    );
}

TEST(Github, OnlyNotesARegressionThatIsAccepted) {
    analyzers::Policy policy = with_file(policy_of({"launches"}));
    policy.accepted = {{"launches", "", "2026-12-31", "a table of its own", 9}};
    EXPECT_EQ(
        annotations_of({count("step.launches", 40, 41)}, policy),
        "::notice file=ci/kvprof.toml,line=9,title=kvprof launches regressed (accepted)::launches "
        "40 -> 41 (+1); accepted until 2026-12-31: a table of its own\n"
    );
}

TEST(Github, SaysNothingOfWhatIsTheSame) {
    EXPECT_EQ(annotations_of({same_time()}, policy_of({"step_time"})), "");
}

TEST(Github, NamesMetricsThatNobodyMeasured) {
    EXPECT_THAT(
        annotations_of({same_time()}, policy_of({"step_time", "wall_time"})),
        StartsWith("::error title=kvprof wall_time inconclusive::wall_time not-measured")
    );
}

TEST(Github, NamesACaseThatCanNotBeComparedOnce) {
    Report report = test::gate_report(Format::github);
    auto& gate = std::get<Judged>(report.subject).gate;
    gate.cases[1].concerns = {{analyzers::Severity::blocks, "tp", "tp differs: 1 -> 2"}};
    EXPECT_EQ(
        github_parts(report).annotations,
        "::error title=kvprof not comparable::batch=64: tp differs: 1 -> 2\n"
    );
}

TEST(Github, ShowsTenOfALevelAndCountsTheRestInTheTenth) {
    const std::string ten = annotations_of_buffers(10);
    EXPECT_EQ(std::count(ten.begin(), ten.end(), '\n'), 10);
    EXPECT_THAT(ten, HasSubstr("ledger.b9.bytes"));
    const std::string more = annotations_of_buffers(12);
    EXPECT_EQ(std::count(more.begin(), more.end(), '\n'), 10);
    EXPECT_THAT(more, Not(HasSubstr("ledger.b9.bytes")));
    EXPECT_THAT(more, HasSubstr("::error title=kvprof::3 more of this kind"));
}

TEST(Github, EscapesWhatWouldEndACommand) {
    Report report = test::report_of(
        Format::github, {count("step.launches", 40, 41)}, with_file(policy_of({"launches"}))
    );
    auto& gate = std::get<Judged>(report.subject).gate;
    gate.policy.origin = "a,b:c%d\ne.toml";
    gate.cases.front().cell = "50%,\r\n::error::x";
    EXPECT_EQ(
        github_parts(report).annotations,
        "::error file=a%2Cb%3Ac%25d%0Ae.toml,line=3,title=kvprof launches regressed::launches at "
        "50%25,%0D%0A::error::x 40 -> 41 (+1)\n"
    );
}

TEST(Github, HandsVerdictCodeAndReportToLaterSteps) {
    const Report report = test::gate_report(Format::github);
    EXPECT_EQ(
        github_parts(report).outputs,
        "verdict=regressed\nexit_code=1\nreport=" + report_id(report.recipe) + "\n"
    );
}

TEST(Github, SummaryOfAnythingIsUnderOneMebibyteOfBytes) {
    Report report = test::gate_report(Format::github);
    auto& gate = std::get<Judged>(report.subject).gate;
    std::string letters;
    for (int i = 0; i < 100; ++i) {
        letters += "\xe2\x82\xac"; // three bytes, one character
    }
    gate.remarks.assign(8000, letters);
    gate.cases.front().not_measured.assign(8000, letters);
    const std::string summary = github_parts(report).summary;
    EXPECT_LT(summary.size(), 1U << 20U);
    EXPECT_EQ(valid_utf8(summary), summary) << "it is cut within a character";
}

TEST(Github, RefusesWhatIsNotJudged) {
    EXPECT_THROW((void)github_parts(test::run_report(Format::github)), UsageError);
}

} // namespace
} // namespace kvprof::report
