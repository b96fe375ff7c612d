#include "report/markdown_blocks.h"
#include "report/markdown_words.h"
#include "report/renderers.h"
#include "report/utf8.h"
#include "tests/analyzers/shown_examples.h"
#include "tests/report/shown_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kvprof::report {
namespace {

using analyzers::Align;
using analyzers::Cell;
using analyzers::Table;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(MarkdownText, ShowsWordsAsTheyAre) {
    EXPECT_EQ(
        markdown_text("copy<int*, float*> & `x` ~y~ a\\b"),
        "copy\\<int\\*, float\\*> \\& \\`x\\` \\~y\\~ a\\\\b"
    );
    EXPECT_EQ(markdown_text("a|b"), "a|b");
    EXPECT_EQ(markdown_text("a|b", Place::cell), "a\\|b");
    EXPECT_EQ(markdown_text("step.gpu_time -1 [+1.41, +1.57]"), "step.gpu_time -1 [+1.41, +1.57]");
    EXPECT_EQ(markdown_text("_x_ [a](b) [c]: d"), "\\_x\\_ [a\\](b) [c\\]: d");
    EXPECT_EQ(markdown_text("two\r\nlines\n\n    x "), "two lines      x");
    EXPECT_EQ(markdown_text("\xff\x1b"), "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(MarkdownText, BeginsNoBlock) {
    for (const char* const words :
         {"# a", "> a", "- a", "-", "--- a", "+ a", "[ ] a", "=== a", ": a"}) {
        EXPECT_EQ(markdown_text(words, Place::block), std::string("\\") + words);
        EXPECT_EQ(markdown_text(words, Place::cell), words);
    }
    EXPECT_EQ(markdown_text("12. a", Place::block), "12\\. a");
    EXPECT_EQ(markdown_text("1) a", Place::block), "1\\) a");
    EXPECT_EQ(markdown_text("-1.5 % a", Place::block), "-1.5 % a");
    EXPECT_EQ(markdown_text("1.5 % a", Place::block), "1\\.5 % a");
}

TEST(MarkdownText, MentionsNobody) {
    EXPECT_EQ(markdown_text("@latest a@b.c @ x"), "@<!-- -->latest a@b.c @ x");
    EXPECT_EQ(summary_text("<b> & @latest"), "&lt;b&gt; &amp; @<!-- -->latest");
}

TEST(MarkdownCode, HasAFenceThatTheNameDoesNotHold) {
    EXPECT_EQ(markdown_code("copy<int*>", false), "`copy<int*>`");
    EXPECT_EQ(markdown_code("a`b", false), "``a`b``");
    EXPECT_EQ(markdown_code("`a``", false), "``` `a`` ```");
    EXPECT_EQ(markdown_code(" a", false), "`  a `");
    EXPECT_EQ(markdown_code("a|b", false), "`a|b`");
    EXPECT_EQ(markdown_code("a||b|", true), "`a\\|\\|b\\|`");
    EXPECT_EQ(markdown_code("a\nb", true), "`a b`");
    EXPECT_EQ(markdown_code("", true), "");
    EXPECT_EQ(markdown_code("a\\|<b", true), "<code>a&#92;&#124;&#60;b</code>");
}

TEST(MarkdownTable, AlignsNumbersAndMarksCode) {
    Table table({{"name"}, {"size", Align::right}});
    table.add({Cell::code("x|y"), "12"});
    table.add({"x|y", "-"});
    EXPECT_EQ(
        markdown(table),
        "| name | size |\n"
        "|---|--:|\n"
        "| `x\\|y` | 12 |\n"
        "| x\\|y | - |\n"
    );
}

TEST(MarkdownPart, LeavesABlankLineInDetailsSoThatTablesRender) {
    Part part{"kernels <b>", Weight::detail, {{"", Table({{"a"}}), {}}}};
    EXPECT_EQ(whole(markdown_part(part)), "") << "an empty part is none";
    part.sections[0].table->add({"1"});
    EXPECT_EQ(
        whole(markdown_part(part)),
        "\n<details><summary>Kernels &lt;b&gt;</summary>\n\n| a |\n|---|\n| 1 |\n\n</details>\n"
    );
}

TEST(MarkdownPart, SaysHowManyRowsDoNotFit) {
    Part part{"rows", Weight::detail, {{"", Table({{"a"}}), {"line"}}}};
    for (int i = 0; i < 100; ++i) {
        part.sections[0].table->add({std::to_string(i)});
    }
    const std::string text = fitted(markdown_part(part), 300);
    EXPECT_LE(characters(text), 300U);
    EXPECT_THAT(text, HasSubstr("| 0 |\n"));
    EXPECT_THAT(text, HasSubstr("\n\n… "));
    EXPECT_THAT(text, HasSubstr(" more rows: kvprof report --format html\n"));
    EXPECT_THAT(text, EndsWith("</details>\n"));
    EXPECT_EQ(fitted(markdown_part(part), 50), "");
}

TEST(Markdown, OfAReportCanBeFoundInALongerTextAndCheckedFromIt) {
    const Document document = document_of(test::regression_report());
    const std::string text = markdown(document);
    EXPECT_THAT(text, StartsWith("<!-- kvprof-begin -->\n### delay-op: (none) -> token-stream"));
    EXPECT_THAT(text, HasSubstr("**Verdict: regressed.** step.gpu_time +1.49 % [+1.41, +1.57]"));
    EXPECT_THAT(text, EndsWith("\n<!-- kvprof-report " + document.recipe + " -->\n"));
    EXPECT_THAT(text, HasSubstr("; check with kvprof verify FILE.\n"));
    EXPECT_THAT(markdown(test::shown(test::regression())), Not(HasSubstr("<!--")));
}

Document large(std::size_t kernels) {
    Document document = document_of(test::regression_report());
    analyzers::Section names{"", Table({{"kernel"}}), {}};
    for (std::size_t i = 0; i < kernels; ++i) {
        names.table->add({Cell::code("kernel\xc2\xb5" + std::to_string(i))});
    }
    document.parts.insert(document.parts.begin() + 2, {"kernels", Weight::detail, {names}});
    return document;
}

TEST(Markdown, KeepsToTheRoomInCharactersAndShortensTheLongTable) {
    EXPECT_THAT(markdown(large(100)), Not(HasSubstr("…")));
    const std::string text = markdown(large(10'000));
    EXPECT_LE(characters(text), kGithubBody);
    EXPECT_THAT(text, HasSubstr(" more rows: kvprof report --format html\n"));
    EXPECT_THAT(text, HasSubstr("Samples, method, environment")) << "what follows has room";
    EXPECT_THAT(text, HasSubstr("**Not measured**"));
    EXPECT_THAT(text, EndsWith(" -->\n"));
}

TEST(Markdown, CountsCharactersAndNotBytes) {
    Document document = test::shown(test::regression());
    const std::size_t all = characters(markdown(document, 1'000'000));
    document.parts.front().sections.push_back({"", std::nullopt, {std::string(5000, 'x')}});
    std::string two_bytes;
    for (int i = 0; i < 5000; ++i) {
        two_bytes += "\xc2\xb5";
    }
    const std::string letters = markdown(document, all + 5003);
    document.parts.front().sections.back().lines = {two_bytes};
    EXPECT_THAT(letters, Not(HasSubstr("…")));
    EXPECT_THAT(markdown(document, all + 5003), Not(HasSubstr("…")));
}

TEST(Markdown, LeavesOutPartsFromTheLastOneOn) {
    Document document;
    document.title = "six parts";
    document.not_measured = {"more"};
    for (const char letter : {'a', 'b', 'c', 'd', 'e', 'f'}) {
        document.parts.push_back(
            {"part", Weight::detail, {{"", std::nullopt, {std::string(850, letter)}}}}
        );
    }
    const std::string text = markdown(document, 4096);
    EXPECT_LE(characters(text), 4096U);
    EXPECT_THAT(text, HasSubstr("dddd"));
    EXPECT_THAT(text, Not(HasSubstr("eeee")));
    EXPECT_THAT(
        text, HasSubstr("\n… 2 more parts: kvprof report --format html\n\n**Not measured**")
    );
}

TEST(Markdown, SaysWhatOfAPartDoesNotFit) {
    const std::string text = markdown(document_of(test::regression_report()), 4160);
    EXPECT_LE(characters(text), 4160U);
    EXPECT_THAT(text, HasSubstr(" more rows: kvprof report --format html\n"));
    EXPECT_THAT(text, HasSubstr(" more tables and lists: kvprof report --format html\n"));
    EXPECT_THAT(text, HasSubstr("| `step.gpu_time` |"));
    EXPECT_THAT(text, HasSubstr("**Not measured**"));
}

TEST(Markdown, FitsWhateverTheNamesAre) {
    const std::string name(5000, '*');
    Document document = document_of(test::regression_report());
    document.title = document.verdict = name;
    document.reasons = std::vector<std::string>(200, name);
    document.lead = document.reasons;
    document.not_measured = document.reasons;
    document.parts.front().sections.push_back({"notes", std::nullopt, {}});
    document.parts.front().sections.back().lines =
        std::vector<std::string>(10'000, name.substr(0, 50));
    const std::string begun = markdown(document);
    EXPECT_LE(characters(begun), kGithubBody);
    EXPECT_LE(characters(markdown_table(document)), kGithubBody);
    EXPECT_THAT(begun, HasSubstr("**Not measured**"));
    EXPECT_THAT(begun, HasSubstr("| `step.gpu_time` |"));
    EXPECT_THAT(begun, EndsWith(document.recipe + " -->\n"));
    EXPECT_LE(characters(markdown(document, 4096)), 4096U);
}

TEST(Markdown, SaysWhereTheRecipeIsThatHasNoRoom) {
    Document document = document_of(test::regression_report());
    document.recipe = "{\"policy\":\"" + std::string(kGithubBody, 'x') + "\"}";
    const std::string text = markdown(document);
    EXPECT_LE(characters(text), kGithubBody);
    EXPECT_THAT(text, StartsWith("<!-- kvprof-begin -->\n")) << "verify still knows it";
    EXPECT_THAT(text, Not(HasSubstr("kvprof-report")));
    EXPECT_THAT(text, EndsWith("json carries it, and can be checked.\n"));
}

TEST(MarkdownTableForm, IsTheVerdictAndTheFirstTable) {
    const std::string text = markdown_table(document_of(test::regression_report()));
    EXPECT_THAT(text, StartsWith("**Verdict: regressed.** step.gpu_time"));
    EXPECT_THAT(text, HasSubstr("\n\n| metric | base | candidate |"));
    EXPECT_THAT(text, EndsWith("| exact |  |  |\n"));
    EXPECT_THAT(text, Not(HasSubstr("<!--")));
}

} // namespace
} // namespace kvprof::report
