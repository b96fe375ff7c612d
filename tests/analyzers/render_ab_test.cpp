#include "analyzers/cases.h"
#include "analyzers/render_gate.h"
#include "analyzers/render_json.h"
#include "analyzers/render_markdown.h"
#include "analyzers/render_text.h"
#include "analyzers/selftest.h"
#include "tests/analyzers/ab_runs.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace kvprof::analyzers {
namespace {

using test::ab_side;
using test::expect_golden;
using test::StepTimes;
using test::traced_ab_side;
using test::v16_base;
using test::v16_candidate;
using testing::HasSubstr;
using testing::Not;

CompareOptions delay_declared() {
    CompareOptions how;
    how.treatment = {"delay-op", "delay-us"};
    how.is_interleaved = true;
    return how;
}

Comparison regression() {
    return compare(
        traced_ab_side(AbSide::a, v16_base()),
        traced_ab_side(AbSide::b, v16_candidate()),
        delay_declared()
    );
}

StepTimes first(StepTimes times, std::size_t runs) {
    times.resize(runs);
    return times;
}

/// Three runs a side, whose ranges are disjoint.
Comparison too_few_runs() {
    return compare(
        ab_side(AbSide::a, first(v16_base(), 3)),
        ab_side(AbSide::b, first(v16_candidate(), 3)),
        delay_declared()
    );
}

Case case_of(std::int64_t batch, Side base, Side candidate) {
    for (Side* side : {&base, &candidate}) {
        side->step.batch = batch;
        for (Run& run : side->runs) {
            run.step.batch = batch;
        }
    }
    return {"batch=" + std::to_string(batch), std::move(base), std::move(candidate)};
}

/// Batch 8 is as fast as before, batch 64 slower.
std::vector<Comparison> two_cases() {
    StepTimes same = v16_base();
    std::reverse(same.begin(), same.end());
    return compare_cases(
        {case_of(8, ab_side(AbSide::a, v16_base()), ab_side(AbSide::b, same)),
         case_of(64, ab_side(AbSide::a, v16_base()), ab_side(AbSide::b, v16_candidate()))},
        delay_declared()
    );
}

GateResult gated() {
    Policy policy;
    policy.origin = "kvprof.toml";
    policy.accepted = {
        {.metric = "step_time",
         .cell = "batch=64",
         .until = "2026-01-31",
         .reason = "the delay is known",
         .line = 12}};
    return gate_of(two_cases(), policy, "2026-02-01");
}

Calibration calibration() {
    Calibration calibration;
    calibration.experiment = std::string(32, 'c');
    calibration.started_at = "2026-01-02T03:04:05Z";
    calibration.step.batch = 8;
    calibration.device = "NVIDIA H200";
    calibration.metrics = {
        {"step.gpu_time", 0.001291, 0.00163, 12, 462, 0.002003},
        {"step.wall_time", 0.01, 0.02, 12, 462, std::nullopt}};
    calibration.notes = {"left out a run that is void: hw-slowdown"};
    calibration.runs_a_side = 8;
    return calibration;
}

std::vector<SelftestRow> selftest_rows() {
    return {
        {.what = "identical code, synthetic runs",
         .injected = 0.0,
         .threshold = 0.01,
         .gates = 200,
         .regressed = 0,
         .improved = 1,
         .same = 187,
         .inconclusive = 12,
         .holds = true},
        {.what = "slowed down, measured",
         .injected = 0.02,
         .threshold = 0.01,
         .gates = 1,
         .regressed = 1,
         .holds = true}};
}

TEST(RenderAb, MatchesTheGoldens) {
    expect_golden("ab.txt", comparison_text(regression()));
    expect_golden("ab.md", comparison_markdown(regression()));
    expect_golden("ab.json", comparison_json(regression()));
    expect_golden("too_few_runs.txt", comparison_text(too_few_runs()));
    expect_golden("too_few_runs.md", comparison_markdown(too_few_runs()));
    expect_golden("cases.txt", cases_text(two_cases()));
    expect_golden("cases.md", cases_markdown(two_cases()));
    expect_golden("cases.json", cases_json(two_cases()));
    expect_golden(
        "ab_experiment.txt", experiment_text(test::ab_experiment(v16_base(), v16_candidate()))
    );
}

TEST(RenderGate, MatchesTheGoldens) {
    expect_golden("gate.txt", gate_text(gated()));
    expect_golden("gate.md", gate_markdown(gated()));
    expect_golden("gate.json", gate_json(gated()));
}

TEST(RenderCalibration, MatchesTheGoldens) {
    expect_golden("calibration.txt", calibration_text(calibration()));
    expect_golden("calibration.md", calibration_markdown(calibration()));
    expect_golden("calibration.json", calibration_json(calibration()));
}

TEST(RenderSelftest, MatchesTheGoldens) {
    expect_golden("selftest.txt", selftest_text(selftest_rows(), "8 + 8 runs a gate, seed 42"));
    expect_golden("selftest.md", selftest_markdown(selftest_rows(), "8 + 8 runs a gate, seed 42"));
    expect_golden("selftest.json", selftest_json(selftest_rows(), "8 + 8 runs a gate, seed 42"));
}

TEST(RenderAb, ShowsTheChangeOfV16WithItsInterval) {
    EXPECT_THAT(comparison_text(regression()), HasSubstr("+1.49 % [+1.41, +1.57]"));
    EXPECT_THAT(comparison_markdown(regression()), HasSubstr("+1.49 % [+1.41, +1.57]"));
    const auto json = nlohmann::json::parse(comparison_json(regression()));
    EXPECT_EQ(json["metrics"][0]["change"]["method"], "hl-signed-rank");
    EXPECT_NEAR(json["metrics"][0]["change"]["level"].get<double>(), 0.96094, 1e-5);
    EXPECT_NEAR(json["metrics"][0]["change"]["low"].get<double>(), 1.014140, 1e-6);
}

TEST(RenderAb, ShowsNoChangeOfATimeWithoutSayingWhatItIsWorth) {
    const std::string text = comparison_text(too_few_runs());
    EXPECT_THAT(text, HasSubstr("% (no interval)"));
    EXPECT_THAT(text, HasSubstr("3 + 3 runs can not go below p = 0.1"));
    EXPECT_THAT(text, HasSubstr("run at least"));
    const auto change =
        nlohmann::json::parse(comparison_json(too_few_runs()))["metrics"][0]["change"];
    EXPECT_TRUE(change["low"].is_null());
    EXPECT_TRUE(change["high"].is_null());
}

TEST(RenderAb, ShowsEveryValue) {
    const std::string text = comparison_text(regression());
    for (const char* value : {"12410.2", "12409.1 us", "12598.1", "12594.6 us"}) {
        EXPECT_THAT(text, HasSubstr(value));
    }
}

TEST(RenderAb, FitsItsTablesInto160Columns) {
    for (const std::string& text :
         {comparison_text(regression()), cases_text(two_cases()), gate_text(gated())}) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(line.size(), Table::kLineWidth) << line;
        }
    }
}

