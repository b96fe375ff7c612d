// What takes a verdict back that the numbers alone would give, and how wide a limit is.

#include "analyzers/compare.h"
#include "analyzers/comparison_sections.h"
#include "tests/analyzers/compared_sides.h"
#include "tests/analyzers/json_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace kvprof::analyzers {
namespace {

using namespace test_sides;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// V3, which regresses, after a change of all runs of the candidate.
Comparison v3_after(const std::function<void(kvprof::Run&)>& change, CompareOptions how = {}) {
    std::vector<kvprof::Run> candidate = timed_runs(v3_candidate());
    std::for_each(candidate.begin(), candidate.end(), change);
    return compare(timed_side("a", v3_base()), side_of("b", candidate), how);
}

TEST(UnstableMachine, TakesTheVerdictOfTimesAndKeepsTheirFigures) {
    for (const ConditionKind kind : {ConditionKind::hw_thermal, ConditionKind::foreign_process}) {
        const Comparison comparison = v3_after([kind](kvprof::Run& run) {
            run.conditions = {{kind, "seen"}};
        });
        EXPECT_EQ(step_row(comparison).verdict, Verdict::inconclusive);
        EXPECT_EQ(step_row(comparison).reason, "unstable-machine");
        EXPECT_NEAR(step_row(comparison).test->estimate, 1.014723, 1e-6);
        EXPECT_EQ(row_of(comparison, "step.launches").verdict, Verdict::same);
        EXPECT_EQ(comparison.verdict, Verdict::inconclusive);
        EXPECT_EQ(exit_code_of(comparison), ExitCode::done);
    }
}

TEST(UnstableMachine, IsOneOnWhichOtherProcessesComeAndGo) {
    const Comparison comparison = v3_after([](kvprof::Run& run) {
        run.environment.foreign = {{"after", 9, 100}};
    });
    EXPECT_EQ(step_row(comparison).reason, "unstable-machine");
}

TEST(KeptConditions, TagTheRowAndLeaveTheVerdict) {
    const Comparison comparison = v3_after([](kvprof::Run& run) {
        run.conditions = {{ConditionKind::not_steady, "2.4 % after 10 s"}};
    });
    EXPECT_EQ(step_row(comparison).verdict, Verdict::regressed);
    EXPECT_THAT(
        step_row(comparison).remarks,
        Contains("not steady: run 1, 2, 3, 4, 5, 6, 7 of the candidate")
    );
}

TEST(KeptConditions, AskForCyclesUnderAPowerCap) {
    const auto clocked = [](kvprof::Run run) {
        DeviceState state;
        state.when = "during";
        state.sm_clock_mhz = 1500;
        run.states = {state};
        run.conditions = {{ConditionKind::power_capped, "in 1 of 9 readings"}};
        return run;
    };
    const std::vector<kvprof::Run> runs(6, clocked(timed(100.0)));
    const Comparison comparison = compare(side_of("a", runs), side_of("b", runs));
    EXPECT_EQ(step_row(comparison).verdict, Verdict::same);
    ASSERT_TRUE(step_row(comparison).cycles.has_value());
    EXPECT_EQ(step_row(comparison).cycles->base_mhz, 1500.0);
}

TEST(Outliers, AreFlaggedAndNeverDropped) {
    const Comparison comparison = compare(
        timed_side("a", {10.1, 10.2, 10.0, 10.3, 10.1, 10.2, 13.9}),
        timed_side("b", {10.1, 10.2, 10.0, 10.3, 10.1, 10.2, 10.2})
    );
    EXPECT_THAT(step_row(comparison).remarks, Contains("run 7 of the base looks odd"));
    EXPECT_EQ(step_row(comparison).base.values.size(), 7U);
}

Calibration calibrated(double floor, double sigma = 0.0) {
    Calibration calibration;
    const kvprof::Run run = timed(1.0);
    calibration.step = run.step;
    calibration.measure = run.measure;
    calibration.device = run.environment.device_name;
    calibration.method = run.environment.method.empty() ? "1" : run.environment.method;
    calibration.metrics = {{.id = "step.gpu_time", .sigma = sigma, .floor = floor}};
    return calibration;
}

TEST(NoiseFloor, WidensTheThresholdAndSaysSo) {
    CompareOptions how;
    how.calibrations = {calibrated(0.00163)};
    const auto nothing = [](kvprof::Run&) {};
    EXPECT_EQ(step_row(v3_after(nothing, how)).threshold, 0.01);
    EXPECT_FALSE(step_row(v3_after(nothing, how)).is_noise_limited);
    how.calibrations = {calibrated(0.02)};
    EXPECT_EQ(step_row(v3_after(nothing, how)).threshold, 0.02);
    EXPECT_TRUE(step_row(v3_after(nothing, how)).is_noise_limited);
    EXPECT_EQ(step_row(v3_after(nothing, how)).verdict, Verdict::same);
}

TEST(NoiseFloor, DoesNotPromiseMoreThanTheCalibrationSaw) {
    CompareOptions how;
    how.calibrations = {calibrated(0.001, 0.01)};
    const auto nothing = [](kvprof::Run&) {};
    EXPECT_NEAR(*step_row(v3_after(nothing, {})).test->detectable, 0.0028, 1e-4);
    EXPECT_NEAR(*step_row(v3_after(nothing, how)).test->detectable, 0.0179, 1e-4);
}

/// Adds kernels that are the same on both sides and take `scale` times as long on this one.
void trace(kvprof::Run& run, double scale) {
    PassResult nodes;
    nodes.pass = Pass::nodes;
    nodes.steps = 10;
    nodes.batches = {{0, 10, std::chrono::microseconds(124'000), {}, {}}};
    run.passes = {nodes};
    run.environment.binary = "one program";
    for (const char* name : {"first", "second", "third"}) {
        KernelStat kernel;
        kernel.op = OpKind::attention;
        kernel.name = name;
        kernel.launches = 10;
        kernel.time = std::chrono::nanoseconds(std::llround(10e6 * scale));
        run.kernels.push_back(kernel);
    }
}

Comparison with_controls(double step_change, double control_change) {
    std::vector<kvprof::Run> base = timed_runs(v3_base());
    std::vector<kvprof::Run> candidate = timed_runs(v3_base());
    for (std::size_t i = 0; i < base.size(); ++i) {
        candidate[i] = timed(v3_base()[i] * step_change);
        trace(base[i], 1.0);
        trace(candidate[i], control_change);
    }
    return compare(side_of("a", base), side_of("b", candidate));
}

TEST(Controls, AreTheEnvironmentsOwnChange) {
    const Comparison comparison = with_controls(1.0147, 1.0041);
    ASSERT_TRUE(comparison.controls.has_value());
    EXPECT_EQ(comparison.controls->kernels, 3U);
    EXPECT_NEAR(comparison.controls->ratio, 1.0041, 1e-9);
    EXPECT_FALSE(comparison.controls->is_drift); // below 0.5 %
    EXPECT_TRUE(with_controls(1.0147, 1.0051).controls->is_drift);
    EXPECT_EQ(step_row(comparison).verdict, Verdict::regressed); // 1.01056 without them
}

TEST(Controls, TakeBackAVerdictThatTheyWouldTurn) {
    const Comparison comparison = with_controls(1.0147, 1.0061);
    EXPECT_EQ(step_row(comparison).verdict, Verdict::inconclusive);
    EXPECT_EQ(step_row(comparison).reason, "environment-drift");
    EXPECT_FALSE(step_row(comparison).is_confirmed);
}

TEST(Controls, OfOneTracedRunTakeNothingBack) {
    std::vector<kvprof::Run> base = timed_runs(v3_base());
    std::vector<kvprof::Run> candidate = timed_runs(v3_candidate());
    for (std::vector<kvprof::Run>* runs : {&base, &candidate}) {
        for (kvprof::Run& run : *runs) {
            run.environment.binary = "one program";
        }
    }
    trace(base.front(), 1.0);
    trace(candidate.front(), 1.1); // would turn every verdict
    const Comparison comparison = compare(side_of("a", base), side_of("b", candidate));
    ASSERT_TRUE(comparison.controls.has_value());
    EXPECT_FALSE(comparison.controls->is_tested);
    EXPECT_FALSE(comparison.controls->is_drift);
    EXPECT_EQ(step_row(comparison).verdict, Verdict::regressed);
    EXPECT_THAT(
        controls_line(comparison), HasSubstr("moved by +10.00 % (n 1+1), which proves nothing")
    );
    const auto json = nlohmann::json::parse(comparison_json(comparison))["controls"];
    EXPECT_EQ(json["is_tested"], false);
    EXPECT_EQ(json["base_runs"], 1);
    EXPECT_THAT(controls_line(with_controls(1.0, 1.0)), HasSubstr("(n 7+7)"));
}

TEST(Controls, AreNoneOfAnotherProgram) {
    std::vector<kvprof::Run> base = timed_runs(v3_base());
    std::vector<kvprof::Run> candidate = base;
    for (std::size_t i = 0; i < base.size(); ++i) {
        trace(base[i], 1.0);
        trace(candidate[i], 1.1);
        candidate[i].environment.binary = "another program";
    }
    EXPECT_FALSE(compare(side_of("a", base), side_of("b", candidate)).controls.has_value());
}

TEST(DeviceMemory, CountsAChangeAboveWhatEqualRunsDifferBy) {
    constexpr std::int64_t kMiB = 1 << 20;
    const auto holding = [](std::int64_t mib) {
        kvprof::Run run = timed(100.0);
        run.memory.push_back({"step", MemorySource::device_free, "device", Bytes{mib * kMiB}});
        return run;
    };
    const auto verdict = [&](const std::vector<std::int64_t>& base,
                             const std::vector<std::int64_t>& candidate) {
        std::vector<kvprof::Run> a;
        std::vector<kvprof::Run> b;
        std::transform(base.begin(), base.end(), std::back_inserter(a), holding);
        std::transform(candidate.begin(), candidate.end(), std::back_inserter(b), holding);
        return row_of(compare(side_of("a", a), side_of("b", b)), "device_free.step.bytes");
    };
    EXPECT_EQ(verdict({100, 100}, {104, 104}).verdict, Verdict::regressed);
    EXPECT_EQ(verdict({100, 100}, {96, 96}).verdict, Verdict::improved);
    EXPECT_EQ(verdict({100, 100}, {102, 102}).reason, "source-cannot-prove-zero"); // one step
    EXPECT_EQ(verdict({100, 106}, {104, 110}).reason, "source-cannot-prove-zero");
    EXPECT_EQ(verdict({100}, {104}).reason, "too-few-runs"); // what equal ones differ by: unknown
}

TEST(DeviceMemory, ProvesNothingBesideAnotherTenant) {
    std::vector<kvprof::Run> base(2, timed(100.0));
    for (kvprof::Run& run : base) {
        run.environment.foreign = {{"before", 9, 100}, {"after", 9, 100}};
        run.memory.push_back({"step", MemorySource::device_free, "device", Bytes{0}});
    }
    std::vector<kvprof::Run> candidate = base;
    for (kvprof::Run& run : candidate) {
        run.memory.back().bytes = Bytes{std::int64_t{1} << 30};
    }
    const Comparison comparison = compare(side_of("a", base), side_of("b", candidate));
    EXPECT_EQ(row_of(comparison, "device_free.step.bytes").reason, "unstable-machine");
    EXPECT_EQ(step_row(comparison).reason, "too-few-runs"); // company that stays is no disturbance
}

TEST(CaptureFailure, IsTheReasonOfARowWhosePassWasLost) {
    kvprof::Run base = timed(100.0);
    PassResult counts;
    counts.pass = Pass::counts;
    counts.steps = 1;
    base.passes = {counts};
    kvprof::Run candidate = base;
    candidate.passes[0].failure = "CUPTI is busy";
    const Comparison comparison = compare(side_of("a", {base}), side_of("b", {candidate}));
    EXPECT_EQ(row_of(comparison, "step.sync_calls").verdict, Verdict::inconclusive);
    EXPECT_EQ(row_of(comparison, "step.sync_calls").reason, "capture-failure");
}

TEST(Looks, ShareAlphaAndWidenTheInterval) {
    CompareOptions how;
    how.looks = 3;
    const auto nothing = [](kvprof::Run&) {};
    const Comparison comparison = v3_after(nothing, how);
    EXPECT_NEAR(comparison.alpha, 0.05 / 3.0, 1e-12);
    EXPECT_GT(step_row(comparison).test->level, 1.0 - 0.05 / 3.0);
    EXPECT_EQ(step_row(comparison).verdict, Verdict::regressed);
}

TEST(Families, KeepThePrimaryRowsOfAllCasesTogether) {
    std::vector<Case> cases;
    for (const char* cell : {"batch=8", "batch=64"}) {
        cases.push_back({cell, timed_side("a", v3_base()), timed_side("b", v3_candidate())});
    }
    const std::vector<Comparison> both = compare_cases(cases, {});
    ASSERT_EQ(both.size(), 2U);
    for (const Comparison& comparison : both) {
        EXPECT_EQ(step_row(comparison).test->tests, 2U);
        EXPECT_NEAR(step_row(comparison).test->p_adjusted, 2.0 / 1716.0, 1e-12);
        EXPECT_EQ(row_of(comparison, "step.wall_time").test->tests, 1U);
    }
    EXPECT_EQ(both[1].cell, "batch=64");
}

TEST(Primary, AloneDecidesTheWhole) {
    // Times regress; graph nodes, which inform, are fewer.
    const Comparison comparison = v3_after([](kvprof::Run& run) { run.graph_nodes = 0; });
    EXPECT_EQ(row_of(comparison, "graph.nodes").verdict, Verdict::improved);
    CompareOptions how;
    how.policy.primary = {"graph.nodes"};
    const auto fewer = [](kvprof::Run& run) { run.graph_nodes = 0; };
    EXPECT_EQ(v3_after(fewer, how).verdict, Verdict::improved);
    EXPECT_EQ(comparison.verdict, Verdict::regressed);
    how.policy.primary = {"op.<name>.blocks"};
    EXPECT_EQ(v3_after(fewer, how).verdict, Verdict::inconclusive); // nothing was decided
}

TEST(Primary, ThatNoPassObservedDecidesNothing) {
    CompareOptions how;
    how.policy.primary = {"launches", "step.sync_calls"};
    const Side side = timed_side("a", v3_base());
    const Comparison comparison = compare(side, side, how);
    EXPECT_EQ(comparison.verdict, Verdict::inconclusive);
    EXPECT_THAT(
        comparison.not_measured, Contains(HasSubstr("step.sync_calls, which is to decide"))
    );
    how.policy.primary = {"launches", "graph_memory"};
    EXPECT_EQ(compare(side, side, how).verdict, Verdict::same);
}

TEST(Primary, ThatOnlyExplainsMayNotChange) {
    CompareOptions how;
    how.policy.primary = {"op.token-stream.launches"};
    const Comparison comparison = v3_after([](kvprof::Run& run) { run.ops[0].launches = 0; }, how);
    EXPECT_EQ(row_of(comparison, "op.token-stream.launches").verdict, Verdict::regressed);
    EXPECT_EQ(row_of(comparison, "op.token-stream.launches").reason, "changed");
}

TEST(ExactLimits, AllowWhatThePolicyAllows) {
    CompareOptions how;
    how.policy.rules = {{.metric = "launches", .limits = {.absolute = 2.0}, .source = {}}};
    const auto launches = [&](std::int64_t more) {
        return row_of(
                   v3_after([more](kvprof::Run& run) { run.ops[0].launches += more; }, how),
                   "step.launches"
        )
            .verdict;
    };
    EXPECT_EQ(launches(2), Verdict::same);
    EXPECT_EQ(launches(3), Verdict::regressed);
}

TEST(Pairs, AreOnlyThoseOfADesign) {
    const std::vector<double> base = with_one_more(v3_base(), 12409.1);
    const std::vector<double> candidate = with_one_more(v3_candidate(), 12594.6);
    CompareOptions how;
    how.is_interleaved = true;
    Side a = paired_side(AbSide::a, base);
    const Side b = paired_side(AbSide::b, candidate);
    const auto method = [&] { return step_row(compare(a, b, how)).test->method; };
    EXPECT_EQ(method(), RankMethod::signed_rank);
    a.runs.back().ab->block = 9; // its counterpart is missing
    EXPECT_EQ(method(), RankMethod::rank_sum);
    a = paired_side(AbSide::a, base);
    a.runs.back().ab.reset();
    EXPECT_EQ(method(), RankMethod::rank_sum);
    how.is_interleaved = false;
    a = paired_side(AbSide::a, base);
    EXPECT_EQ(method(), RankMethod::rank_sum);
}

TEST(Pairs, AreMatchedByPlaceAndNotByOrder) {
    const std::vector<double> base = with_one_more(v3_base(), 12409.1);
    const std::vector<double> candidate = with_one_more(v3_candidate(), 12594.6);
    CompareOptions how;
    how.is_interleaved = true;
    const Side a = paired_side(AbSide::a, base);
    Side b = paired_side(AbSide::b, candidate);
    const double estimate = step_row(compare(a, b, how)).test->low;
    std::reverse(b.runs.begin(), b.runs.end());
    EXPECT_EQ(step_row(compare(a, b, how)).test->low, estimate);
}

TEST(Pairs, NeedWholeBlocksThatSignedRanksCanDecide) {
    const auto needed = [](bool is_interleaved, std::size_t primary_rows) {
        CompareOptions how;
        how.is_interleaved = is_interleaved;
        if (primary_rows == 2) {
            how.policy.primary.push_back("wall_time");
        }
        const Comparison comparison =
            compare(paired_side(AbSide::a, {100, 101}), paired_side(AbSide::b, {110, 111}), how);
        return step_row(comparison).runs_needed;
    };
    EXPECT_EQ(needed(true, 1), 6U);
    EXPECT_EQ(needed(true, 2), 8U);  // seven would do, and a block holds two
    EXPECT_EQ(needed(false, 2), 6U); // by Mann-Whitney
}

TEST(SingleLayout, IsStampedWhenRunsSayThatTheySharedAProcess) {
    Side a = timed_side("a", v3_base());
    const Side b = timed_side("b", v3_candidate());
    EXPECT_THAT(compare(a, b).stamps, Not(Contains(HasSubstr("single-layout"))));
    a.runs[0].notes = {"single-layout: the runs share a process"};
    EXPECT_THAT(compare(a, b).stamps, Contains(HasSubstr("single-layout")));
}

} // namespace
} // namespace kvprof::analyzers
