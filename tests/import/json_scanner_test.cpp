#include "capture/import/json_scanner.h"

#include "tests/import/written_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace kvprof::import {
namespace {

using test::WrittenFile;
using testing::ElementsAre;

/// Runs `use` on a scanner over the text, with a window of the given size.
void scan(
    std::string_view text, const std::function<void(JsonScanner&)>& use, std::size_t window = 64
) {
    const WrittenFile file(text);
    ByteSource source(file.path());
    JsonScanner json(source, window);
    use(json);
}

JsonError error_of(std::string_view text) {
    try {
        scan(text, [](JsonScanner& json) {
            json.skip_value();
            EXPECT_TRUE(json.at_end());
        });
    } catch (const JsonError& error) {
        return error;
    }
    ADD_FAILURE() << "no error in " << text.substr(0, 80);
    return {JsonError::Kind::invalid, 0, ""};
}

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

TEST(JsonScanner, GivesMembersInTheirOrder) {
    scan(R"( {"a": 1, "b" : [2, {}], "c":"x"} )", [](JsonScanner& json) {
        std::vector<std::string> read;
        for (bool more = json.open('{'); more; more = json.next('}')) {
            json.hold();
            const JsonToken key = json.read_key();
            const JsonToken value = json.read_value();
            read.emplace_back(json.text(key));
            read.emplace_back(value.kind == JsonToken::Kind::container ? "..." : json.text(value));
        }
        EXPECT_THAT(read, ElementsAre("a", "1", "b", "...", "c", "x"));
        EXPECT_TRUE(json.at_end());
    });
}

// Wherever the window ends: in a name, a number, an escape, between blanks.
TEST(JsonScanner, ReadsTheSameWithAWindowOfAnySize) {
    const std::string text =
        R"({"name":   "a\"b\\", "values": [17.25, -3, true, "}{"],
            "last" : 12345678901234567890 })";
    for (std::size_t window = 1; window <= text.size() + 1; ++window) {
        scan(
            text,
            [&](JsonScanner& json) {
                ASSERT_TRUE(json.open('{'));
                json.hold();
                EXPECT_EQ(json.text(json.read_key()), "name") << window;
                EXPECT_EQ(json.text(json.read_value()), R"(a\"b\\)") << window;
                ASSERT_TRUE(json.next('}'));
                EXPECT_EQ(json.text(json.read_key()), "values") << window;
                json.skip_value();
                ASSERT_TRUE(json.next('}'));
                json.release();
                json.hold();
                EXPECT_EQ(json.text(json.read_key()), "last") << window;
                EXPECT_EQ(json.text(json.read_value()), "12345678901234567890") << window;
                EXPECT_FALSE(json.next('}'));
                EXPECT_TRUE(json.at_end());
                EXPECT_EQ(json.offset(), text.size()) << window;
            },
            window
        );
    }
}

TEST(JsonScanner, SaysWhichStringsStandForThemselves) {
    const auto is_plain = [](std::string_view text) {
        bool plain = false;
        scan(text, [&](JsonScanner& json) {
            json.hold();
            plain = json.read_value().is_plain;
        });
        return plain;
    };
    EXPECT_TRUE(is_plain(R"x("void kernel<float, 4>(float*)")x"));
    EXPECT_FALSE(is_plain(R"("a\n")"));
    EXPECT_FALSE(is_plain("\"\u044f\""));
    EXPECT_FALSE(is_plain("\"a\x01\""));
    EXPECT_FALSE(is_plain(std::string_view("\"a\0\"", 4)));
}

TEST(JsonScanner, TakesWordsWhereNumbersShouldStand) {
    scan(R"([NaN, -Infinity, inf, N/A, null])", [](JsonScanner& json) {
        std::vector<std::string> read;
        for (bool more = json.open('['); more; more = json.next(']')) {
            json.hold();
            read.emplace_back(json.text(json.read_value()));
        }
        EXPECT_THAT(read, ElementsAre("NaN", "-Infinity", "inf", "N/A", "null"));
    });
    EXPECT_EQ(error_of("[cuda]").kind(), JsonError::Kind::invalid);
    EXPECT_EQ(error_of("[1x]").kind(), JsonError::Kind::invalid);
}

TEST(JsonScanner, CountsCommasBeforeClosingBrackets) {
    scan(R"({"a": [1, 2, ], "b": {"c": 1,},})", [](JsonScanner& json) {
        json.skip_value();
        EXPECT_EQ(json.trailing_commas(), 3);
        EXPECT_TRUE(json.at_end());
    });
}

TEST(JsonScanner, SkipsTheRestOfTheInnermostObject) {
    scan(R"([{"a": 1, "b": {"c": "}"}, "d": [1, 2]}, 7])", [](JsonScanner& json) {
        ASSERT_TRUE(json.open('['));
        ASSERT_TRUE(json.open('{'));
        json.hold();
        EXPECT_EQ(json.text(json.read_key()), "a");
        json.skip_value();
        json.release();
        json.skip_rest_of_object();
        ASSERT_TRUE(json.next(']'));
        json.hold();
        EXPECT_EQ(json.text(json.read_value()), "7");
    });
}

