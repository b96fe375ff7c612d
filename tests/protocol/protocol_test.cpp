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
    const kvprof::Run run =
        measure_with("gpu_us 10000\n", how); // 10 ms: every window is long enough
    EXPECT_EQ(run.status.state, RunState::complete);
    EXPECT_THAT(
        events(),
        testing::ElementsAre(
            "environment", "prepare", "replay 1", "read", "replay 1", "replay 7", "memory"
        )
    );
    EXPECT_EQ(run.samples.size(), 3U);
    EXPECT_EQ(run.warmup_replays, 2);
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
    EXPECT_THAT(run.conditions.front().detail, testing::HasSubstr("no two warm-up windows"));
}

TEST_F(Protocol, FillsABatchWithReplays) {
    MeasureSpec how;
    how.samples = 1;
    const kvprof::Run run = measure_with("gpu_us 100\n", how);
    EXPECT_EQ(run.samples.front().replays, 200); // 20 ms of 100 us each
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
