#include "capture/import/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace kvprof::import {
namespace {

using namespace std::string_literals;

std::string decoded(std::string_view raw) {
    TextDefects defects;
    std::string text = decode_json_string(raw, defects);
    EXPECT_EQ(defects.invalid_utf8 + defects.control_characters + defects.unknown_escapes, 0)
        << raw;
    return text;
}

std::string repaired(std::string_view raw) {
    TextDefects defects;
    std::string text = decode_json_string(raw, defects);
    EXPECT_EQ(defects.invalid_utf8, 1) << raw;
    return text;
}

TEST(JsonText, DecodesEveryEscape) {
    EXPECT_EQ(decoded(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(decoded(R"(\u0041\u00e9\u20AC)"), "A\u00e9\u20ac");
    EXPECT_EQ(decoded(R"(\uD83D\uDE00)"), "\U0001F600");
    EXPECT_EQ(decoded(R"(a\u0000b)"), "a\0b"s);
}

TEST(JsonText, LeavesUtf8AsItIs) {
    EXPECT_EQ(decoded("\u044f\u6838\U0001F600"), "\u044f\u6838\U0001F600");
}

TEST(JsonText, ReplacesWhatIsNoUtf8) {
    EXPECT_EQ(repaired("bad\xff\xfe\x80utf8"), "bad\uFFFD\uFFFD\uFFFDutf8");
    EXPECT_EQ(repaired("\xC0\xAF"), "\uFFFD\uFFFD");           // a longer form of '/'
    EXPECT_EQ(repaired("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD"); // a surrogate
    EXPECT_EQ(repaired("\xE2\x82"), "\uFFFD");                 // cut off
    EXPECT_EQ(repaired("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST(JsonText, ReplacesHalvesOfSurrogatePairs) {
    EXPECT_EQ(repaired(R"(lone\uD83Dsurrogate)"), "lone\uFFFDsurrogate");
    EXPECT_EQ(repaired(R"(\uDE00)"), "\uFFFD");
    EXPECT_EQ(repaired(R"(\uD83D\u0041)"), "\uFFFDA");
    EXPECT_EQ(repaired(R"(\uD83D\uD83D\uDE00)"), "\uFFFD\U0001F600");
}

TEST(JsonText, KeepsRawControlCharactersAndCountsTheString) {
    TextDefects defects;
    EXPECT_EQ(decode_json_string("ctl\x01\x1f\nchar", defects), "ctl\x01\x1f\nchar");
    EXPECT_EQ(defects.control_characters, 1);
    EXPECT_EQ(defects.invalid_utf8, 0);
}

TEST(JsonText, KeepsTheBackslashOfAnUnknownEscape) {
    TextDefects defects;
    EXPECT_EQ(decode_json_string(R"(C:\Users\x\u12)", defects), R"(C:\Users\x\u12)");
    EXPECT_EQ(defects.unknown_escapes, 1);
}

} // namespace
} // namespace kvprof::import
