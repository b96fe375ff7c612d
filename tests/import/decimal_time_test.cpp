#include "capture/import/decimal_time.h"

#include <gtest/gtest.h>

#include <clocale>
#include <limits>
#include <string>

namespace kvprof::import {
namespace {

std::int64_t ns_of(std::string_view text) {
    const DecimalTime time = parse_microseconds(text);
    EXPECT_EQ(time.fault, TimeFault::none) << text;
    return time.ns;
}

TimeFault fault_of(std::string_view text) {
    return parse_microseconds(text).fault;
}

TEST(DecimalTime, ReadsMicrosecondsAsNanoseconds) {
    EXPECT_EQ(ns_of("0"), 0);
    EXPECT_EQ(ns_of("17"), 17'000);
    EXPECT_EQ(ns_of("30.007"), 30'007);
    EXPECT_EQ(ns_of("0.5"), 500);
    EXPECT_EQ(ns_of("-0.001"), -1);
}

TEST(DecimalTime, KeepsEveryNanosecondOfAnEpochThatADoubleCannotHold) {
    EXPECT_EQ(ns_of("1712195495740538.816"), 1'712'195'495'740'538'816);
    EXPECT_EQ(ns_of("1712195495740538.817"), 1'712'195'495'740'538'817);
}

TEST(DecimalTime, ReadsExponents) {
    EXPECT_EQ(ns_of("1.7121954957408e15"), 1'712'195'495'740'800'000);
    EXPECT_EQ(ns_of("2.0E0"), 2'000);
    EXPECT_EQ(ns_of("5e-3"), 5);
    EXPECT_EQ(ns_of("1e+2"), 100'000);
    EXPECT_EQ(ns_of("0e99999999999"), 0);
    EXPECT_EQ(ns_of("7e-99999999999"), 0);
}

TEST(DecimalTime, RoundsPartsOfANanosecondHalfAwayFromZero) {
    EXPECT_EQ(ns_of("0.0004"), 0);
    EXPECT_EQ(ns_of("0.0005"), 1);
    EXPECT_EQ(ns_of("-0.0005"), -1);
    EXPECT_EQ(ns_of("0.00149999999999999999999999999999"), 1);
    EXPECT_EQ(ns_of("0.0000000000000000000000000000001"), 0);
}

TEST(DecimalTime, KnowsTheEndsOfItsRange) {
    EXPECT_EQ(ns_of("9223372036854775.807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(fault_of("9223372036854775.808"), TimeFault::too_large);
    EXPECT_EQ(fault_of("-9223372036854775.808"), TimeFault::too_small);
    EXPECT_EQ(fault_of("1e300"), TimeFault::too_large);
    EXPECT_EQ(fault_of("99999999999999999999999999999999"), TimeFault::too_large);
}

TEST(DecimalTime, TellsWordsForNoNumberFromOtherText) {
    for (const char* word : {"NaN", "nan", "-nan", "Infinity", "-Infinity", "inf", "-inf", "N/A"}) {
        EXPECT_EQ(fault_of(word), TimeFault::not_finite) << word;
    }
    for (const char* text :
         {"",
          "-",
          ".",
          ".5",
          "5.",
          "1e",
          "1e+",
          "0x10",
          "1 ",
          " 1",
          "1,5",
          "+1",
          "--1",
          "1.2.3",
          "null",
          "true",
          "1_000"}) {
        EXPECT_EQ(fault_of(text), TimeFault::not_a_number) << text;
    }
}

TEST(DecimalTime, DoesNotHearOfALocale) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
        if (std::setlocale(LC_ALL, name) != nullptr) {
            EXPECT_EQ(ns_of("1.5"), 1'500) << name;
        }
    }
    std::setlocale(LC_ALL, before.c_str());
}

TEST(DecimalTime, ReadsIdsThatADoubleWouldMerge) {
    EXPECT_EQ(parse_id("9007199254740993"), 9'007'199'254'740'993U);
    EXPECT_EQ(parse_id("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    for (const char* text : {"", "-1", "1.0", "1e3", "0x1", " 1", "1 ", "18446744073709551616"}) {
        EXPECT_EQ(parse_id(text), std::nullopt) << text;
    }
}

} // namespace
} // namespace kvprof::import
