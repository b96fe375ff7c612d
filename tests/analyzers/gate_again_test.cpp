// What changes an answer after the fact: acceptances, and a second measurement.

#include "analyzers/gate.h"
#include "tests/analyzers/gate_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kvprof::analyzers {
namespace {

using namespace test_rows;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

Policy accepting(std::string cell, std::string until) {
    Policy policy = default_policy();
    policy.accepted.push_back(
        {.metric = "launches",
         .cell = std::move(cell),
         .until = std::move(until),
         .reason = "known"}
    );
    return policy;
}

TEST(Acceptances, HoldThroughTheirLastDay) {
    const std::vector<Delta> rows{same_time(), count("step.launches", 41, 42)};
    const GateResult result = gate(rows, accepting("", std::string(kToday)));
    EXPECT_EQ(result.code, ExitCode::done);
    EXPECT_EQ(result.line, "same (0): step_time +0.02% [-0.11, +0.15] within 1%");
    EXPECT_TRUE(result.rows[1].accepted.has_value());
    EXPECT_EQ(result.rows[1].accepted->reason, "known");

    const GateResult expired = gate(rows, accepting("", "2026-11-28"));
    EXPECT_EQ(expired.code, ExitCode::difference);
    EXPECT_TRUE(expired.rows[1].expired.has_value());
    EXPECT_FALSE(expired.rows[1].accepted.has_value());
}

TEST(Acceptances, AreOfTheirCasesAlone) {
    const std::vector<Delta> rows{same_time(), count("step.launches", 41, 42)};
    EXPECT_EQ(gate(rows, accepting("bs=64,*", "2026-12-31")).code, ExitCode::done);
    EXPECT_EQ(gate(rows, accepting("bs=8,*", "2026-12-31")).code, ExitCode::difference);
    EXPECT_EQ(
        gate({slower(), count("step.launches", 1, 1)}, accepting("", "2026-12-31")).code,
        ExitCode::difference
    );
}

TEST(Acceptances, DoNotHideOtherRegressions) {
    const GateResult result =
        gate({slower(), count("step.launches", 41, 42)}, accepting("", "2026-12-31"));
    EXPECT_EQ(result.line, "regressed (1): step_time +1.49% [+1.41, +1.57] > 1%");
    EXPECT_EQ(
        gate(
            {count("step.launches", 41, 42)},
            [] {
                Policy policy = accepting("", "2026-12-31");
                policy.primary = {"launches"};
                return policy;
            }()
        )
            .line,
        "same (0): every regression is accepted"
    );
}

TEST(Acceptances, NameARowByItsIdToo) {
    Policy policy = accepting("", "2026-12-31");
    policy.accepted[0].metric = "step.launches";
    const std::vector<Delta> rows{same_time(), count("step.launches", 41, 42)};
    EXPECT_EQ(gate(rows, policy).code, ExitCode::done);
    policy.accepted[0].metric = "step.copies";
    EXPECT_EQ(gate(rows, policy).code, ExitCode::difference);
}

TEST(Confirmed, StillSaysWhatNobodyMeasured) {
    Policy policy = default_policy();
    policy.primary.push_back("step.sync_calls");
    const GateResult first = gate({slower(), count("step.launches", 41, 41)}, policy);
    EXPECT_EQ(first.verdict, Verdict::regressed);
    const GateResult second = gate({same_time(), count("step.launches", 41, 41)}, policy);
    EXPECT_EQ(
        confirmed(first, second).line,
        "inconclusive (3): step_time not-confirmed, +1.49% [+1.41, +1.57]; 1 more"
    );
}

TEST(Confirmed, FailsOnlyWhenBothMeasurementsDo) {
    const GateResult first = gate({slower(), count("step.launches", 41, 41)});
    const GateResult both = confirmed(first, first);
    EXPECT_EQ(both.code, ExitCode::difference);
    EXPECT_EQ(both.line, first.line);
    EXPECT_THAT(both.remarks, Contains(HasSubstr("measured a second time: step_time +1.49%")));

    const GateResult second = gate({same_time(), count("step.launches", 41, 41)});
    const GateResult split = confirmed(first, second);
    EXPECT_EQ(split.code, ExitCode::inconclusive);
    EXPECT_THAT(split.line, HasSubstr("inconclusive (3): step_time not-confirmed, +1.49%"));
    EXPECT_EQ(split.cases.front().verdict, Verdict::inconclusive);
    EXPECT_THAT(
        split.remarks,
        ElementsAre(
            "not-confirmed: step_time +1.49% [+1.41, +1.57] > 1% at first, step_time +0.02% "
            "[-0.11, +0.15] within 1% the second time"
        )
    );
}

TEST(Confirmed, LeavesNoRowConfirmedThatIsNot) {
    Delta row = slower();
    row.is_confirmed = true;
    const GateResult split = confirmed(
        gate({row, count("step.launches", 1, 1)}), gate({same_time(), count("step.launches", 1, 1)})
    );
    EXPECT_EQ(split.cases.front().deltas.front().reason, "not-confirmed");
    EXPECT_FALSE(split.cases.front().deltas.front().is_confirmed);
}

TEST(Confirmed, WantsTheSameRowTwice) {
    const GateResult first = gate({slower(), count("step.launches", 41, 41)});
    const GateResult other = gate({same_time(), count("step.launches", 41, 42)});
    EXPECT_EQ(confirmed(first, other).code, ExitCode::inconclusive);
    const GateResult more = gate({slower(), count("step.launches", 41, 42)});
    EXPECT_EQ(confirmed(more, other).line, "regressed (1): launches 41 -> 42 (+1)");
}

TEST(Confirmed, LeavesAPassAsItIs) {
    const GateResult pass = gate({same_time(), count("step.launches", 1, 1)});
    const GateResult fail = gate({slower(), count("step.launches", 1, 1)});
    EXPECT_EQ(confirmed(pass, fail).line, pass.line);
}

TEST(Confirmed, AnswersNotComparableWhenTheSecondIsNot) {
    Comparison blocked = case_of({});
    blocked.verdict = Verdict::not_comparable;
    blocked.concerns = {{Severity::blocks, "device-name", "device-name: A -> B"}};
    const GateResult result = confirmed(
        gate({slower(), count("step.launches", 1, 1)}), gate_of({blocked}, default_policy(), kToday)
    );
    EXPECT_EQ(result.code, ExitCode::not_comparable);
    EXPECT_EQ(result.line, "not comparable (4): device-name: A -> B");
}

} // namespace
} // namespace kvprof::analyzers
