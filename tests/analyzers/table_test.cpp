#include "analyzers/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace kvprof::analyzers {
namespace {

Table example() {
    Table table({{"name"}, {"size", Align::right}, {"note"}});
    table.add({"a", "12", ""});
    table.add({"long name", "3", "x|y"});
    return table;
}

TEST(Table, AlignsColumnsAndLeavesNoTrailingBlank) {
    EXPECT_EQ(
        example().text("  "),
        "  name       size  note\n"
        "  a            12\n"
        "  long name     3  x|y\n"
    );
}

TEST(Table, EscapesMarkdown) {
    EXPECT_EQ(
        example().markdown(),
        "| name | size | note |\n"
        "|---|--:|---|\n"
        "| a | 12 |  |\n"
        "| long name | 3 | x\\|y |\n"
    );
}

TEST(Table, CountsCharactersAndNotBytes) {
    Table table({{"t"}, {"n"}});
    table.add({"\xc2\xb5s", "1"});
    table.add({"ms", "2"});
    EXPECT_EQ(table.text(), "t   n\n\xc2\xb5s  1\nms  2\n");
}

std::size_t widest_line(const std::string& text) {
    std::istringstream lines(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);) {
        widest = std::max(widest, line.size());
    }
    return widest;
}

Table table_with(const std::string& variant) {
    Table table({{"run"}, {"variant", Align::left, Fit::elided}, {"check"}});
    table.add({"11111111", variant, std::string(100, 'c')});
    return table;
}

TEST(Table, EscapesWhatMarkdownWouldTakeForATagOrEmphasis) {
    Table table({{"kernel"}});
    table.add({"copy<int*, float*>"});
    EXPECT_THAT(table.markdown(), testing::HasSubstr("| copy\\<int\\*, float\\*> |"));
}

TEST(Table, LeavesOutTheMiddleOfAnElidedCellToFitTheLine) {
    const std::string variant = "index-mode=rectangle seq-len=" + std::string(60, '1') + " batch=8";
    const std::string text = table_with(variant).text("  ");
    EXPECT_EQ(widest_line(text), Table::kLineWidth);
    EXPECT_THAT(text, testing::HasSubstr("index-mode=rectangle"));
    EXPECT_THAT(text, testing::HasSubstr("...1"));
    EXPECT_THAT(text, testing::HasSubstr(" batch=8  ccc"));
    EXPECT_THAT(table_with(variant).markdown(), testing::HasSubstr(variant));
}

TEST(Table, LeavesOutNothingOfARowThatFits) {
    EXPECT_THAT(
        table_with(std::string(46, 'v')).text("  "), testing::HasSubstr(std::string(46, 'v'))
    );
}

TEST(Table, CutsBetweenCharacters) {
    std::string variant;
    for (int i = 0; i < 90; ++i) {
        variant += "\xc2\xb5"; // two bytes each
    }
    const std::string text = table_with(variant).text();
    EXPECT_THAT(text, testing::HasSubstr("\xc2\xb5...\xc2\xb5"));
}

} // namespace
} // namespace kvprof::analyzers
