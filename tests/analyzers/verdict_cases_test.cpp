// The reference cases of the method: docs/methodology.md, "Verdicts".

#include "analyzers/compare.h"
#include "analyzers/figures.h"
#include "stats/detectable.h"
#include "tests/analyzers/compared_sides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kvprof::analyzers {
namespace {

using namespace test_sides;
using testing::Contains;
using testing::HasSubstr;

constexpr double kDigit = 0.51e-6; // of figures with six decimals

void expect_interval(const SampledTest& test, double estimate, double low, double high) {
    EXPECT_NEAR(test.estimate, estimate, kDigit);
    EXPECT_NEAR(test.low, low, kDigit);
    EXPECT_NEAR(test.high, high, kDigit);
}

SampledTest ranked(const std::vector<double>& base, const std::vector<double>& candidate) {
    return test_sampled(base, candidate, RankMethod::rank_sum, 0.05);
}

Judgement judged(const SampledTest& test, double threshold, Direction better = Direction::lower) {
    return judge_sampled(test, better, threshold, 0.05);
}

TEST(VerdictCase, V1ThreeRunsASideCanNotDecideAThroughput) {
    const std::vector<double> base{5164.96, 5166.33, 5167.17};
    const std::vector<double> candidate{5239.63, 5241.60, 5250.28};
    const SampledTest test = ranked(base, candidate);
    EXPECT_EQ(test.statistic, 0.0);
    EXPECT_DOUBLE_EQ(test.p, 1.0 / 10.0);
    EXPECT_DOUBLE_EQ(test.least_p, 1.0 / 10.0);
    EXPECT_NEAR(1.0 / test.estimate, 0.985640, kDigit);
    EXPECT_EQ(test.low, 0.0);
    EXPECT_EQ(test.high, std::numeric_limits<double>::infinity());
    EXPECT_FALSE(test.detectable.has_value());
    const Judgement judgement = judged(test, 0.01, Direction::higher);
    EXPECT_EQ(judgement.verdict, Verdict::inconclusive);
    EXPECT_EQ(judgement.reason, "too-few-runs");
    EXPECT_EQ(judgement.runs, 6U);
}

TEST(VerdictCase, V1OfTimesSaysWhatIsSeenAndWhatIsMissing) {
    const Comparison comparison = compare(
        timed_side("a", {5239.63, 5241.60, 5250.28}), timed_side("b", {5164.96, 5166.33, 5167.17})
    );
    const Delta& row = step_row(comparison);
    EXPECT_EQ(row.verdict, Verdict::inconclusive);
    EXPECT_EQ(row.reason, "too-few-runs");
    EXPECT_EQ(row.runs_needed, 6U);
    EXPECT_NEAR(1.0 / *row.ratio, 1.014569, kDigit); // of medians
    EXPECT_THAT(row.remarks, Contains("ranges disjoint"));
    EXPECT_THAT(row.remarks, Contains("3 + 3 runs can not go below p = 0.1"));
    EXPECT_EQ(comparison.verdict, Verdict::inconclusive);
}

TEST(VerdictCase, V2FiveRunsASideConfirmARegression) {
    const Comparison comparison = compare(
        timed_side("a", {1000, 1002, 998, 1001, 999}),
        timed_side("b", {1016, 1014, 1018, 1015, 1017})
    );
    const Delta& row = step_row(comparison);
    EXPECT_NEAR(row.test->p, 0.007937, kDigit);
    expect_interval(*row.test, 1.016000, 1.012987, 1.019019);
    EXPECT_NEAR(row.test->level, 0.96825, 0.51e-5);
    EXPECT_EQ(row.verdict, Verdict::regressed);
    EXPECT_TRUE(row.is_confirmed);
}

TEST(VerdictCase, V3SevenRunsASideConfirmARegression) {
    const Comparison comparison =
        compare(timed_side("a", v3_base()), timed_side("b", v3_candidate()));
    const Delta& row = step_row(comparison);
    EXPECT_DOUBLE_EQ(row.test->p, 1.0 / 1716.0);
    EXPECT_EQ(row.base.summary->median, 12405500.0);
    EXPECT_EQ(row.candidate.summary->median, 12590800.0);
    EXPECT_NEAR(row.base.summary->mad, 8800.0, 1e-3);
    EXPECT_NEAR(row.candidate.summary->mad, 18900.0, 1e-3);
    EXPECT_NEAR(*row.ratio, 1.014937, kDigit);
    expect_interval(*row.test, 1.014723, 1.012782, 1.016878);
    EXPECT_NEAR(row.test->level, 0.96212, 0.51e-5);
    EXPECT_NEAR(row.test->deviation, 0.001581, kDigit);
    EXPECT_NEAR(
        stats::detectable_effect(stats::detectable_formula(7, 7), row.test->deviation),
        0.00264,
        0.51e-5
    );
    EXPECT_EQ(row.test->method, RankMethod::rank_sum);
    EXPECT_EQ(row.verdict, Verdict::regressed);
    EXPECT_TRUE(row.is_confirmed);
    EXPECT_EQ(comparison.verdict, Verdict::regressed);
}

TEST(VerdictCase, V4IsTheSame) {
    const Comparison comparison = compare(
        timed_side("a", v3_base()),
        timed_side("b", {12404.1, 12421.8, 12399.3, 12412.7, 12393.5, 12408.8, 12427.0})
    );
    const Delta& row = step_row(comparison);
    EXPECT_EQ(row.test->statistic, 22.0);
    EXPECT_NEAR(row.test->p, 1381.0 / 1716.0, 1e-12);
    expect_interval(*row.test, 1.000210, 0.998857, 1.001548);
    EXPECT_EQ(row.verdict, Verdict::same);
    EXPECT_EQ(row.reason, "");
    EXPECT_TRUE(row.remarks.empty());
    EXPECT_EQ(comparison.verdict, Verdict::same);
}

TEST(VerdictCase, V5IsDetectableAndTheSame) {
    const Comparison comparison = compare(
        timed_side("a", v3_base()),
        timed_side("b", {12453.6, 12440.1, 12475.4, 12448.9, 12461.8, 12432.4, 12446.0})
    );
    const Delta& row = step_row(comparison);
    EXPECT_NEAR(row.test->p, 0.000583, kDigit);
    expect_interval(*row.test, 1.003499, 1.002168, 1.004835);
    EXPECT_EQ(row.verdict, Verdict::same);
    EXPECT_THAT(row.remarks, Contains("detectable, below threshold"));
}

TEST(VerdictCase, V6IsTooNoisyAndSaysWhatItWouldHaveSeen) {
    const SampledTest test = ranked(
        {47.1, 52.3, 45.0, 58.8, 49.9, 44.2, 61.0}, {50.2, 66.1, 47.7, 59.5, 55.4, 46.3, 63.9}
    );
    EXPECT_EQ(test.statistic, 15.0);
    EXPECT_NEAR(test.p, 445.0 / 1716.0, 1e-12);
    expect_interval(test, 1.079186, 0.912046, 1.322222);
    // Simulated for seven runs; the formula alone would promise 25.1 %.
    EXPECT_NEAR(*test.detectable, 0.268, 0.51e-3);
    EXPECT_NEAR(
        stats::detectable_effect(stats::detectable_formula(7, 7), test.deviation), 0.251, 0.51e-3
    );
    const Judgement judgement = judged(test, 0.03);
    EXPECT_EQ(judgement.verdict, Verdict::inconclusive);
    EXPECT_EQ(judgement.reason, "too-noisy");
    ASSERT_TRUE(judgement.runs.has_value());
    EXPECT_GT(*judgement.runs, 100U);
}

TEST(VerdictCase, V7TicksTieAndTheExactTestIsNotFooled) {
    const SampledTest test = ranked({2656, 2656, 2688, 2656, 2688}, {2688, 2720, 2688, 2720, 2688});
    EXPECT_EQ(test.statistic, 3.0);
    EXPECT_NEAR(test.p, 5.0 / 63.0, 1e-12);
    expect_interval(test, 1.012048, 1.000000, 1.024096);
    EXPECT_EQ(judged(test, 0.03).verdict, Verdict::same);
    EXPECT_EQ(judged(test, 0.01).verdict, Verdict::inconclusive);
    EXPECT_EQ(judged(test, 0.01).reason, "too-noisy");
}

TEST(VerdictCase, V8EqualValuesAreTheSame) {
    const std::vector<double> ticks(6, 2656.0);
    const Comparison comparison = compare(timed_side("a", ticks), timed_side("b", ticks));
    EXPECT_EQ(step_row(comparison).test->p, 1.0);
    EXPECT_EQ(step_row(comparison).verdict, Verdict::same);
}

const std::vector<double> kV9Base{
    12218.9, 12540.0, 12352.9, 12671.8, 12136.0, 12480.6, 12593.6, 12287.2};
const std::vector<double> kV9Candidate{
    12279.9, 12627.9, 12434.4, 12731.3, 12218.5, 12559.2, 12662.8, 12370.8};

TEST(VerdictCase, V9PairsSeeWhatADriftHides) {
    CompareOptions how = with_limit(0.005);
    how.is_interleaved = true;
    const Side base = paired_side(AbSide::a, kV9Base);
    const Side candidate = paired_side(AbSide::b, kV9Candidate);
    const Comparison comparison = compare(base, candidate, how);
    const Delta& row = step_row(comparison);
    EXPECT_EQ(row.test->method, RankMethod::signed_rank);
    EXPECT_EQ(row.test->statistic, 36.0);
    EXPECT_DOUBLE_EQ(row.test->p, 1.0 / 128.0);
    expect_interval(*row.test, 1.006096, 1.005095, 1.006804);
    EXPECT_NEAR(row.test->level, 0.96094, 0.51e-5);
    EXPECT_EQ(row.verdict, Verdict::regressed);
    EXPECT_TRUE(row.is_confirmed);
}

TEST(VerdictCase, V9UnpairedIsInconclusive) {
    CompareOptions how = with_limit(0.005);
    how.is_interleaved = true;
    how.is_unpaired = true;
    const Comparison comparison =
        compare(paired_side(AbSide::a, kV9Base), paired_side(AbSide::b, kV9Candidate), how);
    const Delta& row = step_row(comparison);
    EXPECT_NEAR(row.test->p, 0.505361, kDigit);
    expect_interval(*row.test, 1.006448, 0.989120, 1.024588);
    EXPECT_EQ(row.verdict, Verdict::inconclusive);
    EXPECT_EQ(row.reason, "too-noisy");
}

TEST(VerdictCase, V10RegressesWithoutConfirmation) {
    const Comparison comparison = compare(
        timed_side("a", v3_base()),
        timed_side("b", {12498.0, 12561.0, 12610.0, 12455.0, 12575.0, 12530.0, 12590.0})
    );
    const Delta& row = step_row(comparison);
    EXPECT_NEAR(row.test->p, 0.000583, kDigit);
    expect_interval(*row.test, 1.012151, 1.006418, 1.015110);
    EXPECT_EQ(row.verdict, Verdict::regressed);
    EXPECT_FALSE(row.is_confirmed);
}

Side clocked(const char* label, const std::vector<double>& us, const std::vector<int>& mhz) {
    std::vector<kvprof::Run> runs = timed_runs(us);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        DeviceState idle;
        idle.when = "before";
        idle.sm_clock_mhz = 345;
        DeviceState busy;
        busy.when = "during";
        busy.sm_clock_mhz = mhz[i];
        runs[i].states = {idle, busy};
    }
    return side_of(label, runs);
}

