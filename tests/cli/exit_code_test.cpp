#include "cli/exit_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::cli {
namespace {

TEST(CodeOf, GivesEachKindOfErrorItsExitCode) {
    EXPECT_EQ(code_of(UsageError("")), ExitCode::usage);
    EXPECT_EQ(code_of(ComparabilityError("")), ExitCode::not_comparable);
    EXPECT_EQ(code_of(UnavailableError("")), ExitCode::not_measured);
    EXPECT_EQ(code_of(BadDataError("")), ExitCode::not_measured);
    EXPECT_EQ(code_of(VerifyError("")), ExitCode::check_failed);
    EXPECT_EQ(code_of(StoreError("")), ExitCode::store);
    EXPECT_EQ(code_of(Error("")), ExitCode::internal);
}

TEST(Worse, FollowsThePrecedence) {
    EXPECT_EQ(worse(ExitCode::done, ExitCode::not_measured), ExitCode::not_measured);
    EXPECT_EQ(worse(ExitCode::not_measured, ExitCode::check_failed), ExitCode::check_failed);
    EXPECT_EQ(worse(ExitCode::internal, ExitCode::store), ExitCode::internal);
}

TEST(Worse, TakesAnImpossibleCellForOneThatCouldNotBeMeasured) {
    EXPECT_EQ(worse(ExitCode::done, ExitCode::usage), ExitCode::not_measured);
}

TEST(ExitCodesText, ListsEveryCode) {
    for (const char* code : {"0", "1", "2", "4", "5", "6", "7", "70", "130", "143"}) {
        EXPECT_THAT(exit_codes_text(), ::testing::HasSubstr(std::string(" ") + code + "  "));
    }
}

} // namespace
} // namespace kvprof::cli
