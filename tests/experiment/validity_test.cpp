#include "capture/experiment/validity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::experiment {
namespace {

Run run_under(ConditionKind kind, Pass pass = Pass::timing) {
    Run run;
    run.conditions.push_back({kind, "what was seen", pass});
    return run;
}

TEST(VoidReason, IsEveryConditionThatForbidsTheTimes) {
    for (const ConditionKind kind :
         {ConditionKind::hw_slowdown,
          ConditionKind::sw_thermal,
          ConditionKind::hw_thermal,
          ConditionKind::hw_power_brake,
          ConditionKind::foreign_process,
          ConditionKind::dropped_records,
          ConditionKind::untimed_records,
          ConditionKind::census_mismatch,
          ConditionKind::kernel_set_differs}) {
        const std::string expected = std::string(to_string(kind)) + ": what was seen";
        EXPECT_EQ(void_reason(run_under(kind), 0), expected);
        EXPECT_EQ(void_reason(run_under(kind), 3), expected) << "however often";
    }
}

TEST(VoidReason, IsNothingThatAnotherPassSaw) {
    for (const Pass pass : {Pass::counts, Pass::graph, Pass::nodes, Pass::memory}) {
        EXPECT_EQ(void_reason(run_under(ConditionKind::hw_slowdown, pass), 0), "");
        EXPECT_EQ(void_reason(run_under(ConditionKind::not_steady, pass), 0), "");
    }
}

TEST(VoidReason, IsAnUnsteadyRunTheFirstTimeAlone) {
    const auto run = run_under(ConditionKind::not_steady);
    EXPECT_EQ(void_reason(run, 0), "not-steady: what was seen");
    EXPECT_EQ(void_reason(run, 1), "");
    EXPECT_EQ(void_reason(run, 2), "");
}

TEST(VoidReason, IsNoUnsteadyRunWhoseWarmUpWasCutShort) {
    auto run = run_under(ConditionKind::not_steady);
    run.measure.warmup_max_s = 0.05;
    EXPECT_EQ(void_reason(run, 0), "");
    run.conditions.push_back({ConditionKind::sw_thermal, "83 C", Pass::timing});
    EXPECT_EQ(void_reason(run, 0), "sw-thermal: 83 C");
}

TEST(VoidReason, IsNeverThePowerCap) {
    EXPECT_EQ(void_reason(run_under(ConditionKind::power_capped), 0), "");
}

TEST(VoidReason, IsTheFirstThatHolds) {
    auto run = run_under(ConditionKind::power_capped);
    run.conditions.push_back({ConditionKind::hw_thermal, "at the other pass", Pass::nodes});
    run.conditions.push_back({ConditionKind::sw_thermal, "83 C", Pass::timing});
    run.conditions.push_back({ConditionKind::hw_slowdown, "later", Pass::timing});
    EXPECT_EQ(void_reason(run, 0), "sw-thermal: 83 C");
}

TEST(VoidReason, IsNothingWithoutConditions) {
    EXPECT_EQ(void_reason({}, 0), "");
}

TEST(VoidReason, LeavesRunsThatAreNotCompleteTheirOwnReason) {
    for (const RunState state : {RunState::invalid, RunState::not_run, RunState::interrupted}) {
        auto run = run_under(ConditionKind::hw_slowdown);
        run.status.state = state;
        EXPECT_EQ(void_reason(run, 0), "");
    }
}

} // namespace
} // namespace kvprof::experiment
