#include "capture/import/step_ranges.h"
#include "tests/import/profile_rig.h"

#include <gtest/gtest.h>

namespace kvprof::import {
namespace {

using std::chrono::nanoseconds;
using test::ProfileRig;

/// Graph launches 100 ns apart by what they run, a kernel a letter; '.' is an eager launch, '|' a
/// graph launch without work.
void add_launches(ProfileRig& rig, const std::vector<std::string_view>& launches) {
    std::uint64_t correlation = 0;
    for (const std::string_view launch : launches) {
        ++correlation;
        const auto at = static_cast<std::int64_t>(correlation) * 100;
        const bool is_eager = launch == ".";
        rig.call(
            is_eager ? "cudaLaunchKernel" : "cudaGraphLaunch",
            {.start = at, .duration = 5, .correlation = correlation}
        );
        std::int64_t start = at + 1000;
        for (std::size_t i = 0; launch != "|" && i < launch.size(); ++i) {
            rig.kernel(
                {.start = start,
                 .duration = 4,
                 .correlation = correlation,
                 .name = launch.substr(i, 1)}
            );
            start += 5;
        }
    }
}

TEST(InferredSteps, AreOneExactPeriodOfGraphs) {
    ProfileRig rig;
    add_launches(rig, {"a", "bb", "bb", "bb", "c", ".", "a", "bb", "bb", "bb", "c", "."});
    const auto built = rig.finish();
    EXPECT_EQ(built.file.profile.step_rule, "inferred: 5 graph launches a step");
    EXPECT_EQ(built.figure("steps.count"), 2);
    EXPECT_EQ(built.figure("steps.graph_launches"), 5);
    ASSERT_EQ(built.steps().size(), 2U);
    for (const ProfileStep& step : built.steps()) {
        EXPECT_EQ(step.name, "");
        EXPECT_EQ(step.graph_launches, 5);
        EXPECT_EQ(step.launches, 1);
        EXPECT_EQ(step.kernels, 9);
        EXPECT_EQ(step.kernel_sum, nanoseconds(36));
    }
    EXPECT_EQ(built.steps()[0].start, nanoseconds(0));
    EXPECT_EQ(built.steps()[0].duration, nanoseconds(600));
    // Until the last work: the last launch at 1200, its kernel from 2200 to 2204.
    EXPECT_EQ(built.steps()[1].duration, nanoseconds(2204 - 700));
}

TEST(InferredSteps, DoNotDependOnTheRaceOfStreamsInAGraph) {
    ProfileRig rig;
    add_launches(rig, {"ab", "c", "ba", "c"});
    EXPECT_EQ(rig.finish().figure("steps.graph_launches"), 2);
}

TEST(InferredSteps, WithoutAPeriodBeginAtTheRarestGraph) {
    ProfileRig rig;
    add_launches(rig, {"b", "a", "b", "b", "a", "b", "b", "b", "a", "b", "x"});
    const auto built = rig.finish();
    EXPECT_EQ(built.file.profile.step_rule, "inferred: cut before each launch of the rarest graph");
    EXPECT_EQ(built.figure("steps.graph_launches"), std::nullopt);
    ASSERT_EQ(built.steps().size(), 3U);
    EXPECT_EQ(built.steps()[0].start, nanoseconds(100));
    EXPECT_EQ(built.steps()[0].graph_launches, 3);
    EXPECT_EQ(built.steps()[1].graph_launches, 4);
    EXPECT_EQ(built.steps()[2].graph_launches, 3);
}

TEST(InferredSteps, AreNoneWhereNothingRepeats) {
    for (const std::vector<std::string_view>& launches :
         {std::vector<std::string_view>{"a"}, {"a", "b"}, {".", "."}}) {
        ProfileRig rig;
        add_launches(rig, launches);
        const auto built = rig.finish();
        EXPECT_EQ(built.file.profile.step_rule, "none");
        EXPECT_EQ(built.figure("steps.count"), std::nullopt);
        EXPECT_TRUE(built.steps().empty());
    }
}

TEST(InferredSteps, ComeFromTheThreadThatLaunchesMostGraphs) {
    ProfileRig rig;
    add_launches(rig, {"a", "b", "a", "b"});
    rig.call("cudaGraphLaunch", {.start = 150, .duration = 1, .correlation = 99, .thread = "2"});
    rig.kernel({.start = 5000, .duration = 1, .correlation = 99, .name = "other"});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("steps.count"), 2);
    EXPECT_EQ(built.steps().at(0).graph_launches, 3); // what other threads launch in it, too
}

TEST(InferredSteps, GiveWayToAnnotationsUnlessAskedFor) {
    for (const StepRule rule : {StepRule::automatic, StepRule::graph, StepRule::none}) {
        ReadOptions options;
        options.steps = rule;
        ProfileRig rig(options);
        add_launches(rig, {"a", "a", "a"});
        rig.annotation("ProfilerStep#1", {.start = 0, .duration = 9999});
        const auto built = rig.finish();
        switch (rule) {
        case StepRule::automatic: EXPECT_EQ(built.figure("steps.count"), 1); break;
        case StepRule::graph: EXPECT_EQ(built.figure("steps.count"), 3); break;
        case StepRule::none: EXPECT_EQ(built.figure("steps.count"), std::nullopt); break;
        case StepRule::annotation: break;
        }
    }
}

TEST(InferredSteps, PeriodsAreExactAndSeenTwice) {
    EXPECT_EQ(exact_period({1, 1, 1}), 1U);
    EXPECT_EQ(exact_period({1, 2, 2, 1, 2, 2}), 3U);
    EXPECT_EQ(exact_period({1, 2, 1, 2, 1}), 2U);        // cut within the third
    EXPECT_EQ(exact_period({1, 2, 3, 1}), std::nullopt); // seen once and a bit
    std::vector<std::uint64_t> almost(100, 1);
    almost[50] = 2; // 99 of 100 alike
    EXPECT_EQ(exact_period(almost), std::nullopt);
    EXPECT_EQ(exact_period({}), std::nullopt);
}

} // namespace
} // namespace kvprof::import
