#include "report/clean_text.h"

#include <gtest/gtest.h>

namespace kvprof::report {
namespace {

constexpr const char* kBad = "\xef\xbf\xbd"; // U+FFFD

TEST(CleanText, ReplacesEachByteThatIsNoCharacter) {
    EXPECT_EQ(valid_utf8("a\xffz"), std::string("a") + kBad + "z");
    EXPECT_EQ(valid_utf8("\xc3("), std::string(kBad) + "(");     // no continuation
    EXPECT_EQ(valid_utf8("\xc0\xaf"), std::string(kBad) + kBad); // overlong
    EXPECT_EQ(valid_utf8("\xe0\x80\xaf"), std::string(kBad) + kBad + kBad);
    EXPECT_EQ(valid_utf8("\xed\xa0\x80"), std::string(kBad) + kBad + kBad); // half a pair
    EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), std::string(kBad) + kBad + kBad + kBad);
    EXPECT_EQ(valid_utf8("\xe2\x82"), std::string(kBad) + kBad); // cut off
}

TEST(CleanText, LeavesCharactersAlone) {
    const std::string text = "a\n\x01 \xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82 \xef\xbf\xbd";
    EXPECT_EQ(valid_utf8(text), text);
}

TEST(CleanText, OfXmlHasNoControlCharacters) {
    EXPECT_EQ(xml_text("a\t\r\n\x01"), std::string("a\t\r\n") + kBad);
    EXPECT_EQ(xml_text(std::string_view("\0", 1)), kBad);
    EXPECT_EQ(xml_text("\xef\xbf\xbe\xef\xbf\xbf"), std::string(kBad) + kBad);
}

TEST(CleanText, MakesOneWord) {
    EXPECT_EQ(one_word("  batch=8 \r\n dcp=2\t", '/'), "batch=8/dcp=2");
    EXPECT_EQ(
        one_word(
            "a\xc2\xa0"
            "b\xe2\x80\x83"
            "c\xe3\x80\x80"
            "d\xc2\x85"
            "e\x7f",
            '/'
        ),
        "a/b/c/d/e"
    );
    EXPECT_EQ(one_word(" \n", '/'), "");
}

} // namespace
} // namespace kvprof::report
