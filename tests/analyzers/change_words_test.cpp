#include "analyzers/change_words.h"

#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "tests/analyzers/table_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace kvprof::analyzers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

SampledTest ratio(double estimate, double low, double high) {
    SampledTest test;
    test.estimate = estimate;
    test.low = low;
    test.high = high;
    return test;
}

SampledTest difference(double estimate, double low, double high) {
    SampledTest test = ratio(estimate, low, high);
    test.is_ratio = false;
    return test;
}

/// A sampled row of the step's time: 12.41 and 12.59 ms.
Delta time_row() {
    Delta row;
    row.id = "step.gpu_time";
    row.metric = &metric("step.gpu_time");
    row.base = {{12'410'000}, summarise({12'410'000}), {}};
    row.candidate = {{12'590'000}, summarise({12'590'000}), {}};
    row.difference = 180'000;
    row.ratio = 12.59 / 12.41;
    return row;
}

Delta launch_row(double base, double candidate) {
    Delta row;
    row.id = "step.launches";
    row.metric = &metric("step.launches");
    row.base = {{base}, summarise({base}), {}};
    row.candidate = {{candidate}, summarise({candidate}), {}};
    row.difference = candidate - base;
    row.verdict = Verdict::improved;
    row.reason = "exact";
    return row;
}

TEST(ChangeWords, GiveTheIntervalWithTheChange) {
    EXPECT_EQ(
        change_words(ratio(1.014943, 1.014140, 1.015658), Unit::nanoseconds),
        "+1.49 % [+1.41, +1.57]"
    );
    EXPECT_EQ(change_words(ratio(33.8, 30.0, 35.0), Unit::nanoseconds), "+3280 % [+2900, +3400]");
    EXPECT_EQ(
        change_words(ratio(0.99999, 0.998, 1.001), Unit::nanoseconds), "+0.00 % [-0.20, +0.10]"
    );
}

TEST(ChangeWords, SayWhenThereIsNoInterval) {
    EXPECT_EQ(change_words(ratio(1.0146, 0.0, kInfinity), Unit::count), "+1.46 % (no interval)");
    EXPECT_EQ(
        change_words(difference(-2048.0, -kInfinity, kInfinity), Unit::bytes),
        "-2.0 KiB (no interval)"
    );
}