TEST(VerdictCase, V11AThrottledClockIsNoRegression) {
    const Comparison comparison = compare(
        clocked("a", {101.2, 101.0, 101.4, 101.1, 101.3}, {1755, 1755, 1755, 1755, 1755}),
        clocked("b", {105.0, 104.7, 105.2, 104.9, 105.1}, {1690, 1695, 1688, 1692, 1690})
    );
    const Delta& row = step_row(comparison);
    EXPECT_NEAR(row.test->p, 0.007937, kDigit);
    expect_interval(*row.test, 1.037512, 1.034517, 1.040554);
    ASSERT_TRUE(row.cycles.has_value());
    EXPECT_NEAR(row.cycles->test.p, 0.841270, kDigit);
    expect_interval(row.cycles->test, 0.999351, 0.997380, 1.001330);
    EXPECT_NEAR(row.cycles->candidate_mhz / row.cycles->base_mhz, 0.96296, 0.51e-5);
    EXPECT_EQ(row.verdict, Verdict::inconclusive);
    EXPECT_EQ(row.reason, "clock-confounded");
    EXPECT_FALSE(row.is_confirmed);
    EXPECT_EQ(comparison.verdict, Verdict::inconclusive);
}

TEST(VerdictCase, V11HoldsAlthoughCyclesMovedALittle) {
    // Significant both times, and far from the limit: fewer cycles, then hardly more.
    for (const int mhz : {1680, 1695}) {
        const Comparison comparison = compare(
            clocked("a", {101.2, 101.1, 101.2, 101.1, 101.2, 101.1}, std::vector<int>(6, 1755)),
            clocked("b", {105.0, 104.9, 105.0, 104.9, 105.0, 104.9}, std::vector<int>(6, mhz))
        );
        const Delta& row = step_row(comparison);
        ASSERT_TRUE(row.cycles.has_value());
        EXPECT_LE(row.cycles->test.p_adjusted, 0.05);
        EXPECT_EQ(row.reason, "clock-confounded") << mhz;
    }
}

