#include "analyzers/comparability.h"

#include "capture/model/params.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {
namespace {

using test::step_run;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

using Change = std::function<void(kvprof::Run&)>;

/// Two equal sides after one change of the candidate's run.
Comparability compared(const Change& change, const Declared& declared = {}) {
    const kvprof::Run base = step_run(IndexMode::stream, {5});
    kvprof::Run candidate = base;
    change(candidate);
    return comparability(side_of("base", {base}), side_of("candidate", {candidate}), declared);
}

bool is_blocked(const Comparability& found) {
    return std::any_of(found.concerns.begin(), found.concerns.end(), [](const Concern& concern) {
        return concern.severity == Severity::blocks;
    });
}

std::vector<Concern> after(const Change& change) {
    return compared(change).concerns;
}

TEST(Comparability, HasNoConcernWhenNothingDiffers) {
    EXPECT_THAT(after([](kvprof::Run&) {}), IsEmpty());
}

void set_batch(kvprof::Run& run) {
    run.step.batch = 8;
}

TEST(Comparability, BlocksAnUndeclaredChangeOfTheStep) {
    EXPECT_THAT(
        after(set_batch),
        ElementsAre(Concern{
            Severity::blocks, "batch", "batch: 64 -> 8 (declare it with --treatment batch)"})
    );
    EXPECT_TRUE(is_blocked(compared(set_batch)));
}

TEST(Comparability, TakesADeclaredChangeForTheTreatment) {
    const Comparability found = compared(set_batch, {.treatment = {"batch", "seed"}});
    EXPECT_THAT(found.concerns, IsEmpty());
    EXPECT_THAT(found.treatment, ElementsAre("batch"));
    EXPECT_THAT(found.stamps, IsEmpty());
    EXPECT_FALSE(is_blocked(found));
}

TEST(Comparability, StampsWhatWasAllowedToDiffer) {
    const Comparability found = compared(set_batch, {.allowed_mismatch = {"batch"}});
    EXPECT_THAT(found.concerns, IsEmpty());
    EXPECT_THAT(found.stamps, ElementsAre("compared although batch differs: 64 -> 8"));
}

TEST(Comparability, BlocksEachFieldThatChangesWhatIsMeasured) {
    for (const auto& [field, change] : std::vector<std::pair<std::string, Change>>{
             {"op", [](kvprof::Run& run) { run.measure.op = "repack"; }},
             {"op-launches", [](kvprof::Run& run) { run.measure.op_launches = 3; }},
             {"l2", [](kvprof::Run& run) { run.measure.l2 = L2Mode::flush; }},
             {"cached-block", [](kvprof::Run& run) { run.measure.cached_block = 3; }}}) {
        EXPECT_THAT(
            after(change),
            ElementsAre(testing::AllOf(
                testing::Field(&Concern::severity, Severity::blocks),
                testing::Field(&Concern::field, field)
            ))
        );
        EXPECT_THAT(compared(change, {.treatment = {field}}).concerns, IsEmpty());
    }
}

TEST(Comparability, NamesTheWholeStepInPlaceOfNoOp) {
    EXPECT_THAT(
        after([](kvprof::Run& run) { run.measure.op = "repack"; }),
        ElementsAre(Concern{
            Severity::blocks,
            "op",
            "op: (the whole step) -> repack (declare it with --treatment op)"})
    );
}

TEST(Comparability, DoesNotAskHowLongAStepWasWatched) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.measure.samples = 77;
            run.measure.replays = 77;
            run.measure.run_time_s = 77.0;
            run.measure.warmup_max_s = 77.0;
            run.measure.passes = "all";
            run.measure.trace_steps = 77;
            run.measure.keep_events = 77;
        }),
        IsEmpty()
    );
}

TEST(Comparability, BlocksAnotherExecutorAndNamesItOnce) {
    EXPECT_THAT(
        after([](kvprof::Run& run) {
            run.measure.executor = ExecutorKind::host;
            run.environment.executor = "host";
            run.environment.device_uuid = "unavailable: host";
            run.environment.device_name = "a processor";
            run.environment.driver = "none";
        }),
        ElementsAre(Concern{
            Severity::blocks,
            "executor",
            "executor: cuda -> host (declare it with --treatment executor)"})
    );
}

TEST(Comparability, BlocksAnotherDevice) {
    EXPECT_THAT(
        after([](kvprof::Run& run) { run.environment.device_uuid = "GPU-2"; }),
        ElementsAre(Concern{Severity::blocks, "device-uuid", "device-uuid: GPU-1 -> GPU-2"})
    );
}

