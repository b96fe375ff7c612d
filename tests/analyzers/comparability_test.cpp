#include "analyzers/comparability.h"

#include "capture/model/params.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

/// Concerns when one fact is set to one value on the base and to another on the candidate.
std::vector<Concern>
after_fact(std::string_view name, std::string_view base, std::string_view candidate) {
    kvprof::Run first = step_run(IndexMode::stream, {5});
    kvprof::Run second = first;
    EXPECT_TRUE(set_field(first.environment, name, base));
    EXPECT_TRUE(set_field(second.environment, name, candidate));
    return comparability(side_of("base", {first}), side_of("candidate", {second}));
}

TEST(Comparability, BlocksTimesOfAnotherKindOfDeviceOrAnotherSetting) {
    for (const auto& [fact, base, candidate] : std::vector<std::array<std::string, 3>>{
             {"device-name", "H100 NVL", "H100 PCIe"},
             {"compute-capability", "9.0", "10.0"},
             {"sm-count", "132", "114"},
             {"device-memory-bytes", "100", "200"},
             {"mig", "off", "1g.18gb"},
             {"clock-state", "unlocked", "application clocks 1410 MHz"}}) {
        EXPECT_THAT(
            after_fact(fact, base, candidate),
            ElementsAre(Concern{
                Severity::blocks_times, fact, fact + ": " + base + " -> " + candidate})
        );
    }
}

TEST(Comparability, WarnsOfSurroundingsThatCanChangeATime) {
    for (const auto& [fact, base, candidate] : std::vector<std::array<std::string, 3>>{
             {"ecc", "on", "off"},
             {"power-limit-mw", "700000", "500000"},
             {"sm-clock-max-mhz", "1980", "1755"},
             {"virtualization", "passthrough", "vgpu"},
             {"confidential-compute", "off", "on"},
             {"container", "docker", "none"},
             {"variables", "CUDA_MODULE_LOADING=EAGER", "CUDA_MODULE_LOADING=LAZY"}}) {
        EXPECT_THAT(
            after_fact(fact, base, candidate),
            ElementsAre(Concern{Severity::warns, fact, fact + ": " + base + " -> " + candidate})
        );
    }
}

TEST(Comparability, DoesNotCompareReadings) {
    EXPECT_THAT(after_fact("device-free-bytes", "1", "2"), IsEmpty());
}

TEST(Comparability, HoldsNothingAgainstAFactThatWasNotRecorded) {
    EXPECT_THAT(after_fact("mig", "", "off"), IsEmpty());
    EXPECT_THAT(after_fact("power-limit-mw", "0", "700000"), IsEmpty());
}

TEST(Comparability, WarnsOfASettingThatNvmlToldOnceOnly) {
    EXPECT_THAT(
        after_fact("clock-state", "unlocked", "unavailable: NVML does not tell"),
        ElementsAre(testing::Field(&Concern::severity, Severity::warns))
    );
}

TEST(Comparability, WarnsOfAnotherGitRevisionUnlessThatIsWhatChanges) {
    EXPECT_THAT(after_fact("git-revision", "abc", "def"), IsEmpty());
    kvprof::Run base = step_run(IndexMode::stream, {5});
    base.environment.git_revision = "abc";
    kvprof::Run candidate = base;
    candidate.environment.git_revision = "def";
    candidate.step.seed = 1;
    EXPECT_THAT(
        comparability(side_of("base", {base}), side_of("candidate", {candidate})),
        ElementsAre(Concern{Severity::warns, "git-revision", "git-revision: abc -> def"})
    );
}

TEST(Comparability, BlocksTimesOfARunThatTheDeviceSlowedDown) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.conditions = {{ConditionKind::hw_thermal, "in 2 of 9 readings"}};
        }),
        ElementsAre(Concern{
            Severity::blocks_times,
            "void-run",
            "void-run: candidate run 1: hw-thermal: in 2 of 9 readings"})
    );
}

TEST(Comparability, ComparesTimesUnderAPowerCapOrAnUnsteadyWarmUp) {
    for (const ConditionKind kept : {ConditionKind::power_capped, ConditionKind::not_steady}) {
        EXPECT_THAT(
            after([kept](kvprof::Run& run) {
                run.conditions = {{kept, "seen"}};
            }),
            IsEmpty()
        );
    }
}

TEST(Comparability, ComparesTimesOfARunWhoseTraceWasLost) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.conditions = {{ConditionKind::dropped_records, "3 records", Pass::nodes}};
        }),
        IsEmpty()
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

TEST(Comparability, BlocksTimesOfARunUnderTheConditionOfAForeignProcess) {
    const std::vector<Concern> concerns = after([](kvprof::Run& run) {
        run.conditions = {
            {ConditionKind::power_capped, "in 1 of 9 readings"},
            {ConditionKind::foreign_process, "used memory moved"}};
    });
    ASSERT_EQ(concerns.size(), 1U);
    EXPECT_EQ(concerns[0].severity, Severity::blocks_times);
    EXPECT_EQ(concerns[0].field, "foreign-processes");
}

TEST(Comparability, LeavesOtherConditionsToTheValidityOfTheRun) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.conditions = {{ConditionKind::power_capped, "in 1 of 9 readings"}};
        }),
        IsEmpty()
    );
}

TEST(Comparability, OverlooksThirtyTwoMebibytesOfCompany) {
    constexpr std::int64_t kMiB = 1 << 20;
    kvprof::Run run = step_run(IndexMode::stream, {5});
    run.environment.foreign = {{"before", 9, 100 * kMiB}, {"after", 9, 132 * kMiB}};
    EXPECT_THAT(comparability(side_of("a", {run}), side_of("b", {run})), IsEmpty());
    run.environment.foreign[1].bytes += 1;
    EXPECT_EQ(comparability(side_of("a", {run}), side_of("b", {run})).size(), 1U);
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