TEST(VerdictCase, V11WithCyclesThatRegressTooRegresses) {
    const Comparison comparison = compare(
        clocked("a", {101.2, 101.0, 101.4, 101.1, 101.3}, std::vector<int>(5, 1755)),
        clocked("b", {105.0, 104.7, 105.2, 104.9, 105.1}, std::vector<int>(5, 1735))
    );
    EXPECT_EQ(step_row(comparison).verdict, Verdict::regressed);
}

TEST(VerdictCase, V11WithEqualClocksRegresses) {
    const std::vector<int> clocks(5, 1755);
    const Comparison comparison = compare(
        clocked("a", {101.2, 101.0, 101.4, 101.1, 101.3}, clocks),
        clocked("b", {105.0, 104.7, 105.2, 104.9, 105.1}, clocks)
    );
    EXPECT_EQ(step_row(comparison).verdict, Verdict::regressed);
    ASSERT_TRUE(step_row(comparison).cycles.has_value());
}

kvprof::Run launching(std::int64_t launches) {
    kvprof::Run run = timed(100.0);
    run.ops = {{OpKind::token_stream, Stage::metadata, Placement::out, launches, 0}};
    return run;
}

TEST(VerdictCase, V12OneRunASideProvesACount) {
    const Comparison comparison =
        compare(side_of("a", {launching(532)}), side_of("b", {launching(988)}));
    const Delta& row = row_of(comparison, "step.launches");
    EXPECT_EQ(row.difference, 456.0);
    EXPECT_EQ(row.verdict, Verdict::regressed);
    EXPECT_THAT(change_cell(row), HasSubstr("+456"));
    EXPECT_EQ(comparison.verdict, Verdict::regressed);
    EXPECT_EQ(exit_code_of(comparison), ExitCode::difference);
}

