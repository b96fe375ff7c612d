#include "report/document.h"

#include "report/renderers.h"
#include "tests/analyzers/ab_runs.h"
#include "tests/analyzers/gate_rows.h"
#include "tests/analyzers/shown_examples.h"
#include "tests/report/shown_documents.h"
#include "tests/support/example_runs.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kvprof::report {
namespace {

using test::expect_golden;
using test::shown;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const char* const kDesign = "8 + 8 runs a gate, seed 42";

void expect_goldens(const std::string& name, const Document& document) {
    expect_golden(name + ".txt", text(document));
    expect_golden(name + ".md", markdown(document));
}

TEST(Document, MatchesTheGoldens) {
    expect_goldens("comparison", shown(test::rectangle_to_stream()));
    expect_goldens("comparison_cuda_host", shown(test::cuda_to_host()));
    expect_goldens("traced_comparison", shown(test::traced_rectangle_to_stream()));
    expect_goldens("too_few_runs", shown(test::too_few_runs()));
    expect_goldens("ab", shown(test::regression()));
    expect_goldens("cases", shown(test::two_cases()));
    expect_goldens("pairs", shown(test::paired_matrix()));
    expect_goldens("gate", shown(test::gated()));
    expect_goldens("run", document_of(test::filled_run()));
    expect_goldens("traced_run", document_of(test::traced_run()));
    expect_goldens("experiment", document_of(test::matrix_experiment()));
    expect_golden(
        "ab_experiment.txt",
        text(document_of(test::ab_experiment(test::v16_base(), test::v16_candidate())))
    );
    expect_goldens("calibration", document_of(test::calibration()));
    expect_goldens("selftest", document_of(test::selftest_rows(), kDesign));
}

std::vector<std::string> titles_of(const Document& document) {
    std::vector<std::string> titles;
    for (const Part& part : document.parts) {
        titles.push_back(part.title);
    }
    return titles;
}

const analyzers::Table& first_table(const Document& document) {
    return *document.parts.front().sections.front().table;
}

TEST(Document, OfAReportEndsWithItsCheckAndNamesItsProgram) {
    const Document document = document_of(test::regression_report());
    EXPECT_THAT(
        document.check, testing::MatchesRegex("report kvr_.*; check with kvprof verify FILE")
    );
    EXPECT_EQ(document.recipe, recipe_json(test::regression_report().recipe));
    EXPECT_THAT(
        document.parts.back().sections.back().lines,
        ElementsAre("this report was written by kvprof 0.1.0")
    );
    EXPECT_FALSE(document.not_measured.empty());
}

TEST(Document, ShowsByWhichCommandAndDesignItWasMeasured) {
    const std::string text = report::text(document_of(test::regression_report()));
    EXPECT_THAT(text, HasSubstr("kvprof run --ab '' '--delay-op token-stream --delay-us 180'"));
    EXPECT_THAT(text, HasSubstr("ABBA blocks, 8 runs a side, seed 42"));
}

TEST(Document, BeginsWithItsClaims) {
    Report report = test::regression_report();
    report.claims = CheckedClaims{};
    report.claims->file.title = "The stream costs 1.5 %";
    ClaimAnswer answer;
    answer.claim.text = "step_time B/A = +1.5% +- 0.3%";
    answer.measured = "+1.49 % [+1.41, +1.57]";
    answer.verdict = ClaimVerdict::supported;
    report.claims->answers = {answer};
    const Document document = document_of(report);
    EXPECT_EQ(document.title, "The stream costs 1.5 %");
    EXPECT_THAT(document.lead.front(), HasSubstr("delay-us: 0 -> 180"));
    EXPECT_EQ(document.parts.front().title, "claims");
    EXPECT_EQ(first_table(document).rows().front().front().text, answer.claim.text);
    EXPECT_THAT(titles_of(document), Contains("samples, method, environment"));
}

/// One case with this many equal rows and then one that regressed.
Judged many_rows(std::size_t equal) {
    std::vector<analyzers::Delta> rows(equal, analyzers::test_rows::same_time());
    rows.push_back(analyzers::test_rows::slower());
    return test::judged_of({analyzers::test_rows::case_of(std::move(rows))});
}

TEST(Document, ShowsEightDecidingRowsOnThePageThoseThatAreNotTheSameFirst) {
    const Document document = document_of({{}, {}, many_rows(10), {}});
    EXPECT_EQ(first_table(document).rows().size(), 8U);
    EXPECT_EQ(first_table(document).rows().front().at(4).text, "regressed");
    EXPECT_THAT(
        document.parts.front().sections.front().lines,
        ElementsAre("3 more are below: further primary rows")
    );
    EXPECT_THAT(titles_of(document), Contains("further primary rows"));
}

TEST(Document, LeavesEightDecidingRowsInTheirOrder) {
    const Document document = document_of({{}, {}, many_rows(7), {}});
    EXPECT_EQ(first_table(document).rows().size(), 8U);
    EXPECT_EQ(first_table(document).rows().front().at(4).text, "same");
    EXPECT_THAT(document.parts.front().sections.front().lines, testing::IsEmpty());
}

TEST(Document, NamesTheCasesOfALineThatNotAllHave) {
    std::vector<analyzers::Comparison> cases = test::two_cases();
    cases[1].notes = {"the second"};
    const std::string text = report::text(shown(cases));
    EXPECT_THAT(text, HasSubstr("\n  batch=64: the second\n"));
    EXPECT_THAT(text, HasSubstr("\n  warns: treatment: 2 fields differ")) << "both have it";
}

TEST(Document, SaysWhatIsNotMeasuredAlsoWhenThatIsNothing) {
    Report report{{}, {}, many_rows(1), {}};
    EXPECT_THAT(document_of(report).not_measured, ElementsAre(HasSubstr("nothing")));
}

TEST(Document, SaysWhenThereIsNothingToShow) {
    EXPECT_THAT(document_of(Experiment{}).lead.front(), HasSubstr("0 of 0 runs complete"));
    analyzers::PairedComparison none;
    none.field = "batch";
    EXPECT_EQ(shown(none).title, "no pair of runs differs in batch alone");
    EXPECT_EQ(shown(std::vector<analyzers::Comparison>{}).title, "no case was compared");
}

TEST(Document, OfAGateHasItsLineAndTheAcceptancesThatHavePassed) {
    const Document document = shown(test::gated());
    EXPECT_EQ(document.judge, "gate");
    EXPECT_EQ(document.verdict, "regressed (1)");
    EXPECT_THAT(document.reasons, ElementsAre("step_time at batch=64 +1.49% [+1.41, +1.57] > 1%"));
    EXPECT_THAT(text(document), HasSubstr("no longer, 2026-01-31 has passed"));
}

TEST(Document, OfAGateShowsTheLimitsOfAKernel) {
    analyzers::Comparison one = analyzers::test_rows::case_of({});
    analyzers::KernelDelta kernel;
    kernel.name = "fill";
    kernel.verdict = analyzers::Verdict::inconclusive;
    one.kernels = {kernel};
    const analyzers::Policy policy = analyzers::test_rows::policy_of({"kernels"});
    const auto result = analyzers::gate_of({one}, policy, analyzers::test_rows::kToday);
    EXPECT_THAT(text(shown(result)), HasSubstr("3 % and 200 ns and 0.1 % of the step"));
}

/// Two imported captures, the second with `after` where the first has `before`.
analyzers::Comparison renamed(const std::string& before, const std::string& after) {
    const auto side = [](const std::string& name, std::int64_t ns) {
        kvprof::Run run = test::step_run(IndexMode::stream, {});
        run.profile.emplace();
        PassResult nodes;
        nodes.pass = Pass::nodes;
        nodes.steps = 1;
        run.passes = {nodes};
        for (const std::string& one : {std::string("mm"), name}) {
            KernelStat kernel;
            kernel.name = one;
            kernel.grid = {4, 1, 1};
            kernel.block = {128, 1, 1};
            kernel.launches = 2;
            kernel.time = std::chrono::nanoseconds(one == name ? ns : 5'000);
            run.kernels.push_back(kernel);
        }
        run.profile->neighbours = {{0, {}, 1}, {1, 0, {}}};
        return analyzers::side_of(name, {run});
    };
    return analyzers::compare(side(before, 3'000), side(after, 4'000));
}

TEST(Document, SaysWhollyWhatAKernelWasRenamedFrom) {
    const std::string before = "fused_" + std::string(90, 'a') + "_3";
    const std::string after = "fused_" + std::string(90, 'a') + "_4";
    const std::string words = text(shown(std::vector{renamed(before, after)}));
    EXPECT_THAT(words, HasSubstr(after + ": renamed from\n    " + before));
    // Names that are short alike are told apart by what they are in full.
    EXPECT_THAT(
        text(shown(std::vector{renamed("void f(int)", "void f(long)")})),
        HasSubstr("void f(long): renamed from void f(int)")
    );
}

TEST(Document, SaysWhichDifferencesWereNotDeclared) {
    analyzers::Comparison comparison = test::regression();
    comparison.treatment = {"delay-op"};
    const std::string title = shown(comparison).title;
    EXPECT_THAT(title, HasSubstr("delay-us: 0 -> 180 (not declared)"));
    EXPECT_THAT(title, Not(HasSubstr("token-stream (not declared)")));
}

TEST(Document, OfAnExperimentCountsAVoidRunAsNeither) {
    const Experiment experiment = test::ab_experiment(test::v16_base(), test::v16_candidate());
    const std::string text = report::text(document_of(experiment));
    EXPECT_THAT(text, HasSubstr("ab, complete: 16 of 16 runs complete, 1 void"));
    EXPECT_THAT(text, HasSubstr("void: foreign-process: 1.20 GiB came"));
}

TEST(Document, OfASelftestSaysThatAPromiseWasBroken) {
    std::vector<analyzers::SelftestRow> rows = test::selftest_rows();
    rows[1].holds = false;
    EXPECT_EQ(document_of(rows, "").title, "selftest does not hold: 1 of 2 promises");
}

} // namespace
} // namespace kvprof::report
