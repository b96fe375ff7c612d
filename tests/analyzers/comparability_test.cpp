#include "analyzers/comparability.h"

#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace kvprof::analyzers {
namespace {

using test::step_run;
using testing::ElementsAre;
using testing::IsEmpty;

/// Concerns of two equal sides after one change of the candidate's run.
std::vector<Concern> after(const std::function<void(kvprof::Run&)>& change) {
    const kvprof::Run base = step_run(IndexMode::stream, {5});
    kvprof::Run candidate = base;
    change(candidate);
    return comparability(side_of("base", {base}), side_of("candidate", {candidate}));
}

TEST(Comparability, HasNoConcernWhenOneFieldDiffers) {
    EXPECT_THAT(after([](kvprof::Run&) {}), IsEmpty());
    EXPECT_THAT(after([](kvprof::Run& run) { run.step.seed = 1; }), IsEmpty());
}

TEST(Comparability, BlocksTimesOfAnotherExecutorAndNamesItOnce) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.environment.executor = "host";
            run.environment.device_uuid = "unavailable: host";
            run.environment.device_name = "a processor";
            run.environment.driver = "none";
        }),
        ElementsAre(Concern{
            Severity::blocks_times,
            "executor",
            "executor: cuda -> host (counts and ledger bytes may be compared)"})
    );
}

TEST(Comparability, BlocksTimesOfAnotherDevice) {
    EXPECT_THAT(
        after([](kvprof::Run& run) { run.environment.device_uuid = "GPU-2"; }),
        ElementsAre(Concern{Severity::blocks_times, "device-uuid", "device-uuid: GPU-1 -> GPU-2"})
    );
}

TEST(Comparability, BlocksTimesOfAnotherMachineOnTheHost) {
    kvprof::Run base = step_run(IndexMode::stream, {5});
    base.environment.executor = "host";
    kvprof::Run candidate = base;
    candidate.environment.hostname = "host-b";
    EXPECT_THAT(
        comparability(side_of("a", {base}), side_of("b", {candidate})),
        ElementsAre(Concern{Severity::blocks_times, "hostname", "hostname: host-a -> host-b"})
    );
}

TEST(Comparability, WarnsOfAnotherBuildAndDriver) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.environment.driver = "590.1";
            run.environment.build = "0.2.0";
        }),
        ElementsAre(
            Concern{Severity::warns, "driver", "driver: 580.95 -> 590.1"},
            Concern{Severity::warns, "build", "build: 0.1.0 (abc1234, Release) -> 0.2.0"}
        )
    );
}

TEST(Comparability, BlocksAnotherOp) {
    EXPECT_THAT(
        after([](kvprof::Run& run) { run.measure.op = "repack"; }),
        ElementsAre(Concern{Severity::blocks, "op", "op: (the whole step) -> repack"})
    );
}

TEST(Comparability, BlocksTimesOfAnotherCacheState) {
    EXPECT_THAT(
        after([](kvprof::Run& run) { run.measure.l2 = L2Mode::flush; }),
        ElementsAre(Concern{Severity::blocks_times, "l2", "l2: warm -> flush"})
    );
}

TEST(Comparability, BlocksAnotherPool) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.pool = {7, 8};
        }),
        ElementsAre(
            Concern{
                Severity::blocks,
                "pool.schedulable-tokens",
                "pool.schedulable-tokens: 1048576 -> 7"},
            Concern{Severity::blocks, "pool.state-slots", "pool.state-slots: 64 -> 8"}
        )
    );
}

TEST(Comparability, WarnsWhenMoreThanOneFieldDiffers) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.step.batch = 8;
            run.step.seed = 1;
        }),
        ElementsAre(Concern{
            Severity::warns,
            "treatment",
            "treatment: 2 fields differ (batch, seed), so no difference has one cause"})
    );
}

TEST(Comparability, BlocksTimesWhenOtherProcessesChanged) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.environment.foreign = {{"after", 9, 100}};
        }),
        ElementsAre(Concern{
            Severity::blocks_times,
            "foreign-processes",
            "foreign-processes: other processes on the device came, went or changed their memory "
            "during 1 of 2 runs"})
    );
}

TEST(Comparability, BlocksTimesWhenAnotherProcessTookTheOnesPlace) {
    const std::vector<Concern> concerns = after([](kvprof::Run& run) {
        run.environment.foreign = {{"before", 8, 100}, {"after", 9, 100}};
    });
    ASSERT_EQ(concerns.size(), 1U);
    EXPECT_EQ(concerns[0].severity, Severity::blocks_times);
}

TEST(Comparability, BlocksTimesOfARunThatNotedAForeignProcess) {
    const std::vector<Concern> concerns = after([](kvprof::Run& run) {
        run.notes = {"not-steady: 2.4 % after 10 s", "foreign-process: none before, pid 9 after"};
    });
    ASSERT_EQ(concerns.size(), 1U);
    EXPECT_EQ(concerns[0].severity, Severity::blocks_times);
    EXPECT_EQ(concerns[0].field, "foreign-processes");
}

TEST(Comparability, HasNoConcernAboutCompanyThatStayed) {
    kvprof::Run run = step_run(IndexMode::stream, {5});
    run.environment.foreign = {{"before", 9, 100}, {"after", 9, 100}};
    EXPECT_THAT(comparability(side_of("a", {run}), side_of("b", {run})), IsEmpty());
}

TEST(Comparability, BlocksTimesWhenOneSideAloneHadCompany) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.environment.foreign = {{"before", 9, 100}, {"after", 9, 100}};
        }),
        ElementsAre(Concern{
            Severity::blocks_times, "foreign-processes", "foreign-processes: none -> pid 9"})
    );
}

TEST(Comparability, BlocksASideWithoutACompleteRun) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.status = {RunState::not_run, "no device", 5};
        }),
        ElementsAre(Concern{
            Severity::blocks, "runs", "runs: the candidate has no complete run; not-run: no device"}
        )
    );
}

TEST(Comparability, SeesThatTheRunsOfOneSideDisagree) {
    const kvprof::Run one = step_run(IndexMode::stream, {5});
    kvprof::Run two = one;
    two.environment.device_uuid = "GPU-2";
    EXPECT_THAT(
        comparability(side_of("a", {one, two}), side_of("b", {one})),
        ElementsAre(Concern{
            Severity::blocks_times, "device-uuid", "device-uuid: GPU-1, GPU-2 -> GPU-1"})
    );
}

TEST(Comparability, PutsTheMostSevereFirst) {
    const std::vector<Concern> concerns = after([](kvprof::Run& run) {
        run.environment.build = "0.2.0";
        run.environment.device_uuid = "GPU-2";
        run.pool.state_slots = 1;
    });
    ASSERT_EQ(concerns.size(), 3U);
    EXPECT_EQ(concerns[0].severity, Severity::blocks);
    EXPECT_EQ(concerns[1].severity, Severity::blocks_times);
    EXPECT_EQ(concerns[2].severity, Severity::warns);
}

} // namespace
} // namespace kvprof::analyzers
