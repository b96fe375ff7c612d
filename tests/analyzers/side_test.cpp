#include "analyzers/side.h"

#include "capture/model/error.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::analyzers {
namespace {

using test::step_run;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string usage_error(const std::vector<kvprof::Run>& runs) {
    try {
        std::ignore = side_of("@latest", runs);
    } catch (const UsageError& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return {};
}

TEST(SideOf, LeavesOutRunsThatAreNotComplete) {
    kvprof::Run bad = step_run(IndexMode::stream, {});
    bad.status = {RunState::invalid, "3 ids differ", 6};
    const Side side = side_of("new", {step_run(IndexMode::stream, {5}), bad});
    EXPECT_EQ(side.label, "new");
    EXPECT_EQ(side.runs.size(), 1U);
    EXPECT_THAT(
        side.excluded,
        ElementsAre(ExcludedRun{bad.uuid, "index-mode=stream", RunState::invalid, "3 ids differ"})
    );
}

TEST(SideOf, RefusesRunsOfSeveralSpecifications) {
    EXPECT_THAT(
        usage_error({step_run(IndexMode::rectangle, {9}), step_run(IndexMode::stream, {5})}),
        AllOf(
            HasSubstr("its runs differ in index-mode: rectangle, stream"),
            HasSubstr("@latest/index-mode=rectangle")
        )
    );
}

TEST(SideOf, NamesAVariantByAllThatItsRunsDifferIn) {
    kvprof::Run other = step_run(IndexMode::stream, {5});
    other.step.batch = 9;
    EXPECT_THAT(
        usage_error({step_run(IndexMode::rectangle, {9}), other}),
        HasSubstr("as in @latest/batch=64,index-mode=rectangle")
    );
}

TEST(SideOf, RefusesNoRuns) {
    EXPECT_THAT(usage_error({}), HasSubstr("it holds no run"));
}

TEST(SidesOf, GroupsRunsInOrderOfAppearance) {
    const std::vector<Side> sides = sides_of(
        {step_run(IndexMode::stream, {5}),
         step_run(IndexMode::rectangle, {9}),
         step_run(IndexMode::stream, {6})}
    );
    ASSERT_EQ(sides.size(), 2U);
    EXPECT_EQ(sides[0].label, "index-mode=stream");
    EXPECT_EQ(sides[0].runs.size(), 2U);
    EXPECT_EQ(sides[1].runs.size(), 1U);
}

TEST(SidesOf, PutsRunsTogetherThatWereWatchedForLonger) {
    kvprof::Run longer = step_run(IndexMode::stream, {5});
    longer.measure.samples = 99;
    longer.measure.passes = "all";
    EXPECT_EQ(sides_of({step_run(IndexMode::stream, {5}), longer}).size(), 1U);
    EXPECT_EQ(usage_error({step_run(IndexMode::stream, {5}), longer}), "");
}

kvprof::Run placed(AbSide side, std::int64_t batch, std::int64_t block, std::int64_t place) {
    kvprof::Run run = step_run(side == AbSide::a ? IndexMode::rectangle : IndexMode::stream, {5});
    run.step.batch = batch;
    run.ab = AbPlace{.side = side, .block = block, .place = place};
    return run;
}

Experiment ab_experiment(std::vector<kvprof::Run> runs) {
    Experiment experiment;
    experiment.kind = ExperimentKind::ab;
    experiment.ab = AbDesign{.a = "", .b = "index-mode=stream", .treatment = {"index-mode"}};
    experiment.runs = std::move(runs);
    return experiment;
}

TEST(CasesOf, TellsCasesApartByWhatIsNoTreatment) {
    const std::vector<Case> cases = cases_of(ab_experiment(
        {placed(AbSide::a, 8, 0, 0),
         placed(AbSide::b, 8, 0, 1),
         placed(AbSide::a, 64, 0, 0),
         placed(AbSide::b, 64, 0, 1)}
    ));
    ASSERT_EQ(cases.size(), 2U);
    EXPECT_EQ(cases[0].cell, "batch=8");
    EXPECT_EQ(cases[1].cell, "batch=64");
    EXPECT_EQ(cases[0].base.label, "A (as given)");
    EXPECT_EQ(cases[0].candidate.label, "B (index-mode=stream)");
    EXPECT_EQ(cases[0].base.step.index_mode, IndexMode::rectangle);
    EXPECT_EQ(cases[1].candidate.step.batch, 64);
}

TEST(CasesOf, PutsRunsInTheOrderOfTheirPairsAndLeavesVoidOnesOut) {
    kvprof::Run lost = placed(AbSide::b, 8, 0, 1);
    lost.status = {RunState::voided, "hw-thermal: in 2 of 9 readings", 5};
    kvprof::Run again = placed(AbSide::b, 8, 0, 1);
    again.ab->attempt = 1;
    const std::vector<Case> cases = cases_of(ab_experiment(
        {placed(AbSide::a, 8, 0, 0),
         lost,
         placed(AbSide::b, 8, 0, 2),
         placed(AbSide::a, 8, 0, 3),
         again}
    ));
    ASSERT_EQ(cases.size(), 1U);
    EXPECT_EQ(cases[0].cell, "");
    ASSERT_EQ(cases[0].candidate.runs.size(), 2U);
    EXPECT_EQ(cases[0].candidate.runs[0].ab->pair(), 0);
    EXPECT_EQ(cases[0].candidate.runs[1].ab->pair(), 1);
    ASSERT_EQ(cases[0].candidate.excluded.size(), 1U);
    EXPECT_EQ(cases[0].candidate.excluded[0].state, RunState::voided);
}

TEST(CasesOf, RefusesAnExperimentWithoutSides) {
    EXPECT_THROW(std::ignore = cases_of(Experiment{}), UsageError);
    EXPECT_THROW(std::ignore = cases_of(ab_experiment({})), UsageError);
}

} // namespace
} // namespace kvprof::analyzers
