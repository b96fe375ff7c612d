#include "cli/gate_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::cli {
namespace {

using analyzers::GateResult;
using analyzers::Verdict;
using testing::HasSubstr;

Run run_of(RunState state, ExitCode code, const char* reason = "") {
    Run run;
    run.status = {state, reason, static_cast<int>(code)};
    return run;
}

GateResult same() {
    GateResult result;
    result.verdict = Verdict::same;
    result.code = ExitCode::done;
    result.line = "same (0): step_time +0.02% [-0.11, +0.15] within 1%";
    result.cases.resize(1);
    result.cases[0].base.runs.resize(1);
    result.cases[0].candidate.runs.resize(1);
    return result;
}

Experiment experiment_of(ExperimentState state) {
    Experiment experiment;
    experiment.state = state;
    experiment.kind = ExperimentKind::ab;
    experiment.ab.emplace().runs = 8;
    experiment.runs.assign(3, run_of(RunState::complete, ExitCode::done));
    return experiment;
}

TEST(WeighFailures, LeavesAResultOfCompleteRuns) {
    GateResult result = same();
    weigh_failures(result, {run_of(RunState::complete, ExitCode::done)});
    EXPECT_EQ(result.code, ExitCode::done);
    EXPECT_EQ(result.verdict, Verdict::same);
}

TEST(WeighFailures, PutsAFailedOutputCheckBeforeWhatTheOthersSay) {
    GateResult result = same();
    weigh_failures(
        result,
        {run_of(RunState::complete, ExitCode::done),
         run_of(RunState::not_run, ExitCode::not_measured, "a crash"),
         run_of(RunState::invalid, ExitCode::check_failed, "ids differ")}
    );
    EXPECT_EQ(result.code, ExitCode::check_failed);
    EXPECT_EQ(result.verdict, Verdict::inconclusive) << "never `same` with a wrong output";
    EXPECT_EQ(
        result.line,
        "an output check failed (6): 1 of 3 runs, the first: ids differ; the complete runs say "
        "same (0): step_time +0.02% [-0.11, +0.15] within 1%"
    );
}

TEST(WeighFailures, BlamesNoRunThatASignalEnded) {
    GateResult result = same();
    weigh_failures(result, {run_of(RunState::interrupted, ExitCode::not_measured)});
    EXPECT_EQ(result.code, ExitCode::done);
}

TEST(WeighEnd, TakesNoAnswerFromRunsThatStoppedSomewhere) {
    for (const ExitCode code : {ExitCode::done, ExitCode::difference, ExitCode::inconclusive}) {
        GateResult result = same();
        result.code = code;
        weigh_end(result, experiment_of(ExperimentState::interrupted));
        EXPECT_EQ(result.code, ExitCode::inconclusive);
        EXPECT_THAT(result.line, HasSubstr("inconclusive (3): unfinished, 3 of 16 runs a case"));
    }
    GateResult result = same();
    weigh_end(result, experiment_of(ExperimentState::complete));
    EXPECT_EQ(result.code, ExitCode::done);
}

TEST(WeighEnd, SaysThatASideWasNotMeasured) {
    GateResult result = same();
    result.verdict = Verdict::not_comparable;
    result.code = ExitCode::not_comparable;
    result.cases[0].candidate.runs.clear();
    weigh_end(result, experiment_of(ExperimentState::running));
    EXPECT_EQ(result.code, ExitCode::not_measured);
}

TEST(WeighEnd, LeavesWhatIsWorse) {
    GateResult result = same();
    result.code = ExitCode::check_failed;
    weigh_end(result, experiment_of(ExperimentState::interrupted));
    EXPECT_EQ(result.code, ExitCode::check_failed);
}

} // namespace
} // namespace kvprof::cli
