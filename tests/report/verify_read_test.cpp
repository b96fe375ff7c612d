#include "capture/model/error.h"
#include "report/verify.h"
#include "tests/report/verify_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kvprof::report {
namespace {

using namespace verify_samples;
using testing::HasSubstr;

TEST(ReadReport, TakesMarkdownOutOfALongerText) {
    const std::string report = markdown_sample();
    const std::string body = "I measured it:\n\n" + report + "\nThanks, 3 times!\n";
    const ReportFile file = read_report(body);
    EXPECT_EQ(file.format, Format::markdown);
    ASSERT_TRUE(file.recipe);
    EXPECT_EQ(*file.recipe, recipe_of(Format::markdown));
    EXPECT_EQ(std::string(file.text) + "\n", report);
    EXPECT_FALSE(compare_reports(file.text, report, file.format).difference);
}

TEST(ReadReport, TakesTheLineEndsOfGithub) {
    std::string body;
    for (const char letter : markdown_sample()) {
        body += letter == '\n' ? "  \r\n" : std::string(1, letter);
    }
    const ReportFile file = read_report(body);
    ASSERT_TRUE(file.recipe);
    EXPECT_FALSE(compare_reports(file.text, markdown_sample(), file.format).difference);
}

TEST(ReadReport, TakesAMarkerInsideALineForAName) {
    std::string report = markdown_sample();
    const std::size_t table = report.find("\n|");
    ASSERT_NE(table, std::string::npos);
    report.insert(table + 2, " `<!-- kvprof-begin -->` `<!-- kvprof-report {} -->` |");
    const std::string body = "Before.\n" + report;
    const ReportFile file = read_report(body);
    ASSERT_TRUE(file.recipe);
    EXPECT_EQ(std::string(file.text) + "\n", report);
}

TEST(ReadReport, OfSeveralReportsTakesNone) {
    const std::string two = markdown_sample() + markdown_sample();
    EXPECT_THROW(static_cast<void>(read_report(two)), UsageError);
}

TEST(ReadReport, NamesWhatItLookedFor) {
    for (const char* text :
         {"",
          "hello",
          "{\"a\": 1}",
          "[]",
          "<?xml version=\"1.0\"?><svg/>",
          "<!doctype html><p>hi</p>",
          "{ not json"}) {
        try {
            static_cast<void>(read_report(text));
            ADD_FAILURE() << "read as a report: " << text;
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(), HasSubstr("could not read the report: ")) << text;
            EXPECT_FALSE(error.hint().empty()) << text;
        }
    }
    const std::string cut = markdown_sample().substr(0, markdown_sample().size() - 30);
    EXPECT_THROW(static_cast<void>(read_report(cut)), UsageError);
}

TEST(ReadReport, FindsTheRecipeOfEachForm) {
    const std::string recipe = recipe_json(recipe_of(Format::json));
    EXPECT_TRUE(
        read_report(R"({"schema":"kvprof.run/1","report":{"recipe":)" + recipe + "}}").recipe
    );
    EXPECT_TRUE(
        read_report(R"({"report":{"recipe":)" + recipe + "}}\n{\"record\":\"run\"}\n").recipe
    );
    const std::string page = "<!doctype html>\n<script>let a = {};</script>"
                             "<script type=\"application/json\" id=\"kvprof-recipe\">";
    EXPECT_TRUE(read_report(page + recipe + "</script>").recipe);
    std::string attribute;
    for (const char letter : recipe) {
        attribute += letter == '"' ? "&quot;" : std::string(1, letter);
    }
    EXPECT_TRUE(read_report(
                    "<testsuites><properties><property name=\"kvprof.recipe\" value=\"" + attribute
                    + "\"/></properties></testsuites>"
    )
                    .recipe);
}

TEST(ReadReport, GuessesTheFormOfOthers) {
    EXPECT_EQ(read_report(text_sample()).format, Format::text);
    EXPECT_EQ(read_report(csv_sample()).format, Format::csv);
    EXPECT_EQ(read_report(kJunit).format, Format::junit);
    EXPECT_EQ(
        read_report("kvprof-report: kvr_1\nBenchmarkA 1 2 ns/op\n").format, Format::benchstat
    );
    EXPECT_EQ(
        read_report("# TYPE kvprof_runs gauge\nkvprof_runs 8\n# EOF\n").format, Format::openmetrics
    );
    EXPECT_EQ(read_report(R"({"a":{"launches":{"value":41}}})").format, Format::bmf);
    EXPECT_EQ(
        read_report(R"([{"name":"a","unit":"ns","value":1}])").format,
        Format::github_action_benchmark
    );
}

} // namespace
} // namespace kvprof::report
