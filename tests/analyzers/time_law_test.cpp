#include "analyzers/time_law.h"

#include "analyzers/cost_laws.h"
#include "tests/analyzers/swept_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace kvprof::analyzers {
namespace {

using test::add_kernel;
using test::swept_run;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

StepSpec step_at(SweepAxis axis, std::int64_t value) {
    StepSpec step;
    step.max_context = 1 << 20;
    field_of(step, axis) = value;
    return step;
}

/// Runs along an axis of a step of 1 ms, with one kernel of an op: values and microseconds.
std::vector<kvprof::Run>
runs_along(SweepAxis axis, OpKind op, const std::vector<std::pair<std::int64_t, double>>& times) {
    std::vector<kvprof::Run> runs;
    for (const auto& [value, us] : times) {
        kvprof::Run run = swept_run(step_at(axis, value), 1000.0);
        add_kernel(run, {"void kernels::build<1>(Call)", op, us});
        add_kernel(run, {"rest", OpKind::kv_write, 1000.0 - us});
        runs.push_back(std::move(run));
    }
    return runs;
}

const TimeLaw& law_named(const SideLaws& side, const std::string& kernel) {
    for (const TimeLaw& law : side.times) {
        if (law.subject.kernel == kernel) {
            return law;
        }
    }
    throw std::runtime_error("no law of " + kernel);
}

LawFlag
flag_along(SweepAxis axis, OpKind op, const std::vector<std::pair<std::int64_t, double>>& times) {
    const auto runs = runs_along(axis, op, times);
    return law_named(cost_laws(runs).at(0), "build").flag;
}

/// 64 lanes: 2 us and 1 us for each 65,536 live tokens, so 1/65.536 ns a token.
TEST(TimeLaws, FindWhatAKernelWasMadeOf) {
    const auto runs = runs_along(
        SweepAxis::seq_len, OpKind::token_stream, {{1024, 3.0}, {2048, 4.0}, {8192, 10.0}}
    );
    const SideLaws side = cost_laws(runs).at(0);
    const TimeLaw& law = law_named(side, "build");
    EXPECT_EQ(law.points.at(2).work, 64 * 8192);
    EXPECT_EQ(law.places(), 3U);
    ASSERT_TRUE(law.line && law.power);
    EXPECT_NEAR(law.line->intercept.value, 2000.0, 1e-6);
    EXPECT_NEAR(law.line->slope.value, 1.0 / 65.536, 1e-12);
    EXPECT_NEAR(law.line->slope.error, 0.0, 1e-9);
    EXPECT_NEAR(law.points.at(2).share, 0.01, 1e-9);
    EXPECT_EQ(law.flag, LawFlag::none);
}

TEST(TimeLaws, AreLedByTheTimedStepAndThenFallInShare) {
    const auto runs = runs_along(
        SweepAxis::seq_len, OpKind::token_stream, {{1024, 3.0}, {2048, 4.0}, {8192, 10.0}}
    );
    const SideLaws side = cost_laws(runs).at(0);
    ASSERT_THAT(side.times, SizeIs(3));
    EXPECT_EQ(side.times[0].subject.kernel, "");
    EXPECT_NEAR(side.times[0].points[0].time_ns, 1e6, 1e-6);
    EXPECT_EQ(side.times[1].subject.kernel, "rest");
}

/// The figures of the change that this flag is made from: ln(160.2 / 158.5) / ln(128) = 0.0022.
TEST(TimeLaws, FlagATimeThatDoesNotFollowTheLiveTokens) {
    const auto runs = runs_along(
        SweepAxis::seq_len, OpKind::page_table, {{1024, 158.5}, {11585, 159.348}, {131072, 160.2}}
    );
    const SideLaws side = cost_laws(runs).at(0);
    const TimeLaw& law = law_named(side, "build");
    EXPECT_NEAR(law.power->slope.value, 0.0022, 5e-5);
    EXPECT_EQ(law.flag, LawFlag::shape_blind);
}

/// Its twin reads live entries alone.
TEST(TimeLaws, DoNotFlagTheTwinThatFollowsThem) {
    EXPECT_EQ(
        flag_along(
            SweepAxis::seq_len, OpKind::page_table, {{1024, 2.1}, {8192, 3.2}, {131072, 39.7}}
        ),
        LawFlag::none
    );
}

TEST(TimeLaws, DoNotFlagWhatFollowsTheLanes) {
    EXPECT_EQ(
        flag_along(
            SweepAxis::seq_len, OpKind::write_loc, {{1024, 158.5}, {8192, 159.3}, {131072, 160.2}}
        ),
        LawFlag::none
    );
    EXPECT_EQ(
        flag_along(
            SweepAxis::seq_len, OpKind::window_stream, {{1024, 8.0}, {8192, 8.0}, {131072, 8.0}}
        ),
        LawFlag::none
    );
}

TEST(TimeLaws, DoNotFlagWhatMergesThePartsOfAttention) {
    std::vector<kvprof::Run> runs;
    for (const std::int64_t value : {1024, 8192, 131072}) {
        kvprof::Run run = swept_run(step_at(SweepAxis::seq_len, value), 1000.0);
        add_kernel(run, {"attention_combine", OpKind::attention, 100.0});
        add_kernel(run, {"attention", OpKind::attention, 900.0});
        runs.push_back(std::move(run));
    }
    const SideLaws side = cost_laws(runs).at(0);
    EXPECT_EQ(law_named(side, "attention_combine").flag, LawFlag::none);
    EXPECT_EQ(law_named(side, "attention").flag, LawFlag::shape_blind);
}

TEST(TimeLaws, DoNotFlagWhatTakesTooLittleOfTheStep) {
    EXPECT_EQ(
        flag_along(
            SweepAxis::seq_len, OpKind::page_table, {{1024, 4.9}, {8192, 4.9}, {131072, 4.9}}
        ),
        LawFlag::none // 0.49 %
    );
    EXPECT_EQ(
        flag_along(
            SweepAxis::seq_len, OpKind::page_table, {{1024, 5.1}, {8192, 5.1}, {131072, 5.1}}
        ),
        LawFlag::shape_blind // 0.51 %
    );
}

/// 2 us is one launch: there is no work to see in it. The step has to be short for it to weigh.
TEST(TimeLaws, AtTheFloorOfALaunchAreNoFlag) {
    std::vector<kvprof::Run> runs;
    for (const std::int64_t value : {1024, 8192, 131072}) {
        kvprof::Run run = swept_run(step_at(SweepAxis::seq_len, value), 100.0);
        add_kernel(run, {"build", OpKind::page_table, 2.0});
        add_kernel(run, {"rest", OpKind::kv_write, 98.0});
        runs.push_back(std::move(run));
    }
    EXPECT_EQ(law_named(cost_laws(runs).at(0), "build").flag, LawFlag::at_launch_floor);
    for (kvprof::Run& run : runs) {
        run.kernels[0].time *= 2; // 4 us is twice a launch
    }
    EXPECT_EQ(law_named(cost_laws(runs).at(0), "build").flag, LawFlag::shape_blind);
    for (kvprof::Run& run : runs) {
        run.kernels[0].launches *= 2; // of 2 us each
    }
    EXPECT_EQ(law_named(cost_laws(runs).at(0), "build").flag, LawFlag::at_launch_floor);
}

TEST(TimeLaws, FlagATimeThatFollowsWhatTheStepIsBuiltFor) {
    const std::vector<std::pair<std::int64_t, double>> grown{
        {262'144, 40.0}, {524'288, 80.0}, {1'048'576, 160.0}};
    EXPECT_EQ(
        flag_along(SweepAxis::max_context, OpKind::page_table, grown), LawFlag::capacity_bound
    );
    EXPECT_EQ(
        flag_along(
            SweepAxis::max_context,
            OpKind::page_table,
            {{262'144, 3.0}, {524'288, 3.01}, {1'048'576, 3.0}}
        ),
        LawFlag::none
    );
    EXPECT_EQ(flag_along(SweepAxis::seq_len, OpKind::page_table, grown), LawFlag::none);
}

/// A launch below 3 us has no work to grow, whatever noise says: here it takes 1 % of a short step.
TEST(TimeLaws, DoNotFlagTheGrowthOfWhatIsAsShortAsALaunch) {
    std::vector<kvprof::Run> runs;
    for (const auto& [value, us] : {std::pair{262'144, 0.7}, {524'288, 1.4}, {1'048'576, 2.8}}) {
        kvprof::Run run = swept_run(step_at(SweepAxis::max_context, value), 100.0);
        add_kernel(run, {"build", OpKind::page_table, us});
        add_kernel(run, {"rest", OpKind::kv_write, 100.0 - us});
        runs.push_back(std::move(run));
    }
    EXPECT_EQ(law_named(cost_laws(runs).at(0), "build").flag, LawFlag::none);
    for (kvprof::Run& run : runs) {
        run.kernels[0].time *= 2;
    }
    EXPECT_EQ(law_named(cost_laws(runs).at(0), "build").flag, LawFlag::capacity_bound);
}

/// Twice as long at one of its points: that is more than a launch, though it does not follow.
TEST(TimeLaws, AtTheFloorStayWithinHalfOfTheShortest) {
    std::vector<kvprof::Run> runs;
    for (const auto& [value, us] : {std::pair{1024, 1.0}, {11'585, 2.0}, {131'072, 1.0}}) {
        kvprof::Run run = swept_run(step_at(SweepAxis::seq_len, value), 100.0);
        add_kernel(run, {"build", OpKind::page_table, us});
        add_kernel(run, {"rest", OpKind::kv_write, 100.0 - us});
        runs.push_back(std::move(run));
    }
    EXPECT_EQ(law_named(cost_laws(runs).at(0), "build").flag, LawFlag::shape_blind);
}

TEST(TimeLaws, OfTooFewPointsSayWhichAreMissingAndWhy) {
    auto runs = runs_along(
        SweepAxis::seq_len, OpKind::token_stream, {{1024, 3.0}, {2048, 4.0}, {4096, 5.0}}
    );
    runs[1].passes[0].failure = "CUPTI is busy";
    runs[1].kernels.clear();
    runs.push_back(test::missing_run(step_at(SweepAxis::seq_len, 131'072), "could not fit the step")
    );
    const SideLaws side = cost_laws(runs).at(0);
    const TimeLaw& law = law_named(side, "build");
    EXPECT_FALSE(law.line);
    EXPECT_EQ(law.places(), 2U);
    EXPECT_EQ(law.flag, LawFlag::none);
    const auto missing = missing_figures(side.axes.at(0), &law);
    ASSERT_THAT(missing, SizeIs(2));
    EXPECT_EQ(missing[0].value, 2048);
    EXPECT_EQ(missing[0].reason, "nodes pass: CUPTI is busy");
    EXPECT_EQ(missing[1].value, 131'072);
    EXPECT_EQ(missing[1].reason, "not-run: could not fit the step");
    EXPECT_TRUE(side.times[0].line) << "the timed step has three points";
}

/// An op alone stands 20 times in its graph: the law is of one launch.
TEST(TimeLaws, OfAnOpAloneAreOfOneLaunch) {
    std::vector<kvprof::Run> runs;
    for (const auto& [value, us] : {std::pair{1024, 100.0}, {2048, 200.0}, {4096, 400.0}}) {
        kvprof::Run run = swept_run(step_at(SweepAxis::seq_len, value), us);
        run.measure.op = "token-stream";
        runs.push_back(std::move(run));
    }
    const SideLaws side = cost_laws(runs).at(0);
    EXPECT_EQ(side.times.at(0).subject.op, OpKind::token_stream);
    EXPECT_NEAR(side.times.at(0).points.at(0).time_ns, 5000.0, 1e-6);
    EXPECT_NEAR(side.times.at(0).power->slope.value, 1.0, 1e-9);
}

TEST(SweepAxesOfRuns, AreFoundInAStarFromItsOptionsAlone) {
    std::vector<kvprof::Run> runs;
    for (const std::int64_t value : {1024, 8224, 16384}) {
        runs.push_back(swept_run(step_at(SweepAxis::seq_len, value), 1.0));
    }
    runs.push_back(swept_run(step_at(SweepAxis::batch, 8), 1.0));
    const SideLaws side = cost_laws(runs).at(0);
    ASSERT_THAT(side.axes, SizeIs(2));
    EXPECT_EQ(side.axes[0].axis, SweepAxis::seq_len);
    EXPECT_THAT(side.axes[0].runs, ElementsAre(&runs[0], &runs[1], &runs[2]));
    EXPECT_EQ(side.axes[1].axis, SweepAxis::batch);
    EXPECT_THAT(side.axes[1].runs, ElementsAre(&runs[3], &runs[1])) << "8 lanes, then 64";
    EXPECT_THAT(cost_laws({}), IsEmpty());
}

TEST(LawsOfTwoSides, StandAgainstEachOtherWithTheirDifferences) {
    auto runs = runs_along(
        SweepAxis::seq_len, OpKind::page_table, {{1024, 158.5}, {11585, 159.3}, {131072, 160.2}}
    );
    for (kvprof::Run& run : runs) {
        run.ab = AbPlace{.side = AbSide::a};
    }
    auto of_b = runs_along(
        SweepAxis::seq_len, OpKind::page_table, {{1024, 3.0}, {11585, 13.0}, {131072, 130.0}}
    );
    for (kvprof::Run& run : of_b) {
        run.ab = AbPlace{.side = AbSide::b};
        run.step.grid = Grid::bs;
        add_kernel(run, {"more", OpKind::indptr, 100.0});
        runs.push_back(run);
    }
    const auto sides = cost_laws(runs);
    ASSERT_THAT(sides, SizeIs(2));
    const auto changes = time_law_changes(sides[0], sides[1]);
    ASSERT_THAT(changes, SizeIs(4));
    EXPECT_EQ(changes[3].a, nullptr) << "B alone has it";
    EXPECT_EQ(changes[3].b->subject.kernel, "more");
    const TimeLawChange& built = changes[2];
    ASSERT_EQ(built.a->subject.kernel, "build");
    EXPECT_EQ(built.a->flag, LawFlag::shape_blind);
    EXPECT_EQ(built.b->flag, LawFlag::none);
    EXPECT_DOUBLE_EQ(
        built.elasticity->value, built.b->power->slope.value - built.a->power->slope.value
    );
    EXPECT_DOUBLE_EQ(
        built.intercept->value, built.b->line->intercept.value - built.a->line->intercept.value
    );
}

} // namespace
} // namespace kvprof::analyzers
