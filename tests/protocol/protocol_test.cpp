#include "capture/measure.h"
#include "capture/model/error.h"
#include "capture/scripted/scripted_executor.h"
#include "capture/warmup.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace kvprof;
using test::small_step;

/// A script in a folder of its own, removed at the end.
class Protocol : public testing::Test {
  protected:
    Protocol() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path()
                  / ("kvprof-protocol-" + std::to_string(::getpid()) + info->name());
        std::filesystem::create_directories(folder_);
    }

    ~Protocol() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] kvprof::Run measure_with(const std::string& script, MeasureSpec how = {}) const {
        const auto path = folder_ / "script";
        std::ofstream(path) << "log " << log_path() << "\n" << script;
        scripted::ScriptedExecutor executor(path);
        return measure(executor, small_step(), how);
    }

    /// The events of the run, equal neighbours once.
    [[nodiscard]] std::vector<std::string> events() const {
        std::vector<std::string> lines;
        std::ifstream file(log_path());
        for (std::string line; std::getline(file, line);) {
            if (lines.empty() || lines.back() != line) {
                lines.push_back(line);
            }
        }
        return lines;
    }

    [[nodiscard]] std::string log_path() const { return folder_ / "log"; }

  private:
    std::filesystem::path folder_;
};

TEST_F(Protocol, VerifiesBeforeItWarmsUpAndTimesLast) {
    MeasureSpec how;
    how.samples = 3;
    how.replays = 7;
    const kvprof::Run run = measure_with("gpu_us 10000\n", how); // 10 ms: 20 replays are a window
    EXPECT_EQ(run.status.state, RunState::complete);
    EXPECT_THAT(
        events(),
        testing::ElementsAre(
            "environment",
            "prepare",
            "replay 1",
            "read",
            "replay 1",
            "replay 2",
            "replay 4",
            "replay 8",
            "replay 16",
            "replay 20",
            "replay 7",
            "memory"
        )
    );
    EXPECT_EQ(run.samples.size(), 3U);
    EXPECT_EQ(run.warmup_replays, 51 + 5 * 20);
    EXPECT_THAT(run.conditions, testing::IsEmpty());
}

TEST_F(Protocol, KeepsARunThatFailedVerificationAsInvalidWithoutTimes) {
    const kvprof::Run run = measure_with("wrong_ids\n");
    EXPECT_EQ(run.status.state, RunState::invalid);
    EXPECT_EQ(run.status.exit_code, 6);
    EXPECT_THAT(run.status.reason, testing::HasSubstr("could not verify stream: element [0, 0]"));
    EXPECT_TRUE(run.samples.empty());
}

TEST_F(Protocol, KeepsARunThatCouldNotBeHadWithItsReason) {
    const kvprof::Run run = measure_with("fail prepare could not allocate kv: 2.00 GiB asked\n");
    EXPECT_EQ(run.status.state, RunState::not_run);
    EXPECT_EQ(run.status.exit_code, 5);
    EXPECT_EQ(run.status.reason, "could not allocate kv: 2.00 GiB asked");
    EXPECT_FALSE(run.memory.empty()); // the ledger is known all the same
}

TEST_F(Protocol, SaysThatOnlyTheFirstLaunchOfAFlushedGraphIsCold) {
    MeasureSpec how;
    how.samples = 1;
    how.op = "token-stream";
    how.l2 = L2Mode::flush;
    EXPECT_THAT(
        measure_with("gpu_us 10000\n", how).notes,
        testing::ElementsAre(testing::HasSubstr("only the first of the 20 launches"))
    );
    how.op_launches = 1;
    EXPECT_THAT(measure_with("gpu_us 10000\n", how).notes, testing::IsEmpty());
}

TEST_F(Protocol, SaysWhenWarmUpNeverSettles) {
    MeasureSpec how;
    how.samples = 1;
    how.warmup_max_s = 0.2;
    const kvprof::Run run = measure_with("gpu_us 10000 20000\n", how);
    EXPECT_EQ(run.status.state, RunState::complete);
    ASSERT_EQ(run.conditions.size(), 1U);
    EXPECT_EQ(run.conditions.front().kind, ConditionKind::not_steady);
    EXPECT_THAT(run.conditions.front().detail, testing::HasSubstr("no five warm-up windows"));
}

