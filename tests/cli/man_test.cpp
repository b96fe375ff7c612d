#include "capture/model/error.h"
#include "cli/exit_code.h"
#include "cli/man_page.h"
#include "cli/man_roff.h"
#include "cli/parse.h"
#include "cli/verbs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace kvprof::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::string printed(const std::vector<std::string>& arguments) {
    return std::get<HelpOptions>(parse(arguments)).text;
}

/// Every page, by the name of its verb.
std::vector<std::pair<std::string, std::string>> pages() {
    std::vector<std::pair<std::string, std::string>> all{{"", printed({"man"})}};
    for (const Verb& verb : kVerbs) {
        const std::string name(verb.name);
        all.emplace_back(name, printed({"man", name}));
    }
    return all;
}

TEST(Roff, KeepsEachSignOfACommandAsItIs) {
    EXPECT_EQ(roff_code("--a-b 'c' ~/x \\n"), "\\-\\-a\\-b \\(aqc\\(aq \\(ti/x \\en");
    EXPECT_EQ(roff_code("@latest~1 ^`"), "@latest\\(ti1 \\(ha\\(ga");
}

TEST(Roff, KeepsTheHyphenOfProseAndTheMinusOfAnOption) {
    EXPECT_EQ(
        roff_text("well-kept --samples 0 or (-1), a \\"),
        "well-kept \\-\\-samples 0 or (\\-1), a \\e"
    );
}

TEST(Roff, WritesWhatIsNoAsciiAsItsCodePoint) {
    EXPECT_EQ(
        roff_text("2 \xc3\x97 3 \xe2\x86\x92 \xf0\x9f\x99\x82."),
        "2 \\[u00D7] 3 \\[u2192] \\[u1F642]."
    );
}

TEST(Roff, TakesNoLineOfTextForARequest) {
    EXPECT_EQ(roff_line(".kvprof is a folder"), "\\&.kvprof is a folder\n");
    EXPECT_EQ(roff_line("'tis"), "\\&'tis\n");
    EXPECT_EQ(roff_line("a."), "a.\n");
}

TEST(Roff, ReadsCodeAndLinksOfMarkdown) {
    EXPECT_EQ(
        roff_of_markdown("take `--by X`, see [the policy](gating.md#a), [a, b] and `"),
        "take \\fB\\-\\-by X\\fP, see the policy, [a, b] and \\(ga"
    );
}

constexpr std::string_view kPage =
    "# T\n\n## a\n\nOne\n`two`.\n\nThree.\n\n```sh\nx\n```\n\nFour.\n\n"
    "## b\n\n| h | i |\n|---|---|\n| `c` | d e |\n| f |  |\n\n## c\n\n- x\n";

TEST(Roff, ReadsTheProseThatStandsFirstInASection) {
    EXPECT_THAT(first_paragraphs(kPage, "## a"), ElementsAre("One `two`.", "Three."));
    EXPECT_THAT(first_paragraphs(kPage, "## c"), IsEmpty());
    EXPECT_THAT(first_paragraphs(kPage, "## d"), IsEmpty());
}

TEST(Roff, ReadsTheRowsOfATable) {
    EXPECT_THAT(
        first_table(kPage, "## b"), ElementsAre(ElementsAre("`c`", "d e"), ElementsAre("f", ""))
    );
    EXPECT_THAT(first_table(kPage, "## a"), IsEmpty());
}

TEST(ManPage, HasEveryOptionThatHelpHas) {
    for (const Verb& verb : kVerbs) {
        const std::string name(verb.name);
        const std::string page = printed({"man", name});
        const std::string help = printed({"help", name});
        const std::regex line("\n  (?:(-[a-z]),)?(--[a-z0-9-]+)");
        for (std::sregex_iterator at(help.begin(), help.end(), line); at != std::sregex_iterator();
             ++at) {
            const std::string option = roff_code((*at)[2].str());
            EXPECT_THAT(page, HasSubstr("\\fB" + option + "\\fP")) << name;
        }
    }
}

TEST(ManPage, HasItsSectionsInTheirUsualOrder) {
    for (const auto& [verb, page] : pages()) {
        std::size_t before = 0;
        for (const char* section :
             {"NAME",
              "SYNOPSIS",
              "DESCRIPTION",
              "EXAMPLES",
              "EXIT STATUS",
              "ENVIRONMENT",
              "FILES",
              "SEE ALSO"}) {
            const std::size_t at = page.find(std::string("\n.SH ") + section + "\n");
            ASSERT_NE(at, std::string::npos) << verb << " " << section;
            EXPECT_GT(at, before) << verb << " " << section;
            before = at;
        }
    }
}

TEST(ManPage, UsesTheRequestsOfManAndTakesNoTextForOne) {
    const std::set<std::string> requests{".TH", ".SH", ".SS", ".TP", ".PP", ".br", ".nf", ".fi"};
    for (const auto& [verb, page] : pages()) {
        EXPECT_THAT(page, StartsWith(".TH KVPROF")) << verb;
        std::istringstream lines(page);
        for (std::string line; std::getline(lines, line);) {
            EXPECT_FALSE(line.empty() || line.ends_with(' ')) << verb << ": \"" << line << '"';
            EXPECT_FALSE(line.starts_with('\'')) << verb << ": " << line;
            if (line.starts_with('.')) {
                EXPECT_THAT(requests, testing::Contains(line.substr(0, line.find(' ')))) << verb;
            }
        }
    }
}

TEST(ManPage, ListsEveryExitCodeAndEveryVerb) {
    const std::string page = printed({"man"});
    EXPECT_THAT(exit_codes(), SizeIs(11));
    for (const auto& [code, meaning] : exit_codes()) {
        const std::string tag = "\\fB" + std::to_string(static_cast<int>(code)) + "\\fP";
        EXPECT_THAT(page, HasSubstr(".TP\n" + tag + "\n" + roff_text(meaning) + "\n"));
    }
    for (const Verb& verb : kVerbs) {
        const std::string name(verb.name);
        EXPECT_THAT(page, HasSubstr("\n\\fBkvprof\\-" + name + "\\fP(1)"));
        EXPECT_THAT(printed({"man", name}), HasSubstr("\n\\fBkvprof\\fP(1),\n"));
    }
}

TEST(ManPage, DescribesAVerbAsTheDocumentationDoes) {
    EXPECT_THAT(printed({"man", "ls"}), HasSubstr(".SH DESCRIPTION\nLists the stored experiments"));
    EXPECT_THAT(printed({"man"}), HasSubstr("\\fB@latest\\fP, \\fB@latest\\(ti1\\fP\n"));
}

TEST(ManPage, RefusesAVerbThatIsNoneAndNamesTheNearest) {
    try {
        (void)parse({"man", "rnu"});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what() + std::string(error.hint()), HasSubstr("run"));
    }
    EXPECT_THROW((void)parse({"man", "_measure"}), UsageError);
}

} // namespace
} // namespace kvprof::cli
