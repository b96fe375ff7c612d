#include "capture/model/units.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace kvprof;
using ::testing::HasSubstr;

TEST(Reals, MinusZeroIsZero) {
    EXPECT_FALSE(std::signbit(parse_real("-0", "--holes")));
    EXPECT_FALSE(std::signbit(parse_real("-0.0", "--holes")));
}

TEST(Reals, ARefusalShowsHowARealIsWritten) {
    try {
        static_cast<void>(parse_real("nan", "--holes"));
        FAIL() << "nan was taken";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("--holes"));
        EXPECT_THAT(error.hint(), HasSubstr("0.25"));
    }
}

} // namespace