TEST(RenderAb, SaysWhichDifferencesWereNotDeclared) {
    CompareOptions how = delay_declared();
    how.treatment = {"delay-op"};
    const Comparison comparison =
        compare(ab_side(AbSide::a, v16_base()), ab_side(AbSide::b, v16_candidate()), how);
    EXPECT_THAT(comparison_text(comparison), HasSubstr("delay-us: 0 -> 180 (not declared)"));
    EXPECT_THAT(comparison_text(comparison), Not(HasSubstr("token-stream (not declared)")));
}

TEST(RenderCases, OfOneCaseAreItsComparison) {
    std::vector<Comparison> one = {too_few_runs()};
    EXPECT_EQ(cases_text(one), comparison_text(one.front()));
    EXPECT_EQ(cases_markdown(one), comparison_markdown(one.front()));
}

TEST(RenderCases, AnswerTheWorstOfAll) {
    EXPECT_EQ(verdict_of(two_cases()), Verdict::regressed);
    EXPECT_EQ(verdict_of(std::vector<Comparison>{}), Verdict::inconclusive);
}

TEST(RenderGate, SaysThatAnAcceptanceHasPassed) {
    EXPECT_THAT(gate_text(gated()), HasSubstr("no longer, 2026-01-31 has passed"));
}

TEST(RenderExperiment, CountsAVoidRunAsNeither) {
    const std::string text = experiment_text(test::ab_experiment(v16_base(), v16_candidate()));
    EXPECT_THAT(text, HasSubstr("ab, complete: 16 of 16 runs complete, 1 void"));
    EXPECT_THAT(text, HasSubstr("void: foreign-process: 1.20 GiB came"));
}

TEST(RenderSelftest, HoldsOnlyWhenEveryPromiseDoes) {
    std::vector<SelftestRow> rows = selftest_rows();
    EXPECT_TRUE(holds(rows));
    rows[1].holds = false;
    EXPECT_FALSE(holds(rows));
    EXPECT_FALSE(holds({}));
    EXPECT_THAT(selftest_text(rows, ""), HasSubstr("does not hold: 1 of 2 promises"));
}

} // namespace
} // namespace kvprof::analyzers
