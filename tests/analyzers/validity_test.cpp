#include "analyzers/validity.h"

#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace kvprof::analyzers {
namespace {

using test::step_run;
using testing::ElementsAre;
using testing::IsEmpty;

/// Of two equal sides after one change of the candidate's run.
std::vector<Concern> after(const std::function<void(kvprof::Run&)>& change) {
    const kvprof::Run base = step_run(IndexMode::stream, {5});
    kvprof::Run candidate = base;
    change(candidate);
    return disturbances(side_of("base", {base}), side_of("candidate", {candidate}));
}

TEST(Disturbances, WarnsOfARunThatTheDeviceSlowedDown) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.conditions = {{ConditionKind::hw_thermal, "in 2 of 9 readings"}};
        }),
        ElementsAre(Concern{
            Severity::warns,
            "void-run",
            "void-run: run 1 of the candidate: hw-thermal: in 2 of 9 readings"})
    );
}

TEST(Disturbances, HoldsNothingAgainstAPowerCapOrAnUnsteadyWarmUp) {
    for (const ConditionKind kept : {ConditionKind::power_capped, ConditionKind::not_steady}) {
        EXPECT_THAT(
            after([kept](kvprof::Run& run) {
                run.conditions = {{kept, "seen"}};
            }),
            IsEmpty()
        );
    }
}

TEST(Disturbances, HoldsNothingAgainstTimesOfARunWhoseTraceWasLost) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.conditions = {{ConditionKind::dropped_records, "3 records", Pass::nodes}};
        }),
        IsEmpty()
    );
}

TEST(Disturbances, WarnsWhenOtherProcessesChanged) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.environment.foreign = {{"after", 9, 100}};
        }),
        ElementsAre(Concern{
            Severity::warns,
            "foreign-processes",
            "foreign-processes: other processes on the device came, went or changed their memory "
            "during 1 of 2 runs"})
    );
}

TEST(Disturbances, WarnsWhenAnotherProcessTookTheOnesPlace) {
    EXPECT_EQ(
        after([](kvprof::Run& run) {
            run.environment.foreign = {{"before", 8, 100}, {"after", 9, 100}};
        }).size(),
        1U
    );
}

TEST(Disturbances, WarnsOfARunUnderTheConditionOfAForeignProcessOnce) {
    const std::vector<Concern> concerns = after([](kvprof::Run& run) {
        run.conditions = {
            {ConditionKind::power_capped, "in 1 of 9 readings"},
            {ConditionKind::foreign_process, "used memory moved"}};
    });
    EXPECT_THAT(concerns, ElementsAre(testing::Field(&Concern::field, "foreign-processes")));
}

TEST(Disturbances, OverlooksThirtyTwoMebibytesOfCompany) {
    constexpr std::int64_t kMiB = 1 << 20;
    kvprof::Run run = step_run(IndexMode::stream, {5});
    run.environment.foreign = {{"before", 9, 100 * kMiB}, {"after", 9, 132 * kMiB}};
    EXPECT_THAT(disturbances(side_of("a", {run}), side_of("b", {run})), IsEmpty());
    run.environment.foreign[1].bytes += 1;
    EXPECT_EQ(disturbances(side_of("a", {run}), side_of("b", {run})).size(), 1U);
}

TEST(Disturbances, HasNoConcernAboutCompanyThatStayed) {
    kvprof::Run run = step_run(IndexMode::stream, {5});
    run.environment.foreign = {{"before", 9, 100}, {"after", 9, 100}};
    EXPECT_THAT(disturbances(side_of("a", {run}), side_of("b", {run})), IsEmpty());
}

TEST(Disturbances, WarnsWhenOneSideAloneHadCompany) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.environment.foreign = {{"before", 9, 100}, {"after", 9, 100}};
        }),
        ElementsAre(Concern{
            Severity::warns, "foreign-processes", "foreign-processes: none -> pid 9"})
    );
}

TEST(Disturbances, AreConcernsThatWarn) {
    kvprof::Run run = step_run(IndexMode::stream, {5});
    run.conditions = {{ConditionKind::hw_power_brake, "seen"}};
    const Comparability found = comparability(side_of("a", {run}), side_of("b", {run}));
    ASSERT_EQ(found.concerns.size(), 2U);
    for (const Concern& concern : found.concerns) {
        EXPECT_EQ(concern.severity, Severity::warns);
    }
}

TEST(CaptureFailures, AreOfTheirPass) {
    kvprof::Run run = step_run(IndexMode::stream, {5});
    run.conditions = {{ConditionKind::dropped_records, "3 records", Pass::nodes}};
    EXPECT_TRUE(has_capture_failure(side_of("a", {run}), Pass::nodes));
    EXPECT_FALSE(has_capture_failure(side_of("a", {run}), Pass::counts));
    EXPECT_FALSE(is_disturbed(side_of("a", {run}), Pass::nodes));
    run.conditions = {{ConditionKind::sw_thermal, "seen", Pass::nodes}};
    EXPECT_FALSE(has_capture_failure(side_of("a", {run}), Pass::nodes));
    EXPECT_TRUE(is_disturbed(side_of("a", {run}), Pass::nodes));
}

} // namespace
} // namespace kvprof::analyzers
