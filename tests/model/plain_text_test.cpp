#include "capture/model/plain_text.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using kvprof::is_plain_text;

TEST(PlainText, IsUtf8OfAnyScript) {
    EXPECT_TRUE(is_plain_text(""));
    EXPECT_TRUE(is_plain_text("before the change, 2nd try"));
    EXPECT_TRUE(is_plain_text("gr\u00f6\u00dfer \u4e2d \U0001f389"));
}

TEST(PlainText, HasNoControlCharacter) {
    EXPECT_FALSE(is_plain_text("two\nlines"));
    EXPECT_FALSE(is_plain_text("a\tb"));
    EXPECT_FALSE(is_plain_text("\x1b[31mred"));
    EXPECT_FALSE(is_plain_text("\x7f"));
}

TEST(PlainText, HasNoByteThatIsNoUtf8) {
    EXPECT_FALSE(is_plain_text("\xff"));
    EXPECT_FALSE(is_plain_text("\x80"));
    EXPECT_FALSE(is_plain_text("\xc3"));     // the second byte is missing
    EXPECT_FALSE(is_plain_text("\xc3\x28")); // the second byte is none
    EXPECT_FALSE(is_plain_text("\xc0\xaf")); // a slash in two bytes
    EXPECT_FALSE(is_plain_text("\xf5\x80\x80\x80"));
}

TEST(PlainText, HasAtMost200Bytes) {
    EXPECT_TRUE(is_plain_text(std::string(200, 'a')));
    EXPECT_FALSE(is_plain_text(std::string(201, 'a')));
}

} // namespace
