#include "analyzers/table.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace kvprof::analyzers