TEST(VerdictCase, V13CountsThatDisagreeAreListed) {
    const Comparison comparison = compare(
        side_of("a", {launching(41), launching(41), launching(42)}), side_of("b", {launching(41)})
    );
    const Delta& row = row_of(comparison, "step.launches");
    EXPECT_EQ(row.verdict, Verdict::inconclusive);
    EXPECT_EQ(row.reason, "nondeterministic: 41, 42");
}

kvprof::Run holding(double graph_mib) {
    constexpr std::int64_t kDeviceFree = 670'000'000;
    kvprof::Run run = timed(100.0);
    run.memory = {
        {"stream", MemorySource::ledger, "graph", Bytes{std::llround(graph_mib * 1048576.0)}},
        {"step", MemorySource::device_free, "device", Bytes{kDeviceFree}}};
    return run;
}

TEST(VerdictCase, V14EachSourceProvesWhatItCan) {
    const Comparison comparison =
        compare(side_of("a", {holding(545.3)}), side_of("b", {holding(289.3)}));
    const Delta& device = row_of(comparison, "device_free.step.bytes");
    EXPECT_EQ(device.verdict, Verdict::inconclusive);
    EXPECT_EQ(device.reason, "source-cannot-prove-zero");
    const Delta& ledger = row_of(comparison, "ledger.graph.bytes");
    EXPECT_NEAR(*ledger.difference, -256.0 * 1048576.0, 1.0);
    EXPECT_EQ(ledger.verdict, Verdict::improved);
}

