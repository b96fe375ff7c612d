#include "report/metric_families.h"
#include "report/render.h"
#include "tests/report/sample_reports.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

namespace kvprof::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string family_name(std::string_view id, std::string_view of) {
    const FamilyName name = family_of(id, analyzers::metric(of));
    return name.label.empty()
               ? name.family
               : name.family + "{" + std::string(name.label) + "=" + name.value + "}";
}

TEST(OpenMetrics, NamesMetricsByTheWordsOfAPolicy) {
    EXPECT_EQ(family_name("step.gpu_time", "step.gpu_time"), "kvprof_step_time_seconds");
    EXPECT_EQ(family_name("step.launches", "step.launches"), "kvprof_launches");
    EXPECT_EQ(
        family_name("ledger.graph.bytes", "ledger.<group>.bytes"), "kvprof_graph_memory_bytes"
    );
}

TEST(OpenMetrics, NamesOtherMetricsByTheirIds) {
    EXPECT_EQ(
        family_name("step.host_launch", "step.host_launch"), "kvprof_step_host_launch_seconds"
    );
    EXPECT_EQ(family_name("op.gpu_time", "op.gpu_time"), "kvprof_op_gpu_time_seconds");
    EXPECT_EQ(
        family_name("op.page-table.time", "op.<name>.time"),
        "kvprof_op_time_seconds{name=page-table}"
    );
    EXPECT_EQ(
        family_name("ledger.tables.bytes", "ledger.<group>.bytes"),
        "kvprof_ledger_group_bytes{group=tables}"
    );
    EXPECT_EQ(
        family_name("op.attention.live_fraction", "op.<name>.live_fraction"),
        "kvprof_op_live_fraction_ratio{name=attention}"
    );
}

TEST(OpenMetrics, GivesEachMetricAFamilyOfItsOwn) {
    std::set<std::string> families;
    for (const analyzers::MetricDef& metric : analyzers::metric_catalogue()) {
        std::string id(metric.id);
        if (const std::size_t open = id.find('<'); open != std::string::npos) {
            id.replace(open, id.find('>') + 1 - open, "something");
        }
        const std::string family = family_of(id, metric).family;
        EXPECT_TRUE(families.insert(family).second) << family;
        EXPECT_EQ(
            family.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos
        ) << family;
    }
}

TEST(OpenMetrics, ListsAnExperiment) {
    const Report report = test::experiment_report(Format::openmetrics);
    test::expect_golden("experiment.openmetrics", test::without_recipe(report, render(report)));
}

TEST(OpenMetrics, NamesCaseSideAndVerdicts) {
    const std::string text = render(test::gate_report(Format::openmetrics));
    for (const char* line :
         {R"(kvprof_step_time_seconds{case="batch=64",side="candidate",stat="median"} 0.0125927)",
          R"(kvprof_graph_memory_bytes{case="batch=8",side="base"} 1073741824)",
          R"(kvprof_runs{case="batch=8",side="base"} 8)",
          R"(kvprof_verdict{verdict="regressed"} 1)",
          R"(kvprof_verdict{case="batch=64",metric="step_time",id="step.gpu_time",verdict="regressed"} 1)",
          "kvprof_exit_code 1"}) {
        EXPECT_THAT(text, HasSubstr(std::string("\n") + line + "\n"));
    }
}

TEST(OpenMetrics, OfARunHasNoVerdict) {
    const std::string text = render(test::run_report(Format::openmetrics));
    EXPECT_THAT(text, Not(HasSubstr("kvprof_verdict")));
    EXPECT_TRUE(text.ends_with("\n# EOF\n"));
}

TEST(OpenMetrics, ShowsThatRunsDisagreeAboutAnExactMetric) {
    Report report = test::experiment_report(Format::openmetrics);
    std::get<Experiment>(report.subject).runs[0].graph_nodes = 7;
    const std::string text = render(report);
    EXPECT_THAT(text, HasSubstr(R"(kvprof_graph_nodes{case="index-mode=rectangle",stat="max"} 7)"));
    EXPECT_THAT(text, HasSubstr(R"(kvprof_graph_nodes{case="index-mode=stream"} )"));
}

TEST(OpenMetrics, KeepsFamiliesTogetherAndSamplesApart) {
    std::istringstream lines(render(test::hostile_report(Format::openmetrics)));
    std::set<std::string> families;
    std::set<std::string> samples;
    std::string current;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("# TYPE ")) {
            current = line.substr(7, line.rfind(' ') - 7);
            EXPECT_TRUE(families.insert(current).second) << current;
        } else if (!line.starts_with("#")) {
            EXPECT_EQ(line.substr(0, line.find_first_of("{ ")), current);
            EXPECT_TRUE(samples.insert(line.substr(0, line.rfind(' '))).second) << line;
        }
    }
    EXPECT_GT(families.size(), 20U);
}

TEST(OpenMetrics, EscapesLabels) {
    Report report = test::run_report(Format::openmetrics);
    std::get<kvprof::Run>(report.subject).variant = "a\"b\\c\nd\re\x01\xff";
    EXPECT_THAT(
        render(report), HasSubstr("{case=\"a\\\"b\\\\c\\nd\\ne\xef\xbf\xbd\xef\xbf\xbd\"} 1\n")
    );
}

} // namespace
} // namespace kvprof::report
