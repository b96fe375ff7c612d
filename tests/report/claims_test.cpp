#include "report/claims.h"

#include "analyzers/metric_names.h"
#include "report/claims_json.h"
#include "report/claims_words.h"
#include "tests/analyzers/ab_runs.h"
#include "tests/analyzers/gate_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kvprof::report {
namespace {

using analyzers::CompareOptions;
using analyzers::Comparison;
using analyzers::Delta;
using analyzers::Verdict;
using analyzers::test_rows::case_of;
using test::ab_side;
using test::StepTimes;
using test::v16_base;
using test::v16_candidate;
using testing::ElementsAre;
using testing::HasSubstr;
using enum ClaimVerdict;

constexpr double kMebibyte = 1024.0 * 1024.0;

CompareOptions delay_declared() {
    CompareOptions how;
    how.treatment = {"delay-op", "delay-us"};
    how.is_interleaved = true;
    return how;
}

Comparison compared(const StepTimes& base, const StepTimes& candidate) {
    return analyzers::compare(
        ab_side(AbSide::a, base), ab_side(AbSide::b, candidate), delay_declared()
    );
}

/// Case V16 of the method: 1.49 % slower, [1.41, 1.57], one launch on both sides.
const Comparison& slower() {
    static const Comparison one = compared(v16_base(), v16_candidate());
    return one;
}

CheckedClaims
check(const std::vector<std::string>& sentences, const std::vector<Comparison>& cases) {
    std::string toml = "claims = [";
    for (const std::string& sentence : sentences) {
        toml += "'" + sentence + "',";
    }
    return check_claims(parse_claims(toml + "]", "claims.toml"), cases, {});
}

ClaimAnswer answer(const std::string& sentence, const Comparison& one) {
    return check({sentence}, {one}).answers.at(0);
}

ClaimVerdict verdict(const std::string& sentence, const Comparison& one = slower()) {
    return answer(sentence, one).verdict;
}

/// A row with one value a side.
Delta row_with(const std::string& id, double base, double candidate) {
    Delta row = analyzers::test_rows::count(id, base, candidate);
    row.base.values = {base};
    row.candidate.values = {candidate};
    return row;
}

TEST(Claim, OfAnExactDifferenceIsArithmetic) {
    const Comparison fewer = case_of({row_with("step.launches", 27, 26)});
    const ClaimAnswer supported = answer("launches B-A = -1", fewer);
    EXPECT_EQ(supported.verdict, ClaimVerdict::supported);
    EXPECT_EQ(supported.measured, "27 -> 26 (-1)");
    EXPECT_EQ(supported.why, "");
    const ClaimAnswer wrong = answer("launches B-A = -10", fewer);
    EXPECT_EQ(wrong.verdict, contradicted);
    EXPECT_EQ(wrong.why, "it is off by 9");
    EXPECT_EQ(verdict("launches B-A = -2 +- 1", fewer), ClaimVerdict::supported);
    EXPECT_EQ(verdict("launches A = 27", fewer), ClaimVerdict::supported);
    EXPECT_EQ(verdict("launches B = 27", fewer), contradicted);
    EXPECT_EQ(verdict("launches B/A = -3.7% +- 0.1%", fewer), ClaimVerdict::supported);
    EXPECT_EQ(verdict("launches same", fewer), contradicted);
    EXPECT_EQ(verdict("launches same within 1", fewer), ClaimVerdict::supported);
    EXPECT_EQ(verdict("launches same within 3%", fewer), contradicted);
    EXPECT_EQ(verdict("launches improved", fewer), ClaimVerdict::supported);
    EXPECT_EQ(verdict("launches improved by 2", fewer), contradicted);
    EXPECT_EQ(verdict("launches regressed", fewer), contradicted);
}

TEST(Claim, OfBytesTakesItsTolerance) {
    const double gib = 1024.0 * kMebibyte;
    const Comparison freed = case_of({row_with("ledger.graph.bytes", 2.0 * gib, gib + kMebibyte)});
    EXPECT_EQ(verdict("graph_memory B-A = -1.0 GiB +- 2 MiB", freed), ClaimVerdict::supported);
    EXPECT_EQ(verdict("graph_memory B-A = -1.0 GiB +- 1 MiB", freed), ClaimVerdict::supported);
    const ClaimAnswer off = answer("graph_memory B-A = -1.0 GiB +- 1023 KiB", freed);
    EXPECT_EQ(off.verdict, contradicted);
    EXPECT_EQ(off.why, "it is off by 1.0 MiB");
}

TEST(Claim, OfRunsThatDisagreeCanNotBeDecided) {
    Delta row = row_with("step.launches", 27, 26);
    row.verdict = Verdict::inconclusive;
    row.reason = "nondeterministic: 26, 28";
    row.candidate.summary->max = 28.0;
    const Comparison one = case_of({row});
    EXPECT_EQ(verdict("launches B-A = -1", one), undecided);
    EXPECT_EQ(answer("launches B = 26", one).why, "nondeterministic: 26, 28");
    EXPECT_EQ(verdict("launches A = 27", one), ClaimVerdict::supported);
}

TEST(Claim, OfARatioIsHeldAgainstTheWholeInterval) {
    const ClaimAnswer supported = answer("step_time B/A = +1.5% +- 0.2%", slower());
    EXPECT_EQ(supported.verdict, ClaimVerdict::supported);
    EXPECT_EQ(supported.measured, "+1.49 % [+1.41, +1.57]");
    const ClaimAnswer wrong = answer("step_time B/A = +3% +- 0.5%", slower());
    EXPECT_EQ(wrong.verdict, contradicted);
    EXPECT_EQ(wrong.why, "it is off by 1.51 %");
    const ClaimAnswer narrow = answer("step_time B/A = +1.5% +- 0.05%", slower());
    EXPECT_EQ(narrow.verdict, undecided);
    EXPECT_EQ(narrow.why, "the interval reaches beyond what is claimed");
    ASSERT_TRUE(narrow.runs_needed);
    EXPECT_GT(*narrow.runs_needed, 8U);
    EXPECT_EQ(*narrow.runs_needed % 2, 0U); // a block has two runs a side
}

TEST(Claim, OfATimeDifferenceIsTheRatioOfTheBase) {
    const ClaimAnswer supported = answer("step_time B-A = 185 us +- 15 us", slower());
    EXPECT_EQ(supported.verdict, ClaimVerdict::supported);
    EXPECT_THAT(supported.measured, HasSubstr("us [+175"));
    EXPECT_THAT(supported.measured, HasSubstr(", of the base's median of 12.407 ms"));
    EXPECT_EQ(verdict("step_time B-A = -172 us +- 15 us"), contradicted);
}

TEST(Claim, ThatIsTheSameHasToBeProven) {
    EXPECT_EQ(verdict("step_time same within 2%"), ClaimVerdict::supported);
    const ClaimAnswer wrong = answer("step_time same within 1%", slower());
    EXPECT_EQ(wrong.verdict, contradicted);
    EXPECT_EQ(wrong.why, "all of the interval is beyond 1 %");
    const ClaimAnswer open = answer("step_time same within 1.5%", slower());
    EXPECT_EQ(open.verdict, undecided);
    EXPECT_EQ(open.why, "the interval reaches beyond 1.5 %");
    EXPECT_EQ(verdict("step_time same within 200 us"), ClaimVerdict::supported);
    EXPECT_EQ(verdict("step_time same within 100 us"), contradicted);
}

TEST(Claim, OfADirectionNeedsAllOfTheInterval) {
    EXPECT_EQ(verdict("step_time regressed"), ClaimVerdict::supported);
    EXPECT_EQ(verdict("step_time regressed by 1%"), ClaimVerdict::supported);
    EXPECT_EQ(verdict("step_time regressed by 1.5%"), undecided);
    EXPECT_EQ(verdict("step_time regressed by 2%"), contradicted);
    const ClaimAnswer wrong = answer("step_time improved", slower());
    EXPECT_EQ(wrong.verdict, contradicted);
    EXPECT_EQ(wrong.why, "it went the other way");
    const Comparison faster = compared(v16_candidate(), v16_base());
    EXPECT_EQ(verdict("step_time improved by 1%", faster), ClaimVerdict::supported);
    EXPECT_EQ(verdict("step_time regressed", faster), contradicted);
    const Comparison equal = compared(v16_base(), v16_base());
    EXPECT_EQ(verdict("step_time improved by 1%", equal), contradicted);
}

TEST(Claim, OfOneSideIsHeldAgainstItsRuns) {
    const ClaimAnswer supported = answer("step_time A = 12.41 ms +- 0.05 ms", slower());
    EXPECT_EQ(supported.verdict, ClaimVerdict::supported);
    EXPECT_EQ(supported.measured, "12.407 ms (12.389 ms .. 12.432 ms, 8 runs)");
    EXPECT_EQ(verdict("step_time A = 12.41 ms +- 0.01 ms"), undecided);
    EXPECT_EQ(verdict("step_time A = 12.59 ms +- 0.05 ms"), contradicted);
    EXPECT_EQ(verdict("step_time B = 12.59 ms +- 0.05 ms"), ClaimVerdict::supported);
    const Comparison lone = compared({12410.0}, {12590.0});
    EXPECT_EQ(answer("step_time A = 12.41 ms +- 1 ms", lone).why, "too-few-runs");
}

TEST(Claim, OfTooFewRunsNamesHowManyWouldDecide) {
    StepTimes base = v16_base();
    StepTimes candidate = v16_candidate();
    base.resize(3);
    candidate.resize(3);
    const ClaimAnswer few = answer("step_time regressed", compared(base, candidate));
    EXPECT_EQ(few.verdict, undecided);
    EXPECT_EQ(few.why, "too-few-runs");
    EXPECT_EQ(few.runs_needed, 6U);
}

TEST(Claim, OfWhatTheVerdictMayNotSayCanNotBeDecided) {
    for (const char* reason :
         {"clock-confounded",
          "unstable-machine",
          "environment-drift",
          "stored-baseline",
          "capture-failure",
          "single-layout",
          "too-few-runs"}) {
        Comparison one = slower();
        for (Delta& row : one.deltas) {
            if (row.id == "step.gpu_time") {
                row.verdict = Verdict::inconclusive;
                row.reason = reason;
            }
        }
        for (const char* claim : {"step_time regressed", "step_time same within 5%"}) {
            const ClaimAnswer open = answer(claim, one);
            EXPECT_EQ(open.verdict, undecided) << reason;
            EXPECT_EQ(open.why, reason);
        }
    }
}

TEST(Claim, OfNoiseIsHeldAgainstItsOwnLimit) {
    Comparison one = slower();
    for (Delta& row : one.deltas) {
        row.verdict = row.id == "step.gpu_time" ? Verdict::inconclusive : row.verdict;
        row.reason = "too-noisy"; // for the policy's limit
    }
    EXPECT_EQ(verdict("step_time same within 2%", one), ClaimVerdict::supported);
}

/// The device's free memory, which 2 MiB steps of other owners move.
Comparison device_wide(double difference, Verdict verdict, const std::string& reason) {
    Delta row =
        row_with("graph_memory.peak.bytes", 2048.0 * kMebibyte, 2048.0 * kMebibyte + difference);
    row.verdict = verdict;
    row.reason = reason;
    row.threshold = 2.0 * kMebibyte;
    return case_of({row});
}

TEST(Claim, OfASourceThatProvesNoZeroCanNotBeDecided) {
    const Comparison none = device_wide(0.0, Verdict::inconclusive, "source-cannot-prove-zero");
    EXPECT_EQ(
        answer("graph_memory.peak.bytes same within 2 MiB", none).why, "source-cannot-prove-zero"
    );
    EXPECT_EQ(verdict("graph_memory.peak.bytes B-A = 0 B +- 8 MiB", none), undecided);
    const Comparison less = device_wide(-1024.0 * kMebibyte, Verdict::improved, "device-wide");
    EXPECT_EQ(verdict("graph_memory.peak.bytes improved", less), ClaimVerdict::supported);
    EXPECT_EQ(
        verdict("graph_memory.peak.bytes B-A = -1 GiB +- 4 MiB", less), ClaimVerdict::supported
    );
    EXPECT_EQ(verdict("graph_memory.peak.bytes B-A = -1 GiB +- 1 MiB", less), undecided);
    EXPECT_EQ(verdict("graph_memory.peak.bytes B-A = -2 GiB +- 4 MiB", less), contradicted);
    EXPECT_EQ(verdict("graph_memory.peak.bytes same within 2 GiB", less), undecided);
}

TEST(Claim, OfSidesThatMayNotBeComparedIsNotTested) {
    CompareOptions undeclared = delay_declared();
    undeclared.treatment.clear();
    const Comparison one = analyzers::compare(
        ab_side(AbSide::a, v16_base()), ab_side(AbSide::b, v16_candidate()), undeclared
    );
    const ClaimAnswer blocked = answer("step_time same within 1%", one);
    EXPECT_EQ(blocked.verdict, not_tested);
    EXPECT_THAT(blocked.why, HasSubstr("not comparable: "));
    EXPECT_THAT(blocked.why, HasSubstr("delay-us"));
    EXPECT_EQ(verdict("launches A = 1", one), ClaimVerdict::supported); // of one side alone
}

TEST(Claim, OfWhatNobodyMeasuredSaysWhatToRun) {
    const ClaimAnswer row = answer("step.device_kernels same", slower());
    EXPECT_EQ(row.verdict, not_tested);
    EXPECT_THAT(row.why, HasSubstr("--passes timing+nodes"));
    Delta gone = row_with("step.launches", 27, 26);
    gone.candidate = {};
    gone.verdict = Verdict::not_comparable;
    const ClaimAnswer half = answer("launches B-A = -1", case_of({gone}));
    EXPECT_EQ(half.verdict, not_tested);
    EXPECT_THAT(half.why, HasSubstr("the candidate has no value"));
    EXPECT_EQ(verdict("launches A = 27", case_of({gone})), ClaimVerdict::supported);
}

TEST(Claim, OfATimeThatNoStepHasIsNotTested) {
    const Comparison traced = analyzers::compare(
        test::traced_ab_side(AbSide::a, v16_base()),
        test::traced_ab_side(AbSide::b, v16_candidate()),
        delay_declared()
    );
    const ClaimAnswer none = answer("op.repack.time same within 5%", traced);
    EXPECT_EQ(none.verdict, not_tested);
    EXPECT_EQ(none.why, "no step has op.repack.time: its runs looked for it");
    // A row that explains, and is not judged.
    EXPECT_EQ(verdict("op.attention.time same within 5%", traced), ClaimVerdict::supported);
}

TEST(Claim, OfWhatNoRunHasIsAboutZero) {
    EXPECT_EQ(verdict("step.copies same"), ClaimVerdict::supported);
    EXPECT_EQ(verdict("step.copies A = 0", case_of({})), ClaimVerdict::supported);
    EXPECT_EQ(verdict("step.copies B-A = -1", case_of({})), contradicted);
}

/// The case with this batch.
Comparison at_batch(std::int64_t batch, Delta row) {
    Comparison one = case_of({std::move(row)}, "batch=" + std::to_string(batch));
    one.base.step.batch = batch;
    one.candidate.step.batch = batch;
    return one;
}

TEST(Claim, IsAnsweredForEachCaseThatItNames) {
    const std::vector<Comparison> cases{
        at_batch(8, row_with("step.launches", 27, 27)),
        at_batch(64, row_with("step.launches", 27, 26))};
    const CheckedClaims checked = check_claims(
        parse_claims(
            R"([[claim]]
that = "launches B-A = -1"
[[claim]]
that = "launches B-A = -1"
case = "bs=6?"
[[claim]]
that = "launches same"
case = "batch=128"
)",
            "claims.toml"
        ),
        cases,
        {}
    );
    std::vector<std::pair<std::string, ClaimVerdict>> answers;
    for (const ClaimAnswer& one : checked.answers) {
        answers.emplace_back(one.cell, one.verdict);
    }
    EXPECT_THAT(
        answers,
        ElementsAre(
            std::pair{"batch=8", contradicted},
            std::pair{"batch=64", ClaimVerdict::supported},
            std::pair{"batch=64", ClaimVerdict::supported},
            std::pair{"", not_tested}
        )
    );
    EXPECT_THAT(checked.answers[3].why, HasSubstr("no case is batch=128, only batch=8, batch=64"));
}