TEST(ChangeWords, TellADifferenceInItsUnit) {
    EXPECT_EQ(
        change_words(difference(171'000, 160'000, 182'400), Unit::nanoseconds),
        "+171.0 us [+160.0, +182.4]"
    );
    EXPECT_EQ(
        change_words(difference(-1'500'000, -1'600'000, 100), Unit::nanoseconds),
        "-1.50 ms [-1.60, +0.00]"
    );
    EXPECT_EQ(
        change_words(difference(-2.0 * (1 << 20), -3.0 * (1 << 20), 0.0), Unit::bytes),
        "-2.0 MiB [-3.0 MiB, 0]"
    );
}

TEST(SignedTime, PicksItsUnitAndKeepsItsSign) {
    EXPECT_EQ(signed_time(154'200), "+154.2 us");
    EXPECT_EQ(signed_time(-1'204'000), "-1.20 ms");
    EXPECT_EQ(signed_time(-0.1), "+0.00 us");
}

TEST(RowRemarks, NameSeveralRowsOnce) {
    Comparison comparison;
    for (int i = 0; i < 5; ++i) {
        comparison.deltas.push_back(time_row());
        comparison.deltas.back().remarks = {
            "power-capped: run 1 of the base", "ranges disjoint", "detectable, below threshold"};
    }
    EXPECT_THAT(
        row_remarks(comparison),
        ElementsAre("step.gpu_time, step.gpu_time, step.gpu_time and 2 more: power-capped: run 1 "
                    "of the base")
    );
}

TEST(EffectWords, KeepTheDigitsThatMatter) {
    EXPECT_EQ(effect_words(0.01, true, Unit::nanoseconds), "1 %");
    EXPECT_EQ(effect_words(0.000939, true, Unit::nanoseconds), "0.09 %");
    EXPECT_EQ(effect_words(0.2514, true, Unit::nanoseconds), "25.1 %");
    EXPECT_EQ(effect_words(0.00003, true, Unit::nanoseconds), "0.003 %");
    EXPECT_EQ(effect_words(1.5, true, Unit::nanoseconds), "150 %");
    EXPECT_EQ(effect_words(200.0, false, Unit::nanoseconds), "0.20 us");
    EXPECT_EQ(effect_words(0.0, true, Unit::nanoseconds), "0 %");
}

TEST(ChangeCell, NeverHoldsABarePercentage) {
    EXPECT_EQ(change_cell(time_row()), "+1.45 % (no interval)");
    Delta tested = time_row();
    tested.test = ratio(1.0145, 1.0140, 1.0150);
    EXPECT_EQ(change_cell(tested), "+1.45 % [+1.40, +1.50]");
}

TEST(ChangeCell, TellsExactFiguresByDifference) {
    EXPECT_EQ(change_cell(launch_row(41, 40)), "-1");
    EXPECT_EQ(change_cell(launch_row(0, 40)), "new");
    EXPECT_EQ(change_cell(launch_row(41, 0)), "gone");
    EXPECT_EQ(describe_row(launch_row(41, 40)), "step.launches 41 -> 40 (-1)");
    EXPECT_EQ(runs_cell(launch_row(41, 40)), "exact");
}

TEST(ChangeCell, KeepsExactFiguresOfSidesThatCanNotBeCompared) {
    Delta row = launch_row(41, 40);
    row.verdict = Verdict::not_comparable;
    EXPECT_EQ(change_cell(row), "-1");
    Delta time = time_row();
    time.verdict = Verdict::not_comparable;
    EXPECT_EQ(change_cell(time), "-");
}

TEST(EvidenceCell, NamesTheLimitAndWhetherTheIntervalIsBeyondIt) {
    Delta row = time_row();
    row.test = ratio(1.0145, 1.0140, 1.0150);
    row.threshold = 0.01;
    row.verdict = Verdict::regressed;
    EXPECT_EQ(evidence_cell(row), "beyond 1 %, not confirmed");
    row.is_confirmed = true;
    EXPECT_EQ(evidence_cell(row), "beyond 1 %, confirmed");
    row.is_noise_limited = true;
    EXPECT_EQ(evidence_cell(row), "beyond the noise floor of 1 %, confirmed; noise-limited");
    row.is_noise_limited = false;
    row.verdict = Verdict::same;
    row.remarks = {"detectable, below threshold", "run 3 of the base looks odd"};
    EXPECT_EQ(evidence_cell(row), "within 1 %; detectable, below threshold");
}

TEST(VerdictReasons, NameThePrimaryRowsThatMakeIt) {
    Comparison comparison;
    comparison.deltas = {launch_row(41, 40), launch_row(9, 8)};
    comparison.deltas[0].is_primary = true;
    comparison.verdict = Verdict::improved;
    EXPECT_THAT(verdict_reasons(comparison), ElementsAre("step.launches 41 -> 40 (-1)"));
    comparison.deltas[0].is_primary = false;
    EXPECT_THAT(
        verdict_reasons(comparison), ElementsAre("no primary metric was measured on both sides")
    );
}

TEST(UndecidedSection, SaysWhatWouldDecide) {
    Comparison comparison;
    Delta row = time_row();
    row.test = ratio(1.0146, 0.0, kInfinity);
    row.test->base_runs = row.test->candidate_runs = 3;
    row.test->least_p = 0.1;
    row.verdict = Verdict::inconclusive;
    row.reason = "too-few-runs";
    row.runs_needed = 6;
    row.remarks = {"ranges disjoint", "3 + 3 runs can not go below p = 0.1"};
    comparison.deltas = {row};
    EXPECT_THAT(
        undecided_section(comparison).lines,
        ElementsAre(
            "step.gpu_time: too-few-runs: ranges disjoint; 3 + 3 runs can not go below p = 0.1; "
            "run at least 6 a side"
        )
    );
    comparison.deltas[0].reason = "clock-confounded";
    comparison.deltas[0].runs_needed.reset();
    EXPECT_THAT(undecided_section(comparison).lines[0], HasSubstr("lock the clocks"));
}

TEST(ValuesSection, MarksWhatLooksOddAndDropsNothing) {
    Comparison comparison;
    Delta row = time_row();
    row.base = {{10'100, 10'200, 13'900}, summarise({10'100, 10'200, 13'900}), {2}};
    row.verdict = Verdict::inconclusive;
    comparison.deltas = {row};
    const Section section = values_section(comparison);
    EXPECT_THAT(test::table_rows(*section.table), testing::Contains(HasSubstr("10.1")));
    EXPECT_THAT(test::table_rows(*section.table), testing::Contains(HasSubstr("13.9! us")));
    EXPECT_THAT(section.lines, testing::Contains(HasSubstr("flagged, never dropped")));
}

TEST(KernelSection, ShowsTwelveOfThoseThatMovedAndCountsTheOthers) {
    Comparison comparison;
    for (int i = 0; i < 20; ++i) {
        KernelDelta kernel;
        kernel.name = "kernel" + std::to_string(i);
        kernel.base_launches = kernel.candidate_launches = 1.0;
        kernel.change_ns = i == 0 ? 0.0 : 1000.0 * (20 - i);
        kernel.of_step = i == 18 ? 0.0009 : 0.01; // below 0.1 % of the step a change is noise
        comparison.kernels.push_back(kernel);
    }
    comparison.kernels[1].verdict = Verdict::same;
    comparison.kernels[19].verdict = Verdict::regressed;
    Policy policy;
    policy.q = 0.1;
    comparison.alpha = policy.alpha / 2.0; // two looks
    const Section section = kernel_deltas_section(comparison, policy);
    EXPECT_EQ(section.title, "kernels that moved (17 of 20, false discovery rate 5 %)");
    const std::vector<std::string> rows = test::table_rows(*section.table);
    EXPECT_EQ(rows.size(), 12U);
    EXPECT_THAT(rows.front(), testing::StartsWith("kernel19")) << "decided ones come first";
    EXPECT_THAT(
        section.lines,
        testing::ElementsAre(
            "1 regressed, 1 same, 18 not tested", "5 more that moved: see --format json"
        )
    );
    policy.primary = {"kernels"};
    EXPECT_THAT(
        kernel_deltas_section(comparison, policy).title, HasSubstr("17 of 20, family error 2.5 %")
    );
}

TEST(LedgerLine, ReconcilesKernelsWithTheStep) {
    Comparison comparison;
    EXPECT_THAT(ledger_line(comparison), IsEmpty());
    LedgerDelta ledger;
    ledger.kernels = {171'000, std::nullopt};
    ledger.untraced = Estimate{185'000, Interval{175'000, 195'000}};
    ledger.rest = Estimate{14'000, Interval{-8'000, 36'000}};
    comparison.ledger = ledger;
    EXPECT_EQ(
        ledger_line(comparison),
        "kernels account for +171.0 us of +185.0 us [+175.0, +195.0] by which the step changed; "
        "+14.00 us unexplained (+-22.00 us)"
    );
}

} // namespace
} // namespace kvprof::analyzers