// Wherever the window ends, and whatever stands between and after members that are simple.
TEST(JsonScanner, SkipsMembersOfEveryShapeWithAWindowOfAnySize) {
    const std::string text = "{\"a\": 1,\"b\":\"x\" , \"c\":\n\t-2.5e-3,\r\n   \"d\" : \"\\\"\", "
                             "\"e\\\\\": [1, {\"f\": 2}], \"g\": {\"h\": null, \"i\": NaN}, "
                             "\"k\": 12345678901234567890, \"l\": \"a name of over 16 bytes\", }";
    for (std::size_t window = 1; window <= text.size() + 1; ++window) {
        scan(
            text,
            [&](JsonScanner& json) {
                json.skip_value();
                EXPECT_TRUE(json.at_end()) << window;
                EXPECT_EQ(json.offset(), text.size()) << window;
                EXPECT_EQ(json.trailing_commas(), 1) << window;
            },
            window
        );
    }
}

TEST(JsonScanner, FindsMistakesInMembersThatItSkips) {
    const auto mistake = [](std::string_view text) { return error_of(text).offset(); };
    EXPECT_EQ(mistake(R"({"a": 1 "b": 2})"), 8U);
    EXPECT_EQ(mistake(R"({"a": 1, b: 2})"), 9U);
    EXPECT_EQ(mistake(R"({"a": 1, "b" 2})"), 13U);
    EXPECT_EQ(mistake(R"({"a": 1, "b": x})"), 14U);
    EXPECT_EQ(mistake(R"({"a": 1, "b": .5})"), 14U);
    EXPECT_EQ(mistake(R"({"a": 1, "b": 2x})"), 14U);
    EXPECT_EQ(mistake(R"({"a": 1, "b": "say "x""})"), 20U);
    EXPECT_EQ(mistake(R"({"a": 1, "b": 2])"), 15U);
    EXPECT_EQ(error_of(R"({"a": 1, "b": 2)").kind(), JsonError::Kind::ends_early);
    EXPECT_EQ(error_of(R"({"a": 1, "b": "2)").kind(), JsonError::Kind::ends_early);
}

TEST(JsonScanner, TellsAnEarlyEndFromAMistake) {
    for (const char* text :
         {R"({"a": 1)", R"({"a": "b)", R"({"a)", R"({"a": "\)", "[1, 2", "[tru"}) {
        EXPECT_EQ(error_of(text).kind(), JsonError::Kind::ends_early) << text;
        EXPECT_EQ(error_of(text).offset(), std::string_view(text).size()) << text;
    }
    const JsonError error = error_of(R"({"name": "{"device": 1}"})");
    EXPECT_EQ(error.kind(), JsonError::Kind::invalid);
    EXPECT_EQ(error.offset(), 12U);
    EXPECT_STREQ(error.what(), "it is no JSON: 'd' where ',' or '}' should stand");
}

TEST(JsonScanner, RefusesBracketsThatDoNotMatch) {
    EXPECT_EQ(error_of("[1}").offset(), 2U);
    EXPECT_EQ(error_of(R"({"a": 1])").offset(), 7U);
    EXPECT_EQ(error_of(R"({"a" 1})").offset(), 5U);
    EXPECT_EQ(error_of(R"({1: 1})").offset(), 1U);
}

TEST(JsonScanner, NestsFiveHundredAndTwelveDeepAndNoDeeper) {
    scan(nested(512), [](JsonScanner& json) {
        json.skip_value();
        EXPECT_TRUE(json.at_end());
    });
    EXPECT_EQ(error_of(nested(513)).kind(), JsonError::Kind::too_deep);
}

TEST(JsonScanner, HoldsAValueOfSixtyFourMebibytesAtMost) {
    const std::string text = '"' + std::string(JsonScanner::kMostBytes, 'x') + '"';
    scan(text, [](JsonScanner& json) {
        json.hold();
        try {
            static_cast<void>(json.read_value());
            ADD_FAILURE() << "held";
        } catch (const JsonError& error) {
            EXPECT_EQ(error.kind(), JsonError::Kind::too_long);
        }
    });
    scan(text, [](JsonScanner& json) {
        json.skip_value(); // what is not held may have any length
        EXPECT_TRUE(json.at_end());
    });
}

TEST(JsonScanner, ResynchronisesAtTheNextObjectOfTheList) {
    scan(R"([{"a": "x"y", "b": [{"c": 1}]} , {"d": 2}])", [](JsonScanner& json) {
        ASSERT_TRUE(json.open('['));
        json.mark_list();
        EXPECT_THROW(json.skip_value(), JsonError);
        ASSERT_TRUE(json.resynchronise());
        ASSERT_TRUE(json.open('{'));
        json.hold();
        EXPECT_EQ(json.text(json.read_key()), "d");
        json.skip_value();
        EXPECT_FALSE(json.next('}'));
        EXPECT_FALSE(json.next(']'));
        EXPECT_FALSE(json.resynchronise());
    });
}

TEST(ByteSearch, FindsTheSameWithAndWithoutVectors) {
    for (std::size_t before = 0; before < 40; ++before) {
        for (const char stop : {'"', '\\', '\0'}) {
            for (const char filler : {'a', ' ', '\n', '\x01', '\x80', '\xff'}) {
                std::string text(before, 'k');
                text += filler;
                text += stop;
                text += std::string(kSentinelBytes, '\0');
                const StringStop found = search::find_string_stop(text.c_str());
                const StringStop plain = portable::find_string_stop(text.c_str());
                EXPECT_EQ(found.at, plain.at);
                EXPECT_EQ(found.is_plain, plain.is_plain);
                EXPECT_EQ(found.is_plain, filler == 'a' || filler == ' ');
                const std::string blanks = std::string(before, " \t\r\n"[before % 4]) + text;
                EXPECT_EQ(
                    search::skip_blanks(blanks.c_str()), portable::skip_blanks(blanks.c_str())
                );
            }
        }
    }
}

} // namespace
} // namespace kvprof::import