TEST(Comparability, BlocksAnotherMachineOnTheHost) {
    kvprof::Run base = step_run(IndexMode::stream, {5});
    base.environment.executor = "host";
    kvprof::Run candidate = base;
    candidate.environment.hostname = "host-b";
    EXPECT_THAT(
        comparability(side_of("a", {base}), side_of("b", {candidate})).concerns,
        ElementsAre(Concern{Severity::blocks, "hostname", "hostname: host-a -> host-b"})
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

/// One fact is set to one value on the base and to another on the candidate.
Comparability with_fact(
    std::string_view name,
    std::string_view base,
    std::string_view candidate,
    const Declared& declared = {}
) {
    kvprof::Run first = step_run(IndexMode::stream, {5});
    kvprof::Run second = first;
    EXPECT_TRUE(set_field(first.environment, name, base));
    EXPECT_TRUE(set_field(second.environment, name, candidate));
    return comparability(side_of("base", {first}), side_of("candidate", {second}), declared);
}

TEST(Comparability, BlocksAnotherKindOfDeviceOrAnotherSetting) {
    for (const auto& [fact, base, candidate] : std::vector<std::array<std::string, 3>>{
             {"device-name", "H100 NVL", "H100 PCIe"},
             {"compute-capability", "9.0", "10.0"},
             {"sm-count", "132", "114"},
             {"device-memory-bytes", "100", "200"},
             {"mig", "off", "1g.18gb"},
             {"clock-state", "unlocked", "application clocks 1410 MHz"}}) {
        EXPECT_THAT(
            with_fact(fact, base, candidate).concerns,
            ElementsAre(Concern{Severity::blocks, fact, fact + ": " + base + " -> " + candidate})
        );
        EXPECT_THAT(
            with_fact(fact, base, candidate, {.allowed_mismatch = {fact}}).stamps,
            ElementsAre("compared although " + fact + " differs: " + base + " -> " + candidate)
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
             {"binary", "1234", "5678"},
             {"boot", "monday", "tuesday"},
             {"variables", "CUDA_MODULE_LOADING=EAGER", "CUDA_MODULE_LOADING=LAZY"}}) {
        EXPECT_THAT(
            with_fact(fact, base, candidate).concerns,
            ElementsAre(Concern{Severity::warns, fact, fact + ": " + base + " -> " + candidate})
        );
        EXPECT_TRUE(is_blocked(with_fact(fact, base, candidate, {.is_strict_env = true}))) << fact;
    }
}

TEST(Comparability, TakesAnotherProgramForTheTreatmentWhenItIsOne) {
    for (const char* fact : {"binary", "build"}) {
        EXPECT_THAT(with_fact(fact, "1", "2", {.treatment = {"program"}}).concerns, IsEmpty());
    }
    EXPECT_THAT(
        with_fact("binary", "1", "2", {.treatment = {"program"}}).treatment, ElementsAre("program")
    );
    EXPECT_THAT(with_fact("binary", "1", "1", {.treatment = {"program"}}).treatment, IsEmpty());
}

TEST(Comparability, ExpectsAnotherBootOfAStoredBaseline) {
    EXPECT_THAT(
        with_fact("boot", "monday", "tuesday", {.is_stored_baseline = true}).concerns, IsEmpty()
    );
}

TEST(Comparability, WarnsOfAnotherDeviceOfAStoredBaselineAndBlocksAnotherProduct) {
    const Declared stored{.is_stored_baseline = true};
    EXPECT_THAT(
        with_fact("device-uuid", "GPU-1", "GPU-2", stored).concerns,
        ElementsAre(Concern{Severity::warns, "device-uuid", "device-uuid: GPU-1 -> GPU-2"})
    );
    EXPECT_TRUE(is_blocked(with_fact("device-name", "H100 NVL", "H100 PCIe", stored)));
}

TEST(Comparability, BlocksTimesOfAnotherMethodOnAnyExecutor) {
    const Concern other{Severity::blocks, "method", "method: 1 -> 2"};
    EXPECT_THAT(with_fact("method", "", "2").concerns, ElementsAre(other)); // of an older program
    EXPECT_THAT(with_fact("method", "", "1").concerns, IsEmpty());
    EXPECT_THAT(with_fact("method", "2", "2").concerns, IsEmpty());
    kvprof::Run base = step_run(IndexMode::stream, {5});
    base.environment.executor = "host";
    base.environment.method = "";
    kvprof::Run candidate = base;
    candidate.environment.method = "2";
    EXPECT_THAT(
        comparability(side_of("a", {base}), side_of("b", {candidate})).concerns, ElementsAre(other)
    );
}

TEST(Comparability, DoesNotCompareReadings) {
    EXPECT_THAT(with_fact("device-free-bytes", "1", "2").concerns, IsEmpty());
}

TEST(Comparability, KnowsThatNoVariableWasSet) {
    const char* const set = "CUDA_LAUNCH_BLOCKING=1";
    EXPECT_THAT(
        with_fact("variables", "", set).concerns,
        ElementsAre(Concern{
            Severity::warns, "variables", "variables: (none) -> CUDA_LAUNCH_BLOCKING=1"})
    );
    EXPECT_TRUE(is_blocked(with_fact("variables", set, "", {.is_strict_env = true})));
    EXPECT_THAT(with_fact("variables", "", "").concerns, IsEmpty());
}

TEST(Comparability, ExpectsAnotherHostOfAStoredBaselineAndBlocksAnotherProcessor) {
    const auto concerns = [](std::string_view fact, bool is_stored) {
        kvprof::Run base = step_run(IndexMode::stream, {5});
        base.environment.executor = "host";
        kvprof::Run candidate = base;
        EXPECT_TRUE(set_field(candidate.environment, fact, "another"));
        return comparability(
            side_of("a", {base}), side_of("b", {candidate}), {.is_stored_baseline = is_stored}
        );
    };
    EXPECT_TRUE(is_blocked(concerns("hostname", false)));
    EXPECT_FALSE(is_blocked(concerns("hostname", true)));
    EXPECT_TRUE(is_blocked(concerns("cpu-model", true)));
}

TEST(Comparability, HoldsNothingAgainstAFactThatWasNotRecorded) {
    EXPECT_THAT(with_fact("mig", "", "off").concerns, IsEmpty());
    EXPECT_THAT(with_fact("binary", "", "1234").concerns, IsEmpty());
    EXPECT_THAT(with_fact("power-limit-mw", "0", "700000").concerns, IsEmpty());
}

TEST(Comparability, WarnsOfASettingThatNvmlToldOnceOnly) {
    EXPECT_THAT(
        with_fact("clock-state", "unlocked", "unavailable: NVML does not tell").concerns,
        ElementsAre(testing::Field(&Concern::severity, Severity::warns))
    );
}

TEST(Comparability, WarnsOfAnotherGitRevisionUnlessThatIsWhatChanges) {
    EXPECT_THAT(with_fact("git-revision", "abc", "def").concerns, IsEmpty());
    kvprof::Run base = step_run(IndexMode::stream, {5});
    base.environment.git_revision = "abc";
    kvprof::Run candidate = base;
    candidate.environment.git_revision = "def";
    candidate.step.seed = 1;
    EXPECT_THAT(
        comparability(
            side_of("base", {base}), side_of("candidate", {candidate}), {.treatment = {"seed"}}
        ).concerns,
        ElementsAre(Concern{Severity::warns, "git-revision", "git-revision: abc -> def"})
    );
}

TEST(Comparability, BlocksAnotherPool) {
    const Change change = [](kvprof::Run& run) { run.pool = {7, 8}; };
    EXPECT_THAT(
        after(change),
        ElementsAre(
            Concern{
                Severity::blocks,
                "pool.schedulable-tokens",
                "pool.schedulable-tokens: 1048576 -> 7 (declare it with --treatment "
                "pool.schedulable-tokens)"},
            Concern{
                Severity::blocks,
                "pool.state-slots",
                "pool.state-slots: 64 -> 8 (declare it with --treatment pool.state-slots)"}
        )
    );
    EXPECT_FALSE(
        is_blocked(compared(change, {.treatment = {"pool.schedulable-tokens", "pool.state-slots"}}))
    );
}

TEST(Comparability, WarnsWhenMoreThanOneFieldDiffers) {
    EXPECT_THAT(
        compared(
            [](kvprof::Run& run) {
                run.step.batch = 8;
                run.step.seed = 1;
            },
            {.treatment = {"batch", "seed"}}
        ).concerns,
        ElementsAre(Concern{
            Severity::warns,
            "treatment",
            "treatment: 2 fields differ (batch, seed), so no difference has one cause"})
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

TEST(Comparability, NamesEachReasonOfRunsThatAreLeftOutOnce) {
    kvprof::Run run = step_run(IndexMode::stream, {5});
    run.status = {RunState::invalid, "wrong ids", 5};
    kvprof::Run other = run;
    other.status.reason = "no ids";
    EXPECT_EQ(
        why_excluded(side_of("a", {run, other, run, run})),
        "; invalid: wrong ids (3 runs); invalid: no ids"
    );
}

TEST(Comparability, SeesThatTheRunsOfOneSideDisagree) {
    const kvprof::Run one = step_run(IndexMode::stream, {5});
    kvprof::Run two = one;
    two.environment.device_uuid = "GPU-2";
    EXPECT_THAT(
        comparability(side_of("a", {one, two}), side_of("b", {one})).concerns,
        ElementsAre(Concern{Severity::blocks, "device-uuid", "device-uuid: GPU-1, GPU-2 -> GPU-1"})
    );
}

TEST(Comparability, PutsTheMostSevereFirst) {
    const std::vector<Concern> concerns = after([](kvprof::Run& run) {
        run.environment.foreign = {{"after", 9, 100}};
        run.environment.build = "0.2.0";
        run.environment.mig = "1g.18gb";
        run.pool.state_slots = 1;
    });
    ASSERT_GE(concerns.size(), 3U);
    EXPECT_EQ(concerns.front().severity, Severity::blocks);
    EXPECT_EQ(concerns.back().severity, Severity::warns);
    EXPECT_THAT(concerns, Contains(testing::Field(&Concern::field, "pool.state-slots")));
}

} // namespace
} // namespace kvprof::analyzers
