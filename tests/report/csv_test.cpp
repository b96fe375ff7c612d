#include "report/csv_text.h"
#include "report/renderers.h"
#include "tests/report/sample_reports.h"
#include "tests/support/example_runs.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace kvprof::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string table(Report report, CsvTable which) {
    report.recipe.table = which;
    return csv_table(report);
}

std::ptrdiff_t lines(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
}

/// The text cell as a table writes it.
std::string cell(const std::string& text) {
    static constexpr std::array kColumns{CsvColumn{"a", "/a"}};
    CsvText csv(kColumns);
    csv.add({{"a", text}});
    const std::string all = csv.text();
    return all.substr(3, all.size() - 5);
}

TEST(CsvText, WritesARowForEachObject) {
    static constexpr std::array kColumns{
        CsvColumn{"n", "/n"}, CsvColumn{"low", "/change/low"}, CsvColumn{"ok", "/ok"}};
    CsvText csv(kColumns);
    csv.add({{"n", -3}, {"change", {{"low", 0.25}}}, {"ok", true}});
    csv.add({{"n", nullptr}, {"change", nullptr}});
    EXPECT_EQ(csv.text(), "n,low,ok\r\n-3,0.25,true\r\n,,\r\n");
}

TEST(CsvText, QuotesWhatWouldEndACell) {
    EXPECT_EQ(cell("plain text"), "plain text");
    EXPECT_EQ(cell("a,b"), "\"a,b\"");
    EXPECT_EQ(cell("say \"b\""), "\"say \"\"b\"\"\"");
    EXPECT_EQ(cell("a\r\nb"), "\"a\r\nb\"");
}

TEST(CsvText, KeepsASpreadsheetFromRunningAName) {
    for (const char* formula : {"=1+1", "+1", "-1", "@sum", "\t=1"}) {
        EXPECT_EQ(cell(formula), "'" + std::string(formula)) << formula;
    }
    EXPECT_EQ(cell("\r=1"), "\"'\r=1\"");
    EXPECT_EQ(cell("a=1"), "a=1");
}

TEST(CsvText, ReplacesWhatNoReaderTakes) {
    EXPECT_EQ(cell("a\x01z\xc3("), "a\xef\xbf\xbdz\xef\xbf\xbd(");
}

TEST(CsvTable, MatchesTheGoldens) {
    const Report gate = test::lone_gate_report(Format::csv);
    test::expect_golden("report_metrics.csv", table(gate, CsvTable::metrics));
    test::expect_golden("report_samples.csv", table(gate, CsvTable::samples));
    test::expect_golden("report_kernels.csv", table(gate, CsvTable::kernels));
    test::expect_golden(
        "report_run_kernels.csv", table(test::run_report(Format::csv), CsvTable::kernels)
    );
}

TEST(CsvTable, HasOneRowAMetricOfEachCase) {
    const Report report = test::gate_report(Format::csv);
    std::size_t rows = 1;
    for (const auto& each : std::get<Judged>(report.subject).gate.cases) {
        rows += each.deltas.size();
    }
    const std::string metrics = table(report, CsvTable::metrics);
    EXPECT_EQ(lines(metrics), static_cast<std::ptrdiff_t>(rows));
    EXPECT_THAT(metrics, StartsWith("cell,metric,unit,better,kind,base_n,"));
    EXPECT_THAT(metrics, HasSubstr("\r\nbatch=64,step.gpu_time,ns,lower,sampled,8,12389000,"));
}

TEST(CsvTable, HasOneValueARunInSamples) {
    const std::string samples = table(test::lone_gate_report(Format::csv), CsvTable::samples);
    EXPECT_THAT(
        samples,
        HasSubstr("\r\n,base,a0000000000000000000000000000000,delay-us=0 batch=64,"
                  "2026-01-02T03:00:05Z,0,0,0,step.gpu_time,ns,12410200\r\n")
    );
    EXPECT_THAT(
        samples,
        HasSubstr("\r\n,candidate,b0100000000000000000000000000001,delay-us=180 batch=64,"
                  "2026-01-02T03:01:05Z,1,0,1,step.gpu_time,ns,12598100\r\n")
    );
}

TEST(CsvTable, ListsTheValuesOfAnExperimentsRuns) {
    const std::string samples = table(test::experiment_report(Format::csv), CsvTable::samples);
    EXPECT_THAT(samples, HasSubstr(",,11111111111111111111111111111111,index-mode=rectangle,"));
    EXPECT_THAT(samples, Not(HasSubstr(test::uuid_of('5')))); // a void run has no figures
}

TEST(CsvTable, HasAHeadWithoutRows) {
    const std::string kernels = table(test::experiment_report(Format::csv), CsvTable::kernels);
    EXPECT_EQ(lines(kernels), 1);
    EXPECT_THAT(kernels, StartsWith("run,variant,position,op,"));
}

TEST(CsvTable, KeepsHostileNamesInTheirCells) {
    const std::string kernels = table(test::hostile_report(Format::csv), CsvTable::kernels);
    EXPECT_THAT(kernels, HasSubstr("a \"\"b\"\" 'c'\r\nd | `e` <script>"));
    EXPECT_THAT(kernels, Not(HasSubstr("\x01")));
}

} // namespace
} // namespace kvprof::report
