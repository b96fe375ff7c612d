#include "cli/plan_outlook.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace kvprof::cli {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

/// "index-mode=rectangle" against "index-mode=stream".
RunOptions ab_options() {
    RunOptions options;
    options.step.preset = "tiny-mla";
    options.step.batch = 2;
    options.step.max_batch = 4;
    options.step.seq_len = 64;
    options.step.max_context = 256;
    options.measure.executor = ExecutorKind::host;
    options.design.kind = ExperimentKind::ab;
    options.design.sides = {
        experiment::parse_option_set("index-mode=rectangle"),
        experiment::parse_option_set("index-mode=stream")};
    options.design.order_seed = 7;
    return options;
}

RunPlan plan_of(std::int64_t runs) {
    RunOptions options = ab_options();
    options.design.runs = runs;
    return plan_runs(options);
}

analyzers::MetricNoise noise(double sigma) {
    analyzers::MetricNoise noise;
    noise.id = "step.gpu_time";
    noise.sigma = sigma;
    return noise;
}

std::string refusal_of(const RunOptions& options) {
    try {
        static_cast<void>(plan_runs(options));
    } catch (const UsageError& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return "nothing was refused";
}

TEST(PlanAb, HasTheTwoCellsOfEachCase) {
    const RunPlan plan = plan_of(6);
    ASSERT_EQ(plan.cells.size(), 2U);
    EXPECT_EQ(plan.kind, ExperimentKind::ab);
    EXPECT_EQ(plan.cells[0].step.index_mode, IndexMode::rectangle);
    EXPECT_EQ(plan.cells[1].step.index_mode, IndexMode::stream);
    EXPECT_EQ(plan.cells[1].step.batch, 2) << "as given";
    EXPECT_EQ(plan.cells[1].variant, "index-mode=stream");
    EXPECT_THAT(plan.cases, ElementsAre(""));
    EXPECT_THAT(plan.ab->treatment, ElementsAre("index-mode"));
    EXPECT_EQ(plan.ab->a, "index-mode=rectangle");
    EXPECT_EQ(plan.ab->b, "index-mode=stream");
    EXPECT_EQ(plan.ab->seed, 7);
}

TEST(PlanAb, PutsTheSlotsOfBothSidesInOrder) {
    const RunPlan plan = plan_of(6);
    ASSERT_EQ(plan.order.size(), 12U);
    std::vector<std::int64_t> repeats(2);
    for (const experiment::Slot& slot : plan.order) {
        ASSERT_TRUE(slot.ab);
        EXPECT_EQ(slot.cell, slot.ab->side == AbSide::a ? 0U : 1U);
        EXPECT_EQ(slot.repeat, repeats[slot.cell]++);
    }
    EXPECT_THAT(repeats, ElementsAre(6, 6));
}

TEST(PlanAb, TakesSixRunsASideAndAsManyReplacementsAsRuns) {
    EXPECT_EQ(plan_of(0).ab->runs, 6);
    EXPECT_EQ(plan_of(0).replacements, 12);
    EXPECT_EQ(plan_of(2).replacements, 4);
    EXPECT_THAT(plan_of(2).looks, IsEmpty());
    EXPECT_EQ(plan_of(2).ab->looks, 1);
}

TEST(PlanAb, HasOneCaseForEachCombinationThatVaries) {
    RunOptions options = ab_options();
    options.varies = {{"batch", {"1", "2"}}, {"page-size", {"1", "4"}}};
    options.design.runs = 4;
    const RunPlan plan = plan_runs(options);
    EXPECT_THAT(
        plan.cases,
        ElementsAre(
            "batch=1 page-size=1",
            "batch=1 page-size=4",
            "batch=2 page-size=1",
            "batch=2 page-size=4"
        )
    );
    ASSERT_EQ(plan.cells.size(), 8U);
    EXPECT_EQ(plan.cells[5].variant, "index-mode=stream batch=2 page-size=1");
    EXPECT_EQ(plan.cells[5].step.batch, 2);
    EXPECT_EQ(plan.order.size(), 32U);
    EXPECT_EQ(plan.replacements, 32) << "2n of each case";
    EXPECT_THAT(plan.ab->treatment, ElementsAre("index-mode")) << "a case is no treatment";
}

TEST(PlanAb, TakesItsSidesFromTheFirstVaryWhenItNamesNone) {
    RunOptions options = ab_options();
    options.design.sides.clear();
    options.varies = {{"index-mode", {"stream", "rectangle"}}, {"batch", {"1", "2"}}};
    const RunPlan plan = plan_runs(options);
    EXPECT_THAT(plan.cases, ElementsAre("batch=1", "batch=2"));
    EXPECT_EQ(plan.ab->a, "index-mode=stream");
    EXPECT_EQ(plan.cells[3].variant, "index-mode=rectangle batch=2");
    options.varies.front().values.emplace_back("other");
    EXPECT_THAT(refusal_of(options), HasSubstr("the first --vary does not have two values"));
    options.varies.clear();
    EXPECT_THAT(refusal_of(options), HasSubstr("the first --vary does not have two values"));
}

TEST(PlanAb, NamesEveryFieldOfTheTreatment) {
    RunOptions options = ab_options();
    options.design.sides = {
        experiment::parse_option_set("seed=1,index-mode=rectangle"),
        experiment::parse_option_set("seed=1,program=/bin/sh,l2=flush")};
    const RunPlan plan = plan_runs(options);
    EXPECT_THAT(plan.ab->treatment, ElementsAre("index-mode", "l2", "program"));
    EXPECT_EQ(plan.cells[1].program, "/bin/sh");
    EXPECT_EQ(plan.cells[0].program, "");
}

TEST(PlanAb, LooksThreeTimesWhenTheRunsDecideHowManyThereAre) {
    RunOptions options = ab_options();
    options.design.has_looks = true;
    const RunPlan plan = plan_runs(options);
    EXPECT_THAT(plan.looks, ElementsAre(8, 12, 16));
    EXPECT_EQ(plan.ab->looks, 3);
    EXPECT_EQ(plan.ab->runs, 16);
    EXPECT_EQ(plan.order.size(), 32U);
    EXPECT_EQ(plan.replacements, 32);
}

TEST(PlanAb, SwapsTheLettersOfASecondAttempt) {
    RunOptions options = ab_options();
    const RunPlan first = plan_runs(options);
    options.design.attempt = 2;
    const RunPlan second = plan_runs(options);
    EXPECT_EQ(second.ab->attempt, 2);
    ASSERT_EQ(second.order.size(), first.order.size());
    for (std::size_t i = 0; i < first.order.size(); ++i) {
        EXPECT_NE(second.order[i].ab->side, first.order[i].ab->side) << i;
    }
}

TEST(PlanAb, DrawsASeedWhenNoneIsGiven) {
    RunOptions options = ab_options();
    options.design.order_seed.reset();
    const std::int64_t one = plan_runs(options).ab->seed;
    const std::int64_t other = plan_runs(options).ab->seed;
    const std::int64_t third = plan_runs(options).ab->seed;
    EXPECT_TRUE(one != other || other != third);
    EXPECT_GE(one, 0);
}

TEST(PlanAb, RefusesWhatNoSideCouldMean) {
    RunOptions options = ab_options();
    options.varies = {{"index-mode", {"rectangle", "stream"}}};
    EXPECT_THAT(
        refusal_of(options),
        HasSubstr("could not vary \"index-mode\" from case to case: the side "
                  "\"index-mode=rectangle\" sets it")
    );
    options = ab_options();
    options.design.runs = 3;
    EXPECT_THAT(refusal_of(options), HasSubstr("take 2 or 4"));
    options = ab_options();
    options.design.sides[1] = experiment::parse_option_set("program=/no/such/program");
    EXPECT_THAT(
        refusal_of(options),
        HasSubstr("/no/such/program: it is no program that can be run | program=PATH")
    );
    options.design.sides[1] = experiment::parse_option_set("batch=8");
    EXPECT_THAT(refusal_of(options), HasSubstr("--batch 8")) << "a side that does not fit";
}

TEST(PlanAb, RefusesPoolsThatHoldDifferentAmountsUnlessDeclared) {
    RunOptions options = ab_options();
    options.design.sides = {
        experiment::parse_option_set("batch=1"), experiment::parse_option_set("")};
    EXPECT_THROW(static_cast<void>(plan_runs(options)), ComparabilityError);
    options.judge.treatment = {"pool.schedulable-tokens", "pool.state-slots"};
    EXPECT_THAT(plan_runs(options).ab->treatment, ElementsAre("batch"));
}

TEST(PlanAb, RefusesAnotherProgramInThisProcess) {
    RunOptions options = ab_options();
    options.is_single_process = true;
    options.design.sides[1] = experiment::parse_option_set("program=/bin/sh");
    EXPECT_THAT(refusal_of(options), HasSubstr("--single-process"));
}

TEST(PlanCalibration, IsTwelveRunsOfOneCell) {
    RunOptions options = ab_options();
    options.design = {};
    options.design.kind = ExperimentKind::calibration;
    EXPECT_EQ(plan_runs(options).order.size(), 12U);
    options.design.runs = 20;
    const RunPlan plan = plan_runs(options);
    EXPECT_EQ(plan.cells.size(), 1U);
    EXPECT_EQ(plan.order.size(), 20U);
    EXPECT_EQ(plan.replacements, 40);
    EXPECT_FALSE(plan.ab);
}

TEST(PlanMatrix, ReplacesNoRun) {
    RunOptions options = ab_options();
    options.design = {};
    options.repeats = 3;
    const RunPlan plan = plan_runs(options);
    EXPECT_EQ(plan.order.size(), 3U);
    EXPECT_EQ(plan.replacements, 0);
}

TEST(Outlook, SpansFromSteadyAtOnceToTheLimits) {
    RunOptions options = ab_options();
    options.design.runs = 6;
    options.measure.warmup_max_s = 30.0;
    options.measure.run_time_s = 10.0;
    const Outlook outlook = outlook_of(plan_runs(options), nullptr);
    EXPECT_DOUBLE_EQ(outlook.duration.least_minutes, 12 * (1.0 + 0.5 + 0.5) / 60.0);
    EXPECT_DOUBLE_EQ(outlook.duration.most_minutes, 12 * (1.0 + 30.0 + 10.0) / 60.0);
}

TEST(Outlook, TakesNoLongerThanTheLimitsAllow) {
    RunOptions options = ab_options();
    options.design.runs = 6;
    options.measure.warmup_max_s = 0.05;
    options.measure.run_time_s = 0.1;
    const Outlook outlook = outlook_of(plan_runs(options), nullptr);
    EXPECT_DOUBLE_EQ(outlook.duration.least_minutes, 12 * 1.15 / 60.0);
    EXPECT_DOUBLE_EQ(outlook.duration.most_minutes, outlook.duration.least_minutes);
}

/// Shipped and rows at a shape that fits and at one of more lanes than --max-batch.
RunOptions tune_options() {
    RunOptions options = ab_options();
    options.measure.warmup_max_s = 30.0;
    options.measure.run_time_s = 10.0;
    options.step.max_batch = 4;
    options.design = {};
    options.design.kind = ExperimentKind::tune;
    options.design.tuning = {
        OpKind::token_stream,
        {{.lanes = 2, .length = 64}, {.lanes = 8, .length = 64}},
        {{"index-split", {"rows"}}, {"index-threads", {"128"}}}};
    return options;
}

TEST(PlanTuning, AShapeThatDoesNotFitIsRowsThatTakeNoTime) {
    const RunPlan plan = plan_runs(tune_options());
    EXPECT_EQ(plan.kind, ExperimentKind::tune);
    ASSERT_EQ(plan.order.size(), 4U);
    EXPECT_FALSE(plan.impossible[1]);
    EXPECT_THAT(plan.impossible[2].value_or(""), HasSubstr("--batch 8 exceeds --max-batch 4"));
    EXPECT_DOUBLE_EQ(duration_of(plan).least_minutes, 2 * (1.0 + 0.5 + 0.5) / 60.0);
    EXPECT_DOUBLE_EQ(duration_of(plan).most_minutes, 2 * (1.0 + 30.0 + 10.0) / 60.0);
}

TEST(Outlook, AssumesTheNoiseThatNoCalibrationMeasured) {
    const Outlook outlook = outlook_of(plan_of(6), nullptr);
    EXPECT_FALSE(outlook.is_calibrated);
    EXPECT_DOUBLE_EQ(outlook.sigma, 0.002);
    EXPECT_THAT(
        outlook.detectable, Optional(DoubleNear(std::expm1(1.79 * 0.002 * std::sqrt(2.0)), 1e-9))
    ) << "a pair has the noise of two runs";
}

TEST(Outlook, TakesTheNoiseOfACalibration) {
    const analyzers::MetricNoise measured = noise(0.01);
    const Outlook outlook = outlook_of(plan_of(6), &measured);
    EXPECT_TRUE(outlook.is_calibrated);
    EXPECT_DOUBLE_EQ(outlook.sigma, 0.01);
    EXPECT_THAT(
        outlook.detectable, Optional(DoubleNear(std::expm1(1.79 * 0.01 * std::sqrt(2.0)), 1e-9))
    );
    EXPECT_THAT(
        outlook_of(plan_of(8), &measured).detectable,
        Optional(DoubleNear(std::expm1(1.25 * 0.01 * std::sqrt(2.0)), 2e-4))
    );
}

TEST(Outlook, OfTooFewRunsForPairsIsThatOfTheRankSum) {
    const analyzers::MetricNoise measured = noise(0.01);
    EXPECT_THAT(
        outlook_of(plan_of(4), &measured).detectable,
        Optional(DoubleNear(std::expm1(2.90 * 0.01), 1e-9))
    );
}

TEST(Outlook, SeesNoTimeWithTwoRunsASide) {
    EXPECT_FALSE(outlook_of(plan_of(2), nullptr).detectable);
    EXPECT_FALSE(outlook_of(plan_of(1), nullptr).detectable);
}

TEST(DryRun, SaysTheOrderTheSidesAndWhatCouldBeSeen) {
    RunOptions options = ab_options();
    options.design.runs = 2;
    const std::string text = dry_run(options, plan_runs(options), "/no/such/store.db");
    EXPECT_THAT(text, AllOf(HasSubstr("4 runs: 2 a side, seed 7\n"), HasSubstr("order: ")));
    EXPECT_THAT(text, HasSubstr("A: index-mode=rectangle\n"));
    EXPECT_THAT(text, HasSubstr("sees no change of a time: that takes 4 runs a side"));
}

} // namespace
} // namespace kvprof::cli
