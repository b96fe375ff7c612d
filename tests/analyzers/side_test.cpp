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

} // namespace
} // namespace kvprof::analyzers
