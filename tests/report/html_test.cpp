#include "report/html_text.h"
#include "report/renderers.h"
#include "tests/report/sample_reports.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace kvprof::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

TEST(Escaped, NamesEveryCharacterThatHtmlWouldRead) {
    EXPECT_EQ(escaped(R"(<a b="c" d='e'>&)"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
}

TEST(Escaped, ReplacesWhatIsNoUtf8AndWhatHtmlForbids) {
    const std::string_view bad("a\x00\x1b\xff\xc3(\xed\xa0\x80z", 10);
    EXPECT_THAT(escaped(bad), ::testing::StartsWith("a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
    EXPECT_THAT(escaped(bad), Not(HasSubstr("\xff")));
    EXPECT_THAT(escaped(bad), ::testing::EndsWith("z"));
}

TEST(Escaped, LeavesOtherTextAlone) {
    EXPECT_EQ(escaped("caf\xC3\xA9 \xF0\x9F\x98\x80\n\t`|"), "caf\xC3\xA9 \xF0\x9F\x98\x80\n\t`|");
}

TEST(ScriptJson, LeavesNothingThatCouldEndAScript) {
    EXPECT_EQ(script_json(R"({"a":"</script><!--"})"), R"({"a":"\u003c/script>\u003c!--"})");
}

TEST(VerdictClass, KnowsVerdictsAndAnswersToClaims) {
    EXPECT_EQ(verdict_class("regressed"), "v-regressed");
    EXPECT_EQ(verdict_class("not comparable"), "v-incomparable");
    EXPECT_EQ(verdict_class("supported"), "v-improved");
    EXPECT_EQ(verdict_class("cannot be decided"), "v-inconclusive");
    EXPECT_EQ(verdict_class("\" onload=\"x"), "v-none");
}

TEST(HtmlWriter, EscapesTextAndAttributeValues) {
    Html html;
    html.element("p", "a<b", {{"title", "\"><script>"}});
    EXPECT_EQ(std::move(html).take(), "<p title=\"&quot;&gt;&lt;script&gt;\">a&lt;b</p>\n");
}

TEST(AddTable, ShowsIdsAsCodeAndVerdictsAsWords) {
    analyzers::Table table({{"metric"}, {"n", analyzers::Align::right}, {"verdict"}});
    table.add({analyzers::Cell::code("a<b"), "8", "improved"});
    Html html;
    add_table(html, table, "rows & \"more\"");
    const std::string text = std::move(html).take();
    EXPECT_THAT(text, HasSubstr("<code>a&lt;b</code>"));
    EXPECT_THAT(text, HasSubstr("<td class=\"n\">8</td>"));
    EXPECT_THAT(text, HasSubstr("<span class=\"word v-improved\">improved</span>"));
    EXPECT_THAT(text, HasSubstr("aria-label=\"rows &amp; &quot;more&quot;\""));
}

TEST(HtmlPage, IsTheSameEachTime) {
    EXPECT_EQ(
        html_page(test::gate_report(Format::html)), html_page(test::gate_report(Format::html))
    );
}

TEST(HtmlPage, SaysTheVerdictInWords) {
    const std::string page = html_page(test::gate_report(Format::html));
    EXPECT_THAT(page, HasSubstr("<strong class=\"pill v-regressed\">regressed"));
    EXPECT_THAT(page, HasSubstr("<title>regressed"));
}

TEST(HtmlPage, AsksForNothingFromANetwork) {
    for (const auto& report :
         {test::gate_report(Format::html),
          test::run_report(Format::html),
          test::experiment_report(Format::html)}) {
        const std::string page = html_page(report);
        EXPECT_THAT(page, HasSubstr("default-src &#39;none&#39;"));
        EXPECT_EQ(count(page, " src="), 0U);
        EXPECT_EQ(count(page, "<link "), 1U) << "the empty icon";
        EXPECT_THAT(page, HasSubstr("href=\"data:,\""));
        EXPECT_THAT(page, Not(HasSubstr("@import")));
        EXPECT_THAT(page, Not(HasSubstr("url(")));
    }
}

TEST(HtmlPage, AllowsItsOwnScriptsAndStyleAlone) {
    const std::string page = html_page(test::gate_report(Format::html));
    EXPECT_EQ(count(page, "&#39;sha256-"), 3U) << "style, library, script";
    const std::size_t first = page.find("&#39;sha256-") + std::string_view("&#39;sha256-").size();
    EXPECT_EQ(page.substr(first + 43, 6), "=&#39;") << "base64 of 32 bytes";
    EXPECT_THAT(page, Not(HasSubstr("unsafe-inline")));
    EXPECT_THAT(page, Not(HasSubstr("style=\""))) << "the policy would ignore it";
}

TEST(HtmlPage, KeepsTheLicenceLineOfItsLibrary) {
    const std::string page = html_page(test::gate_report(Format::html));
    EXPECT_THAT(page, HasSubstr("Chart.js v3.9"));
    EXPECT_THAT(page, HasSubstr("Released under the MIT License"));
}

TEST(HtmlPage, HasATableForEachChart) {
    for (const auto& report :
         {test::gate_report(Format::html),
          test::run_report(Format::html),
          test::experiment_report(Format::html)}) {
        const std::string page = html_page(report);
        const std::size_t charts = count(page, "<canvas ");
        EXPECT_GT(charts, 0U);
        EXPECT_EQ(count(page, "role=\"img\""), charts);
        EXPECT_EQ(
            count(page, "<summary>Figures of this chart</summary>\n<div class=\"scroll\""), charts
        );
    }
}

/// What the script element of that id holds.
nlohmann::json json_in(const std::string& page, const std::string& id) {
    const std::string start = "<script type=\"application/json\" id=\"" + id + "\">";
    const std::size_t from = page.find(start) + start.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(HtmlPage, EmbedsTheDocumentAndTheRecipe) {
    const Report report = test::gate_report(Format::html);
    const std::string page = html_page(report);
    EXPECT_TRUE(json_in(page, "kvprof-report") == nlohmann::json::parse(json_document(report)));
    EXPECT_EQ(json_in(page, "kvprof-recipe"), nlohmann::json::parse(recipe_json(report.recipe)));
}

TEST(HtmlPage, LeavesOutTheSingleStepsOfAnExperiment) {
    Report report = test::experiment_report(Format::html);
    std::get<Experiment>(report.subject).runs.front() = test::traced_run();
    const auto runs = json_in(html_page(report), "kvprof-report")["runs"];
    ASSERT_FALSE(runs.empty());
    for (const auto& run : runs) {
        EXPECT_TRUE(run.contains("metrics"));
        EXPECT_FALSE(run.contains("op_samples"));
        EXPECT_FALSE(run.contains("step_records"));
    }
}

TEST(HtmlPage, HoldsHostileNamesAsText) {
    const std::string page = html_page(test::hostile_report(Format::html));
    const std::size_t scripts = count(page, "<script");
    EXPECT_EQ(scripts, 5U) << "three of data, the library and the page's own";
    EXPECT_EQ(count(page, "</script"), scripts);
    EXPECT_EQ(count(page, "<img"), 0U);
    EXPECT_THAT(page, Not(HasSubstr("\xff")));
    EXPECT_EQ(page.find('\x1b'), page.npos);
}

TEST(HtmlPage, IsShortEnoughToAttach) {
    constexpr std::size_t kMost = 1'000'000;
    EXPECT_LT(html_page(test::gate_report(Format::html)).size(), kMost);
}

} // namespace
} // namespace kvprof::report
