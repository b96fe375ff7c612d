#include "report/listing.h"
#include "report/renderers.h"
#include "report/text_table.h"
#include "report/utf8.h"
#include "tests/analyzers/shown_examples.h"
#include "tests/report/shown_documents.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace kvprof::report {
namespace {

using analyzers::Align;
using analyzers::Fit;
using analyzers::Table;
using test::shown;
using testing::HasSubstr;

std::size_t widest_line(const std::string& text) {
    std::istringstream lines(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);) {
        widest = std::max(widest, characters(line));
    }
    return widest;
}

Table table_with(const std::string& variant) {
    Table table({{"run"}, {"variant", Align::left, Fit::elided}, {"check"}});
    table.add({"11111111", variant, std::string(100, 'c')});
    return table;
}

TEST(TextTable, AlignsColumnsAndLeavesNoTrailingBlank) {
    Table table({{"name"}, {"size", Align::right}, {"note"}});
    table.add({"a", "12", ""});
    table.add({"long name", "3", "x|y"});
    EXPECT_EQ(
        text_table(table, "  "),
        "  name       size  note\n"
        "  a            12\n"
        "  long name     3  x|y\n"
    );
}

TEST(TextTable, CountsCharactersAndNotBytes) {
    Table table({{"t"}, {"n"}});
    table.add({"\xc2\xb5s", "1"});
    table.add({"ms", "2"});
    EXPECT_EQ(text_table(table), "t   n\n\xc2\xb5s  1\nms  2\n");
}

TEST(TextTable, LeavesOutTheMiddleOfAnElidedCellToFitTheLine) {
    const std::string variant = "index-mode=rectangle seq-len=" + std::string(60, '1') + " batch=8";
    const std::string text = text_table(table_with(variant), "  ");
    EXPECT_EQ(widest_line(text), kLineWidth);
    EXPECT_THAT(text, HasSubstr("index-mode=rectangle"));
    EXPECT_THAT(text, HasSubstr("...1"));
    EXPECT_THAT(text, HasSubstr(" batch=8  ccc"));
}

TEST(TextTable, LeavesOutNothingOfARowThatFits) {
    EXPECT_THAT(
        text_table(table_with(std::string(46, 'v')), "  "), HasSubstr(std::string(46, 'v'))
    );
}

TEST(TextTable, CutsBetweenCharacters) {
    std::string variant;
    for (int i = 0; i < 90; ++i) {
        variant += "\xc2\xb5"; // two bytes each
    }
    EXPECT_THAT(text_table(table_with(variant)), HasSubstr("\xc2\xb5...\xc2\xb5"));
}

TEST(TextTable, KeepsARowOnOneLineAndATerminalAsItIs) {
    Table table({{"kernel"}, {"n"}});
    table.add({analyzers::Cell::code("two\nlines\x1b[2J\xff"), "1"});
    EXPECT_THAT(text_table(table), HasSubstr("two lines\xef\xbf\xbd[2J\xef\xbf\xbd  1\n"));
}

TEST(OneLine, ReplacesC1AndKeepsOtherLetters) {
    EXPECT_EQ(
        one_line("a\xc2\x9b"
                 "b\xc2\xb5\r\nc\x7f"),
        "a\xef\xbf\xbd"
        "b\xc2\xb5 c\xef\xbf\xbd"
    );
}

TEST(Text, FitsTheTablesOfReportsIntoALine) {
    EXPECT_LE(widest_line(text(shown(test::regression()))), kLineWidth);
    EXPECT_LE(widest_line(text(shown(test::two_cases()))), kLineWidth);
    EXPECT_LE(widest_line(text(shown(test::gated()))), kLineWidth);
}

TEST(Text, ShowsNoChangeOfATimeWithoutSayingWhatItIsWorth) {
    const std::string text = report::text(shown(test::too_few_runs()));
    EXPECT_THAT(text, HasSubstr("% (no interval)"));
    EXPECT_THAT(text, HasSubstr("3 + 3 runs can not go below p = 0.1"));
    EXPECT_THAT(text, HasSubstr("run at least"));
}

TEST(Text, ShowsEveryValue) {
    const std::string text = report::text(shown(test::regression()));
    for (const char* value : {"12410.2", "12409.1 us", "12598.1", "12594.6 us"}) {
        EXPECT_THAT(text, HasSubstr(value));
    }
}

TEST(Text, ClaimsNoCheckThatItCarriesNothingFor) {
    EXPECT_THAT(text(document_of(test::regression_report())), testing::Not(HasSubstr("kvr_")));
}

TEST(ListingText, MatchesTheGolden) {
    test::expect_golden("listing.txt", listing_text(test::listing()));
    EXPECT_EQ(listing_text({}), "no experiment is stored\n");
}

} // namespace
} // namespace kvprof::report