TEST_F(Protocol, FillsABatchWithReplays) {
    MeasureSpec how;
    how.samples = 1;
    const kvprof::Run run = measure_with("gpu_us 100\n", how);
    EXPECT_EQ(run.samples.front().replays, 200); // 20 ms of 100 us each
}

TEST_F(Protocol, StopsByItselfWhenTheMedianIsKnown) {
    const kvprof::Run run = measure_with("gpu_us 100\n");
    EXPECT_EQ(run.measure.samples, 0);
    EXPECT_EQ(run.samples.size(), 25U); // half a second
    EXPECT_THAT(run.conditions, testing::IsEmpty());
    EXPECT_THAT(run.notes, testing::IsEmpty());
}

TEST_F(Protocol, KeepsARunWhoseMedianIsWideWithANote) {
    const kvprof::Run run = measure_with("gpu_us 1000 1020\n");
    EXPECT_EQ(run.status.state, RunState::complete);
    EXPECT_THAT(run.notes, testing::ElementsAre(testing::StartsWith("wide: ")));
}

TEST_F(Protocol, ARunThatDriftsIsNotSteady) {
    // 18 batches find the window and are steady; then each batch is 0.1 % slower.
    std::string times = "gpu_us";
    for (int i = 0; i < 18; ++i) {
        times += " 100";
    }
    for (int i = 1; i <= 90; ++i) {
        times += " " + std::to_string(100.0 + 0.1 * i);
    }
    MeasureSpec how;
    how.samples = 90;
    const kvprof::Run run = measure_with(times + "\n", how);
    ASSERT_EQ(run.conditions.size(), 1U);
    EXPECT_EQ(run.conditions.front().kind, ConditionKind::not_steady);
    EXPECT_THAT(run.conditions.front().detail, testing::HasSubstr("drifting while measured: +"));
}

TEST_F(Protocol, PlaysTheReasonsThatSlowADevice) {
    MeasureSpec how;
    how.samples = 1;
    const kvprof::Run run = measure_with("gpu_us 10000\nreasons 0x8\nclock_mhz 1980\n", how);
    EXPECT_EQ(run.status.state, RunState::complete);
    ASSERT_EQ(run.conditions.size(), 1U);
    EXPECT_EQ(run.conditions.front().kind, ConditionKind::hw_slowdown);
    EXPECT_EQ(run.states.front().sm_clock_mhz, 1980);
}

TEST_F(Protocol, WaitsForTheClockThatAScriptPlays) {
    MeasureSpec how;
    how.samples = 1;
    const kvprof::Run steady = measure_with("gpu_us 10000\nclock_mhz 1980\n", how);
    how.warmup_max_s = 3.0;
    const kvprof::Run hunting = measure_with("gpu_us 10000\nclock_mhz 1980 1900\n", how);
    EXPECT_THAT(steady.conditions, testing::IsEmpty());
    EXPECT_EQ(hunting.conditions.front().kind, ConditionKind::not_steady);
}

TEST_F(Protocol, PlaysOtherLinesInOtherTurns) {
    MeasureSpec how;
    how.samples = 1;
    const std::string script = "state " + log_path()
                               + ".runs\ngpu_us 10000\nturn 0 1\nreasons 0x8\n"
                                 "turn 3\nfail prepare no room\n";
    std::vector<std::string> seen;
    for (int i = 0; i < 5; ++i) {
        const kvprof::Run run = measure_with(script, how);
        seen.emplace_back(
            run.status.state == RunState::not_run ? run.status.reason
            : run.conditions.empty()              ? "sound"
                                                  : to_string(run.conditions.front().kind)
        );
    }
    EXPECT_THAT(
        seen, testing::ElementsAre("hw-slowdown", "hw-slowdown", "sound", "no room", "sound")
    );
}

TEST_F(Protocol, PlaysFactsOfTheEnvironment) {
    MeasureSpec how;
    how.samples = 1;
    const kvprof::Run run =
        measure_with("gpu_us 10000\nfact device-name Some GPU\nfact sm-count 132\n", how);
    EXPECT_EQ(run.environment.device_name, "Some GPU");
    EXPECT_EQ(run.environment.sm_count, 132);
    EXPECT_EQ(run.environment.executor, "scripted");
}

