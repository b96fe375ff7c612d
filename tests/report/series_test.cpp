#include "report/series.h"

#include "tests/report/sample_reports.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace kvprof::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names_of(const Report& report) {
    std::vector<std::string> names;
    for (const Series& series : series_of(report)) {
        names.push_back(series.name);
    }
    return names;
}

TEST(Series, OfAComparisonAreItsCasesWithTheBaseFirst) {
    const Report report = test::gate_report(Format::gbench);
    EXPECT_THAT(
        names_of(report),
        ElementsAre(
            "decode/batch=8/side=base",
            "decode/batch=8/side=candidate",
            "decode/batch=64/side=base",
            "decode/batch=64/side=candidate"
        )
    );
    const Series last = series_of(report).back();
    EXPECT_EQ(last.cell, "batch=64");
    EXPECT_EQ(last.side, "candidate");
    EXPECT_EQ(last.runs.size(), 8U);
}

TEST(Series, OfALoneCaseAreNamedByTheSideAlone) {
    EXPECT_THAT(
        names_of(test::lone_gate_report(Format::gbench)),
        ElementsAre("decode/side=base", "decode/side=candidate")
    );
}

TEST(Series, OfAnExperimentHoldTheCompleteRunsOfEachVariant) {
    const Report report = test::experiment_report(Format::gbench);
    const std::vector<Series> list = series_of(report);
    ASSERT_THAT(
        names_of(report), ElementsAre("decode/index-mode=rectangle", "decode/index-mode=stream")
    );
    EXPECT_EQ(list[1].side, "");
    ASSERT_EQ(list[1].runs.size(), 2U); // the third one is void
    EXPECT_EQ(list[1].runs[1]->uuid, test::uuid_of('4'));
}

TEST(Series, OfARunThatIsNotCompleteAreNone) {
    Report report = test::run_report(Format::gbench);
    std::get<kvprof::Run>(report.subject).status.state = RunState::voided;
    EXPECT_THAT(series_of(report), IsEmpty());
}

TEST(Series, OfAnOpMeasuredAloneAreNamedByIt) {
    Report report = test::run_report(Format::gbench);
    std::get<kvprof::Run>(report.subject).measure.op = "page-table";
    EXPECT_THAT(names_of(report), ElementsAre("page-table/index-mode=rectangle"));
}

TEST(Series, OfCasesThatShareACellAreToldApartByWhatChanged) {
    Report report = test::gate_report(Format::gbench);
    auto& cases = std::get<Judged>(report.subject).gate.cases;
    cases[0].spec_changes = {{"index-mode", "rectangle", "stream"}};
    cases[1].spec_changes = cases[0].spec_changes;
    cases[1].cell = cases[0].cell;
    EXPECT_THAT(
        names_of(report),
        ElementsAre(
            "decode/batch=8/index-mode=rectangle->stream/side=base",
            "decode/batch=8/index-mode=rectangle->stream/side=candidate",
            "decode/batch=8/index-mode=rectangle->stream#2/side=base",
            "decode/batch=8/index-mode=rectangle->stream#2/side=candidate"
        )
    );
}

TEST(Series, HaveNamesWithoutBlanksThatDiffer) {
    const std::vector<std::string> names = names_of(test::hostile_report(Format::gbench));
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 4U);
    EXPECT_TRUE(names[2].starts_with("decode/preset=a/\"b\"/'c'/d/|/`e`/<script>")) << names[2];
    for (const std::string& name : names) {
        EXPECT_EQ(name.find_first_of(" \t\r\n\x01"), std::string::npos) << name;
    }
}

} // namespace
} // namespace kvprof::report
