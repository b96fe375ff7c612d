#include "analyzers/figures.h"

#include "analyzers/limits.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::analyzers {
namespace {

using test::step_run;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

kvprof::Run on_host() {
    kvprof::Run run = step_run(IndexMode::stream, {900});
    run.environment.executor = "host";
    return run;
}

kvprof::Run not_run() {
    kvprof::Run run = step_run(IndexMode::stream, {});
    run.environment.driver = "unavailable: nothing was measured";
    run.status = {RunState::not_run, "no device", 5};
    return run;
}

TEST(CheckCell, CountsTheIdsThatAreEqualOnADevice) {
    EXPECT_EQ(
        check_cell(step_run(IndexMode::stream, {3})), "65,536 ids equal; attention error 1.2e-07"
    );
}

TEST(CheckCell, ClaimsNothingOfIdsOnTheHostWhichIsTheTwin) {
    kvprof::Run run = on_host();
    EXPECT_EQ(check_cell(run), "attention error 1.2e-07");
    EXPECT_THAT(limits_of({run}), Contains("ids: the host executor is the twin itself"));
    run.check.attention_error.reset();
    EXPECT_EQ(check_cell(run), "none");
}

TEST(Limits, SaySoOfTheIdsOfEveryRunOnTheHostAndOfNoOther) {
    const kvprof::Run device = step_run(IndexMode::stream, {3});
    EXPECT_THAT(limits_of({device}), Not(Contains(HasSubstr("twin"))));
    EXPECT_THAT(
        limits_of({device, on_host()}),
        Contains("ids: the host executor is the twin itself (in 1 of 2 runs)")
    );
}

TEST(EnvironmentLines, LeaveOutRunsThatRanNowhere) {
    EXPECT_THAT(environment_lines({not_run()}), IsEmpty());
    EXPECT_EQ(environment_lines({not_run(), step_run(IndexMode::stream, {3})}).size(), 1U);
}

TEST(EnvironmentLines, NameNoVersionThatIsNotKnown) {
    kvprof::Run run = step_run(IndexMode::stream, {3});
    run.environment.driver.clear();
    EXPECT_THAT(environment_lines({run}), Contains(HasSubstr("H200 (runtime 13.0), L2")));
    run.environment.cuda_runtime.clear();
    EXPECT_THAT(environment_lines({run}), Contains(HasSubstr("H200, L2")));
}

} // namespace
} // namespace kvprof::analyzers