TEST_F(Protocol, KnowsWhatItRanAndWhere) {
    MeasureSpec how;
    how.samples = 1;
    const Environment environment = measure_with("gpu_us 10000\n", how).environment;
    EXPECT_THAT(environment.binary, testing::MatchesRegex("[0-9a-f]{40}"));
    EXPECT_FALSE(environment.boot.empty());
}

/// A device that another process shares: one before the run, another from then on.
class SharedDevice final : public Executor {
  public:
    SharedDevice(std::int64_t pid_before, std::int64_t pid_after)
        : pid_before_(pid_before),
          pid_after_(pid_after) {}

    [[nodiscard]] Environment environment() const override { return {}; }

    [[nodiscard]] ReadDevice watcher() const override {
        return [before = pid_before_, after = pid_after_](std::string_view when) {
            DeviceReading reading;
            reading.state.when = when;
            reading.state.sm_clock_mhz = 1980;
            reading.company.others = {
                {std::string(when), when == "before" ? before : after, 1 << 20}};
            reading.company.lists_self = true;
            return std::optional(reading);
        };
    }

    void require_room(const workload::StepPlan& /*plan*/) const override {}

    [[nodiscard]] std::unique_ptr<PreparedStep> prepare(
        const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
    ) override {
        return scripted::ScriptedExecutor("").prepare(plan, state, how);
    }

    [[nodiscard]] MemoryLife memory_life(
        const workload::StepPlan& /*plan*/,
        const workload::InitialState& /*state*/,
        const MeasureSpec& /*how*/
    ) override {
        return {};
    }

  private:
    std::int64_t pid_before_;
    std::int64_t pid_after_;
};

kvprof::Run measured_beside(std::int64_t pid_before, std::int64_t pid_after) {
    MeasureSpec how;
    how.samples = 1;
    how.replays = 1;
    how.warmup_max_s = 0.05;
    SharedDevice device(pid_before, pid_after);
    kvprof::Run run = measure(device, small_step(), how);
    std::erase_if(run.conditions, [](const Condition& condition) {
        return condition.kind == ConditionKind::not_steady;
    });
    return run;
}

TEST(WatchedDevice, AProcessThatTookThePlaceOfAnotherIsACondition) {
    const kvprof::Run run = measured_beside(7, 8);
    ASSERT_FALSE(run.conditions.empty());
    EXPECT_EQ(run.conditions.front().kind, ConditionKind::foreign_process);
    EXPECT_EQ(run.environment.foreign.front().pid, 7);
}

TEST(WatchedDevice, AProcessThatStaysIsNone) {
    EXPECT_THAT(measured_beside(7, 7).conditions, testing::IsEmpty());
}

TEST(WatchedDevice, ReadingsFromBeforeToAfterAreKept) {
    const kvprof::Run run = measured_beside(7, 7);
    ASSERT_GE(run.states.size(), 2U);
    EXPECT_EQ(run.states.front().when, "before");
    EXPECT_EQ(run.states.back().when, "after");
    EXPECT_EQ(run.states.front().sm_clock_mhz, 1980);
}

TEST(Script, RefusesAnUnknownWord) {
    EXPECT_THROW(scripted::ScriptedExecutor("/does/not/exist"), UsageError);
}

TEST_F(Protocol, RefusesAScriptThatMeansNothing) {
    for (const char* script : {"turn 0\n", "fact no-such-fact 1\n", "reasons eight\n", "sing\n"}) {
        EXPECT_THROW(static_cast<void>(measure_with(script)), UsageError) << script;
    }
}

TEST(Script, IsAFile) {
    EXPECT_THROW(scripted::ScriptedExecutor("/"), UsageError);
    EXPECT_THROW(scripted::ScriptedExecutor("/dev/zero"), UsageError); // it never ends
}

TEST_F(Protocol, PlaysNoTimeThatAClockDoesNotShow) {
    for (const char* time : {"0", "-5", "1e-300", "1e300"}) {
        EXPECT_THROW(
            static_cast<void>(measure_with(std::string("gpu_us ") + time + "\n")), UsageError
        ) << time;
    }
}

} // namespace