TEST(VerdictCase, V15AnotherDeviceIsNotComparable) {
    std::vector<kvprof::Run> base = timed_runs(v3_base());
    std::vector<kvprof::Run> candidate = timed_runs(v3_base());
    for (kvprof::Run& run : base) {
        run.environment.device_name = "NVIDIA H100 NVL";
    }
    for (kvprof::Run& run : candidate) {
        run.environment.device_name = "NVIDIA H100 PCIe";
    }
    const Comparison comparison = compare(side_of("a", base), side_of("b", candidate));
    EXPECT_EQ(comparison.verdict, Verdict::not_comparable);
    EXPECT_EQ(step_row(comparison).verdict, Verdict::not_comparable);
    EXPECT_EQ(step_row(comparison).reason, "device-name");
    EXPECT_FALSE(step_row(comparison).test.has_value());
    EXPECT_EQ(row_of(comparison, "step.launches").base.values.front(), 1.0);
    EXPECT_EQ(exit_code_of(comparison), ExitCode::not_comparable);
}

TEST(VerdictCase, V16IsTheGatesOwnDesign) {
    const std::vector<double> base = with_one_more(v3_base(), 12409.1);
    const std::vector<double> candidate = with_one_more(v3_candidate(), 12594.6);
    CompareOptions how;
    how.is_interleaved = true;
    const Comparison comparison =
        compare(paired_side(AbSide::a, base), paired_side(AbSide::b, candidate), how);
    const Delta& row = step_row(comparison);
    EXPECT_NEAR(row.base.summary->median, 12407300.0, 1e-3);
    EXPECT_NEAR(row.candidate.summary->median, 12592700.0, 1e-3);
    EXPECT_NEAR(row.base.summary->mad, 7650.0, 1e-3);
    EXPECT_NEAR(row.candidate.summary->mad, 12400.0, 1e-3);
    EXPECT_EQ(row.test->statistic, 36.0);
    EXPECT_DOUBLE_EQ(row.test->p, 0.0078125);
    EXPECT_EQ(row.test->tests, 1U);
    expect_interval(*row.test, 1.014943, 1.014140, 1.015658);
    EXPECT_NEAR(row.test->level, 0.96094, 0.51e-5);
    EXPECT_NEAR(row.test->deviation, 0.0007486, 0.51e-7);
    EXPECT_NEAR(*row.test->detectable, 0.00094, 0.51e-5);
    EXPECT_EQ(row.verdict, Verdict::regressed);
    EXPECT_TRUE(row.is_confirmed);

    how.is_unpaired = true;
    const Comparison unpaired =
        compare(paired_side(AbSide::a, base), paired_side(AbSide::b, candidate), how);
    EXPECT_DOUBLE_EQ(step_row(unpaired).test->p, 1.0 / 6435.0);
    expect_interval(*step_row(unpaired).test, 1.014898, 1.013189, 1.016289);
}

} // namespace
} // namespace kvprof::analyzers
