#include "tests/import/profile_rig.h"

#include <gtest/gtest.h>

namespace kvprof::import {
namespace {

using std::chrono::nanoseconds;
using test::ProfileRig;

/// What a thread does, 100 ns apart: a letter launches that kernel, '>' copies to the host, '<' to
/// the device, '|' waits for the stream.
void play(ProfileRig& rig, std::string_view script, std::string_view thread = "100") {
    std::uint64_t correlation = thread == "100" ? 0 : 1000;
    std::int64_t at = 0;
    for (const char& what : script) {
        at += 100;
        ++correlation;
        const auto call = [&](std::string_view name) {
            rig.call(
                name, {.start = at, .duration = 5, .correlation = correlation, .thread = thread}
            );
        };
        if (what == '|') {
            call("cudaStreamSynchronize");
        } else if (what == '>' || what == '<') {
            call("cudaMemcpyAsync");
            rig.work(
                EventKind::memory_copy,
                {.start = at + 50,
                 .duration = 1,
                 .correlation = correlation,
                 .name = what == '>' ? "Memcpy DtoH (Device -> Pinned)" : "Memcpy HtoD"}
            );
        } else {
            call("cudaLaunchKernel");
            rig.kernel(
                {.start = at + 50,
                 .duration = 10,
                 .correlation = correlation,
                 .name = std::string_view(&what, 1)}
            );
        }
    }
}

std::string rule_of(std::string_view script) {
    ProfileRig rig;
    play(rig, script);
    return rig.finish().file.profile.step_rule;
}

TEST(KernelSteps, AreOneExactPeriodOfKernelsWhereNoGraphWasLaunched) {
    ProfileRig rig;
    play(rig, "abbabbab"); // the third is cut
    const auto built = rig.finish();
    EXPECT_EQ(built.file.profile.step_rule, "inferred: 3 kernels a step");
    EXPECT_EQ(built.figure("steps.graph_launches"), std::nullopt);
    ASSERT_EQ(built.steps().size(), 3U);
    EXPECT_EQ(built.steps()[0].kernels, 3);
    EXPECT_EQ(built.steps()[0].kernel_sum, nanoseconds(30));
    EXPECT_EQ(built.steps()[0].duration, nanoseconds(300));
    EXPECT_EQ(built.steps()[1].launches, 3);
    EXPECT_EQ(built.steps()[2].kernels, 2);
}

TEST(KernelSteps, AreNoneOfOneKernelOverAndOverAndOfAlmostAPeriod) {
    EXPECT_EQ(rule_of("aaaaaaaa"), "none");
    EXPECT_EQ(rule_of("abcabcabd"), "none");
    EXPECT_EQ(rule_of("abca"), "none");
}

TEST(KernelSteps, AreWholeOnesBetweenWaitsForCopiesBehindAPrefill) {
    ProfileRig rig;
    play(rig, "pqrr>|<ab>|<ab>|<ab>|<a");
    const auto built = rig.finish();
    EXPECT_EQ(built.file.profile.step_rule, "inferred: 1 wait for copies to the host a step");
    ASSERT_EQ(built.steps().size(), 3U); // without the prefill, and without what follows the last
    for (const ProfileStep& step : built.steps()) {
        EXPECT_EQ(step.kernels, 2);
        EXPECT_EQ(step.duration, nanoseconds(500));
    }
}

TEST(KernelSteps, TheLastOneEndsWithItsWaitWhereTheLoopDoesNotGoOn) {
    for (const bool is_launch : {false, true}) {
        ProfileRig rig;
        play(rig, "pqrr>|<ab>|<ab>|<ab>|");
        const std::int64_t late = 50'000; // a call, or work that begins no step
        rig.call(
            is_launch ? "cudaLaunchKernel" : "cudaFree",
            {.start = late, .duration = 5, .correlation = 900}
        );
        if (is_launch) {
            rig.kernel({.start = late + 50, .duration = 10, .correlation = 900, .name = "z"});
        }
        const auto built = rig.finish();
        ASSERT_EQ(built.steps().size(), 3U);
        EXPECT_EQ(built.steps()[1].duration, nanoseconds(500));
        EXPECT_EQ(built.steps()[2].duration, nanoseconds(305)); // two launches, the copy, the wait
        EXPECT_EQ(built.steps()[2].kernels, 2);
        EXPECT_EQ(built.steps()[2].launches, 2);
    }
}

TEST(KernelSteps, AreTheSameWhicheverOfTwoLaunchesThatTieStandsFirst) {
    const auto rule = [](bool is_a_first) {
        ProfileRig rig;
        const auto launch = [&](std::string_view name, std::int64_t at, std::uint64_t correlation) {
            rig.call("cudaLaunchKernel", {.start = at, .duration = 5, .correlation = correlation});
            rig.kernel({.start = at + 50, .duration = 10, .correlation = correlation, .name = name}
            );
        };
        launch(is_a_first ? "a" : "b", 100, is_a_first ? 1 : 2);
        launch(is_a_first ? "b" : "a", 100, is_a_first ? 2 : 1);
        for (std::uint64_t at = 3; at < 7; ++at) {
            launch(at % 2 == 1 ? "a" : "b", static_cast<std::int64_t>(100 * at), at);
        }
        return rig.finish().file.profile.step_rule;
    };
    EXPECT_EQ(rule(true), rule(false));
}

TEST(KernelSteps, MayHoldSeveralWaits) {
    EXPECT_EQ(rule_of("p>|ab>|c>|ab>|c>|"), "inferred: 2 waits for copies to the host a step");
}

TEST(KernelSteps, EndAtNoOtherWaitAndNoOtherCopy) {
    EXPECT_EQ(rule_of("p|ab|ab|ab|"), "none");     // for no copy
    EXPECT_EQ(rule_of("p<|ab<|ab<|ab<|"), "none"); // to the device
    EXPECT_EQ(rule_of("p>|ab>|ac>|ad>|"), "none"); // pieces that differ
    EXPECT_EQ(rule_of("p>|ab>|"), "none");         // seen once
}

TEST(KernelSteps, ComeFromTheThreadThatLaunchesMost) {
    ProfileRig rig;
    play(rig, "abcabc");
    play(rig, "xyz", "2");
    const auto built = rig.finish();
    EXPECT_EQ(built.file.profile.step_rule, "inferred: 3 kernels a step");
    EXPECT_EQ(built.steps().at(0).kernels, 6); // what other threads launch in it, too
}

TEST(KernelSteps, AreNotLookedForUnderGraphNoneOrBesideGraphLaunches) {
    for (const StepRule rule : {StepRule::graph, StepRule::none}) {
        ReadOptions options;
        options.steps = rule;
        ProfileRig rig(options);
        play(rig, "abcabc");
        EXPECT_EQ(rig.finish().file.profile.step_rule, "none");
    }
    ProfileRig rig;
    play(rig, "abcabc");
    rig.call("cudaGraphLaunch", {.start = 5000, .duration = 5, .correlation = 77});
    EXPECT_EQ(rig.finish().file.profile.step_rule, "none");
}

} // namespace
} // namespace kvprof::import