TEST(Claims, AnswerTheCallerByTheWorst) {
    const Comparison& one = slower();
    EXPECT_EQ(exit_code_of(check({"launches same"}, {one})), ExitCode::done);
    EXPECT_EQ(
        exit_code_of(check({"launches same", "step_time same within 1.5%"}, {one})),
        ExitCode::inconclusive
    );
    EXPECT_EQ(
        exit_code_of(check({"step_time same within 1.5%", "step_time improved"}, {one})),
        ExitCode::difference
    );
    EXPECT_EQ(
        exit_code_of(check({"step_time improved", "step.device_kernels same"}, {one})),
        ExitCode::not_comparable
    );
}

TEST(Claims, AreCountedAndListed) {
    const CheckedClaims checked = check(
        {"launches same", "step_time same within 2%", "step_time B/A = +1.5% +- 0.05%"}, {slower()}
    );
    EXPECT_EQ(describe_claims(checked), "3 claims: 2 supported, 1 cannot be decided");
    EXPECT_FALSE(claims_table(checked).empty());
    EXPECT_THAT(reason_words(checked.answers[2]), HasSubstr("runs a side would decide"));
    const analyzers::Json json = claims_object(checked);
    EXPECT_EQ(json["exit_code"], 3);
    EXPECT_EQ(json["claims"][1]["claim"], "step_time same within 2%");
    EXPECT_EQ(json["claims"][1]["verdict"], "supported");
    EXPECT_EQ(json["claims"][1]["kind"], "same");
    EXPECT_TRUE(json["claims"][1]["runs_needed"].is_null());
    EXPECT_TRUE(json["claims"][2]["runs_needed"].is_number());
}

} // namespace
} // namespace kvprof::report
