#include "analyzers/gate.h"

#include "analyzers/figures.h"
#include "tests/analyzers/compared_sides.h"
#include "tests/analyzers/gate_rows.h"
#include "tests/analyzers/json_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <vector>

namespace kvprof::analyzers {
namespace {

using namespace test_rows;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Gate, PassesWhereEverythingIsTheSame) {
    const GateResult result = gate({same_time(), count("step.launches", 41, 41)});
    EXPECT_EQ(result.verdict, Verdict::same);
    EXPECT_EQ(result.code, ExitCode::done);
    EXPECT_EQ(result.line, "same (0): step_time +0.02% [-0.11, +0.15] within 1%; 1 more");
    EXPECT_THAT(result.remarks, IsEmpty());
    ASSERT_EQ(result.rows.size(), 2U);
    EXPECT_EQ(result.rows[1].name, "launches");
    EXPECT_EQ(result.rows[1].row_index, 1U);
}

TEST(Gate, FailsOnARegression) {
    const GateResult result = gate({slower(), count("step.launches", 41, 41)});
    EXPECT_EQ(result.verdict, Verdict::regressed);
    EXPECT_EQ(result.code, ExitCode::difference);
    EXPECT_EQ(result.line, "regressed (1): step_time +1.49% [+1.41, +1.57] > 1%");
}

TEST(Gate, ShowsCountsWithoutPercent) {
    EXPECT_EQ(
        gate({same_time(), count("step.launches", 41, 42)}).line,
        "regressed (1): launches 41 -> 42 (+1)"
    );
    const GateResult result = gate({same_time(), count("step.launches", 41, 40)});
    EXPECT_EQ(result.line, "improved (0): launches 41 -> 40 (-1)");
    EXPECT_EQ(result.code, ExitCode::done);
}

TEST(Gate, ShowsAFallBeyondItsLimit) {
    EXPECT_EQ(
        gate({step_time(Verdict::improved, 0.979, 0.978, 0.98), count("step.launches", 1, 1)}).line,
        "improved (0): step_time -2.10% [-2.20, -2.00] beyond 1%"
    );
}

TEST(Gate, SaysWhatWouldDecideANoisyRow) {
    const GateResult result = gate({noisy(), count("step.launches", 41, 41)});
    EXPECT_EQ(result.code, ExitCode::inconclusive);
    EXPECT_EQ(
        result.line,
        "inconclusive (3): step_time too-noisy, would have seen 2.10% > 1%; 16 runs a side would "
        "decide"
    );
    EXPECT_THAT(
        result.remarks,
        ElementsAre("step_time can not be gated at 1 % on this machine with 8 runs a side, which "
                    "would have seen 2.1 %; 16 would do")
    );
}

TEST(Gate, CountsTheRunsThatWouldSeeTheLimit) {
    Delta row = same_time();
    row.test->method = RankMethod::rank_sum;
    row.test->detectable = 0.0156;
    row.test->deviation = 0.01; // formula: 18 a side see 1 %
    EXPECT_THAT(
        gate({row, count("step.launches", 1, 1)}).remarks, ElementsAre(HasSubstr("; 18 would do"))
    );
    row.test->method = RankMethod::signed_rank;
    row.test->deviation = 0.01 * 1.41421356; // of pairs of such runs
    EXPECT_THAT(
        gate({row, count("step.launches", 1, 1)}).remarks, ElementsAre(HasSubstr("; 18 would do"))
    );
}

TEST(Gate, PrefersWhatIsWorst) {
    EXPECT_EQ(gate({noisy(), count("step.launches", 41, 42)}).code, ExitCode::difference);
    Comparison blocked = case_of({slower(), count("step.launches", 41, 42)});
    blocked.verdict = Verdict::not_comparable;
    blocked.concerns = {{Severity::blocks, "device-name", "device-name: A -> B"}};
    const GateResult result = gate_of(
        {case_of({slower(), count("step.launches", 1, 1)}), blocked}, default_policy(), kToday
    );
    EXPECT_EQ(result.code, ExitCode::not_comparable);
    EXPECT_EQ(result.line, "not comparable (4): device-name: A -> B");
}

TEST(Gate, NamesTheCaseWhereThereAreSeveral) {
    const GateResult result = gate_of(
        {case_of({same_time(), count("step.launches", 1, 1)}, "batch=8"),
         case_of({slower(), count("step.launches", 1, 2)}, "batch=64")},
        default_policy(),
        kToday
    );
    EXPECT_EQ(
        result.line, "regressed (1): step_time at batch=64 +1.49% [+1.41, +1.57] > 1%; 1 more"
    );
    EXPECT_EQ(result.rows.back().case_index, 1U);
}

TEST(Gate, AnswersInconclusiveAsThePolicySays) {
    Policy policy = default_policy();
    policy.on_inconclusive = OnInconclusive::warn;
    GateResult result = gate({noisy(), count("step.launches", 1, 1)}, policy);
    EXPECT_EQ(result.verdict, Verdict::inconclusive);
    EXPECT_EQ(result.code, ExitCode::done);
    EXPECT_THAT(result.line, testing::StartsWith("inconclusive (0): step_time too-noisy"));
    EXPECT_THAT(result.remarks, Contains(HasSubstr("on_inconclusive = \"warn\"")));
    policy.on_inconclusive = OnInconclusive::pass;
    result = gate({noisy(), count("step.launches", 1, 1)}, policy);
    EXPECT_EQ(result.code, ExitCode::done);
    EXPECT_THAT(result.remarks, testing::Not(Contains(HasSubstr("on_inconclusive"))));
}

TEST(Gate, DoesNotPassWhatNobodyMeasured) {
    const GateResult result = gate({count("step.launches", 41, 41)});
    EXPECT_EQ(result.code, ExitCode::inconclusive);
    EXPECT_EQ(result.line, "inconclusive (3): step_time not-measured");
    EXPECT_THAT(result.remarks, ElementsAre("step_time not-measured"));
    EXPECT_EQ(gate_of({}, default_policy(), kToday).code, ExitCode::inconclusive);
}

TEST(Gate, TakesAnExactMetricThatNeitherSideHasForZero) {
    const Policy policy = policy_of({"graph_memory"});
    const GateResult result = gate({}, policy);
    EXPECT_EQ(result.code, ExitCode::done);
    EXPECT_EQ(result.line, "same (0): every primary metric is 0 on both sides");
    // The counts pass did not run: nothing is known.
    EXPECT_EQ(gate({}, policy_of({"step.sync_calls"})).code, ExitCode::inconclusive);
}

TEST(Gate, GatesOneOpAloneByItsOwnTime) {
    Delta row = slower();
    row.id = "op.gpu_time";
    EXPECT_THAT(
        gate({row, count("step.launches", 1, 1)}).line, HasSubstr("regressed (1): step_time +1.49%")
    );
}

TEST(Gate, ExplainsAnotherReasonWithTheChange) {
    Delta row = step_time(Verdict::inconclusive, 1.0375, 1.0345, 1.0405);
    row.reason = "clock-confounded";
    EXPECT_EQ(
        gate({row, count("step.launches", 1, 1)}).line,
        "inconclusive (3): step_time clock-confounded, +3.75% [+3.45, +4.05]"
    );
}

TEST(Gate, ShowsNoIntervalThatReachesInfinity) {
    Delta row =
        step_time(Verdict::inconclusive, 1.01, 0.0, std::numeric_limits<double>::infinity());
    row.reason = "environment-drift";
    EXPECT_THAT(gate({row, count("step.launches", 1, 1)}).line, HasSubstr("+1.00% [no interval]"));
    row.reason = "too-few-runs";
    row.test->detectable.reset();
    row.runs_needed = 6;
    EXPECT_EQ(
        gate({row, count("step.launches", 1, 1)}).line,
        "inconclusive (3): step_time too-few-runs; 6 runs a side would decide"
    );
}

TEST(Gate, ShowsADifferenceInItsUnit) {
    Delta row = row_of("graph_memory.peak.bytes", Verdict::regressed, "");
    row.test =
        SampledTest{.is_ratio = false, .estimate = 4194304.0, .low = 2097152.0, .high = 6291456.0};
    row.threshold = 2097152.0;
    EXPECT_EQ(
        gate({row}, policy_of({"graph_memory.peak.bytes"})).line,
        "regressed (1): graph_memory.peak.bytes +4.0 MiB [+2.0 MiB, +6.0 MiB] > 2.0 MiB"
    );
}

TEST(Gate, WithholdsTimesOfRunsThatShareAProcess) {
    Comparison one = case_of({slower(), count("step.launches", 41, 41)});
    one.candidate.runs.front().notes = {"single-layout: both sides ran in one process"};
    const GateResult result = gate_of({one}, default_policy(), kToday);
    EXPECT_EQ(result.code, ExitCode::inconclusive);
    EXPECT_EQ(result.line, "inconclusive (3): step_time single-layout, +1.49% [+1.41, +1.57]");
    EXPECT_EQ(result.cases.front().verdict, Verdict::inconclusive);

    const GateResult allowed = gate_of({one}, default_policy(), kToday, true);
    EXPECT_EQ(allowed.code, ExitCode::difference);
    EXPECT_THAT(allowed.remarks, Contains(HasSubstr("single-layout")));

    one.deltas[1] = count("step.launches", 41, 42); // a count has no layout
    EXPECT_EQ(gate_of({one}, default_policy(), kToday).code, ExitCode::difference);
}

TEST(Gate, AgreesWithTheComparisonOnARowWithoutAValue) {
    Side base = test_sides::timed_side("a", test_sides::v3_base());
    Side candidate = base;
    for (kvprof::Run& run : candidate.runs) {
        run.samples.clear();
    }
    Comparison absent = compare(base, candidate);
    EXPECT_EQ(absent.verdict, Verdict::not_comparable);
    EXPECT_EQ(exit_code_of(absent), ExitCode::not_comparable);
    EXPECT_THAT(verdict_reasons(absent), ElementsAre(HasSubstr("step.gpu_time")));
    GateResult result = gate_of({absent}, default_policy(), kToday);
    EXPECT_EQ(result.code, ExitCode::not_comparable);
    EXPECT_EQ(result.line, "not comparable (4): step_time: the candidate has no value");

    // No run has one: nobody measured it.
    for (kvprof::Run& run : base.runs) {
        run.samples.clear();
    }
    absent = compare(base, candidate);
    EXPECT_EQ(absent.verdict, Verdict::inconclusive);
    result = gate_of({absent}, default_policy(), kToday);
    EXPECT_EQ(result.line, "inconclusive (3): step_time not-measured");
    // What is exact and seen by the timing pass is 0 on both.
    CompareOptions how;
    how.policy = policy_of({"graph_memory"});
    base.runs.front().memory.clear();
    const Side bare = side_of("bare", {base.runs.front()});
    EXPECT_EQ(compare(bare, bare, how).verdict, Verdict::same);
    EXPECT_EQ(gate_of({compare(bare, bare, how)}, how.policy, kToday).verdict, Verdict::same);
}

TEST(Gate, ShowsTheLimitsOfAKernel) {
    Comparison one = case_of({});
    KernelDelta kernel;
    kernel.name = "fill";
    kernel.verdict = Verdict::inconclusive;
    kernel.reason = "too-noisy";
    kernel.test = SampledTest{.estimate = 1.01, .low = 0.9, .high = 1.2, .detectable = 0.25};
    kernel.threshold = 0.05;
    one.kernels = {kernel};
    const GateResult result = gate_of({one}, policy_of({"kernels"}), kToday);
    EXPECT_EQ(result.line, "inconclusive (3): fill too-noisy, would have seen 25.00% > 5%");
    const auto row = nlohmann::json::parse(gate_json(result))["rows"][0];
    EXPECT_EQ(row["limits"]["ratio"], 0.03);
    EXPECT_EQ(row["limits"]["absolute"], 200.0);
    EXPECT_EQ(row["limits"]["of_step"], 0.001);
    EXPECT_EQ(row["threshold"], 0.05);
}

TEST(Gate, JudgesKernelsWhereThePolicyNamesThem) {
    Comparison one = case_of({});
    KernelDelta kernel;
    kernel.name = "attention";
    one.kernels.push_back(kernel); // too short to be tested
    kernel.name = "fill";
    kernel.verdict = Verdict::regressed;
    kernel.test = SampledTest{.estimate = 1.05, .low = 1.04, .high = 1.06};
    one.kernels.push_back(kernel);
    const GateResult result = gate_of({one}, policy_of({"kernels"}), kToday);
    EXPECT_EQ(result.line, "regressed (1): fill +5.00% [+4.00, +6.00]");
    ASSERT_EQ(result.rows.size(), 1U);
    EXPECT_TRUE(result.rows.front().is_kernel);
    EXPECT_EQ(result.rows.front().row_index, 1U);
    EXPECT_EQ(gate({}, policy_of({"kernels"})).line, "inconclusive (3): kernels not-measured");
}

TEST(GateLine, NamesTheNoiseFloorThatStandsInForALimit) {
    Delta row = step_time(Verdict::same, 1.03, 1.02, 1.04);
    row.threshold = 0.051;
    row.policy_limit = 0.01;
    row.is_noise_limited = true;
    const GateResult result = gate({row, count("step.launches", 1, 1)});
    EXPECT_EQ(
        result.line,
        "same (0): step_time +3.00% [+2.00, +4.00] within the noise floor of 5.1% (limit 1%); 1 "
        "more"
    );
    EXPECT_THAT(
        result.remarks,
        testing::Contains("noise-limited: step_time is held to the noise floor of 5.1 %, which is "
                          "wider than its limit of 1 %")
    );
}

TEST(GateLine, CountsOccasionsOfAStoredBase) {
    Delta few = noisy();
    few.reason = "too-few-runs";
    few.is_by_occasion = true;
    EXPECT_THAT(
        gate({few, count("step.launches", 1, 1)}).line,
        testing::HasSubstr("16 occasions a side would decide")
    );
    Comparison one = case_of({row_of("step.gpu_time", Verdict::inconclusive, "stored-baseline")});
    one.notes = {"stored-baseline: 1 occasion of 5 (a day or a boot with 2 runs each); measure"};
    EXPECT_EQ(
        gate_of({one}, policy_of({"step_time"}), kToday).line,
        "inconclusive (3): step_time stored-baseline: 1 occasion of 5"
    );
}

TEST(GatedRows, ListARowOnceUnderItsWordAndItsId) {
    const GateResult result = gate({same_time()}, policy_of({"step_time", "step.gpu_time"}));
    EXPECT_EQ(result.rows.size(), 1U);
    EXPECT_EQ(result.verdict, Verdict::same);
    EXPECT_TRUE(result.missing.empty());
}

} // namespace
} // namespace kvprof::analyzers
