#include "capture/import/step_names.h"
#include "tests/import/profile_rig.h"

#include <gtest/gtest.h>

namespace kvprof::import {
namespace {

using std::chrono::nanoseconds;
using test::ProfileRig;

/// Three steps of 60 ns, 150 ns apart, whose graphs run after the next step has begun.
void add_async_steps(ProfileRig& rig) {
    for (std::int64_t step = 0; step < 3; ++step) {
        const std::int64_t at = 1000 + 150 * step;
        const auto correlation = static_cast<std::uint64_t>(step) + 1;
        rig.annotation("step[DECODE bs=8]", {.start = at, .duration = 60});
        rig.call("cudaGraphLaunch", {.start = at + 5, .duration = 10, .correlation = correlation});
        for (std::int64_t i = 0; i < 5; ++i) {
            rig.kernel(
                {.start = at + 200 + 20 * i,
                 .duration = 15,
                 .correlation = correlation,
                 .node = static_cast<std::uint64_t>(i) + 7}
            );
        }
    }
}

TEST(AnnotatedSteps, OwnWhatIsLaunchedInThemWheneverItRuns) {
    ProfileRig rig;
    add_async_steps(rig);
    const auto built = rig.finish();
    EXPECT_EQ(built.file.profile.step_rule, "annotation step[]");
    EXPECT_EQ(built.figure("steps.count"), 3);
    EXPECT_EQ(built.figure("steps.skipped"), std::nullopt);        // none was
    EXPECT_EQ(built.figure("steps.graph_launches"), std::nullopt); // not inferred
    ASSERT_EQ(built.steps().size(), 3U);
    for (const ProfileStep& step : built.steps()) {
        EXPECT_EQ(step.name, "step[DECODE bs=8]");
        EXPECT_EQ(step.duration, nanoseconds(60));
        EXPECT_EQ(step.graph_launches, 1);
        EXPECT_EQ(step.launches, 0);
        EXPECT_EQ(step.kernels, 5);
        EXPECT_EQ(step.kernel_sum, nanoseconds(75));
    }
    EXPECT_EQ(built.steps()[0].start, nanoseconds(-5)); // before the first call of the file
    EXPECT_EQ(built.steps()[2].start, nanoseconds(295));
}

TEST(AnnotatedSteps, AreOfTheFirstPatternAndTheOutermost) {
    ProfileRig rig;
    rig.annotation("execute_context_0(0)_generation_8(8)", {.start = 0, .duration = 100});
    rig.annotation("step[DECODE bs=8]", {.start = 10, .duration = 80});
    rig.annotation("step[DECODE bs=4]", {.start = 20, .duration = 30});
    rig.annotation("step[DECODE bs=8]", {.start = 90, .duration = 9});
    rig.kernel({.start = 0, .duration = 1});
    rig.op({.start = 5, .duration = 1});
    const auto built = rig.finish();
    ASSERT_EQ(built.steps().size(), 2U);
    EXPECT_EQ(built.steps()[0].duration, nanoseconds(80));
    EXPECT_EQ(built.steps()[1].duration, nanoseconds(9));
}

TEST(AnnotatedSteps, OwnLaunchesOfTheirProcessOnAnyThread) {
    ProfileRig rig;
    rig.annotation("ProfilerStep#4", {.start = 100, .duration = 100});
    rig.call("cudaLaunchKernel", {.start = 150, .duration = 1, .correlation = 1, .thread = "9"});
    rig.call("cudaLaunchKernel", {.start = 150, .duration = 1, .correlation = 2, .process = "9"});
    rig.call("cudaLaunchKernel", {.start = 199, .duration = 9, .correlation = 3});
    rig.call("cudaLaunchKernel", {.start = 200, .duration = 1, .correlation = 4}); // too late
    rig.call("cudaLaunchKernel", {.start = 99, .duration = 1, .correlation = 5});  // too early
    rig.kernel({.start = 150, .duration = 1, .correlation = 9});                   // an orphan
    const auto built = rig.finish();
    ASSERT_EQ(built.steps().size(), 1U);
    EXPECT_EQ(built.steps()[0].launches, 2);
    EXPECT_EQ(built.steps()[0].kernels, 0);
}

TEST(AnnotatedSteps, ThatCrossEndWhereTheNextBegins) {
    ProfileRig rig;
    rig.annotation("ProfilerStep#1", {.start = 0, .duration = 10});
    rig.annotation("ProfilerStep#2", {.start = 5, .duration = 10});
    std::uint64_t correlation = 0;
    for (const std::int64_t start : {2, 7, 12}) {
        rig.call("cudaLaunchKernel", {.start = start, .duration = 1, .correlation = ++correlation});
    }
    const auto built = rig.finish();
    ASSERT_EQ(built.steps().size(), 2U);
    EXPECT_EQ(built.steps()[0].launches, 1);
    EXPECT_EQ(built.steps()[1].launches, 2);
}

TEST(AnnotatedSteps, CanBeThoseOfTheUser) {
    ReadOptions options;
    options.steps = StepRule::annotation;
    options.step_pattern = "decode";
    ProfileRig rig(options);
    rig.annotation("decode_step", {.start = 0, .duration = 10});
    rig.annotation("decode_step", {.start = 20, .duration = 10});
    rig.annotation("ProfilerStep#1", {.start = 0, .duration = 100});
    rig.op({.start = 0, .duration = 100});
    const auto built = rig.finish();
    EXPECT_EQ(built.file.profile.step_rule, "annotation decode");
    EXPECT_EQ(built.figure("steps.count"), 2);
}

TEST(AnnotatedSteps, AreSkippedAtBothEnds) {
    ReadOptions options;
    options.skip_first = 1;
    options.skip_last = 1;
    ProfileRig rig(options);
    add_async_steps(rig);
    const auto built = rig.finish();
    ASSERT_EQ(built.steps().size(), 1U);
    EXPECT_EQ(built.steps()[0].start, nanoseconds(145));
    EXPECT_EQ(built.steps()[0].kernels, 5);
    EXPECT_EQ(built.figure("steps.skipped"), 2);
    EXPECT_EQ(built.figure("gpu.kernel.count"), 15); // of the whole file all the same

    options.skip_last = 5;
    ProfileRig all_skipped(options);
    add_async_steps(all_skipped);
    EXPECT_EQ(all_skipped.finish().figure("steps.count"), 0);
}

TEST(AnnotatedSteps, KeepTheRecordsOfTheFirst) {
    ReadOptions options;
    options.keep_events = 2;
    options.skip_first = 1;
    ProfileRig rig(options);
    add_async_steps(rig);
    const FileProfile file = rig.finish().file;
    ASSERT_EQ(file.events.size(), 10U);
    EXPECT_EQ(file.events[0].step, 0);
    EXPECT_EQ(file.events[0].start, nanoseconds(0));
    EXPECT_EQ(file.events[0].duration, nanoseconds(15));
    EXPECT_EQ(file.events[0].stream, 7);
    EXPECT_EQ(file.events[0].node, 7U);
    EXPECT_EQ(file.events[4].node, 11U);
    EXPECT_EQ(file.events[5].step, 1);
    EXPECT_EQ(file.events[5].start, nanoseconds(150));
    EXPECT_EQ(file.kernels.size(), 1U); // its nodes are one kernel
    EXPECT_EQ(file.events[9].kernel, 0);

    ProfileRig none;
    add_async_steps(none);
    EXPECT_TRUE(none.finish().file.events.empty());
}

TEST(AnnotatedSteps, KeepRecordsThatStartTogetherInOneOrder) {
    for (const bool is_swapped : {false, true}) {
        ReadOptions options;
        options.keep_events = 1;
        ProfileRig rig(options);
        rig.annotation("ProfilerStep#1", {.start = 0, .duration = 10});
        rig.call("cudaGraphLaunch", {.start = 1, .duration = 1, .correlation = 1});
        for (const std::string_view stream : {is_swapped ? "8" : "7", is_swapped ? "7" : "8"}) {
            rig.kernel({.start = 20, .duration = 4, .correlation = 1, .stream = stream});
        }
        const FileProfile file = rig.finish().file;
        ASSERT_EQ(file.events.size(), 2U);
        EXPECT_EQ(file.events[0].stream, 7);
        EXPECT_EQ(file.events[1].stream, 8);
    }
}

TEST(AnnotatedSteps, KeepTheRecordsOfEveryRankAndDevice) {
    ReadOptions options;
    options.keep_events = 1;
    ProfileRig rig(options);
    rig.builder.set_rank_of(rig.id("100"), "TP00");
    rig.builder.set_rank_of(rig.id("200"), "TP01");
    for (const std::string_view process : {"200", "100"}) {
        const bool is_first = process == "100";
        rig.annotation("ProfilerStep#1", {.start = 0, .duration = 10, .process = process});
        rig.call(
            "cudaLaunchKernel", {.start = 1, .duration = 1, .correlation = 1, .process = process}
        );
        for (const std::string_view device : {"10", "9"}) {
            rig.kernel(
                {.start = is_first ? 20 : 30,
                 .duration = 4,
                 .correlation = 1,
                 .device = device,
                 .process = process}
            );
        }
    }
    const FileProfile file = rig.finish().file;
    std::vector<std::vector<std::int64_t>> places;
    for (const KernelEvent& event : file.events) {
        places.push_back({event.rank, event.device, event.start.count()});
    }
    EXPECT_EQ(
        places,
        (std::vector<std::vector<std::int64_t>>{{0, 0, 0}, {0, 1, 0}, {1, 0, 10}, {1, 1, 10}})
    );
}

TEST(AnnotatedSteps, AreToldByTheirNames) {
    const ReadOptions options;
    EXPECT_EQ(step_pattern_of("ProfilerStep#12", options), 0U);
    EXPECT_EQ(step_pattern_of("ProfilerStep#*", options), std::nullopt);
    EXPECT_EQ(step_pattern_of("step[TARGET_VERIFY bs=4]", options), 1U);
    EXPECT_EQ(step_pattern_of("execute_new_0_cached_8", options), 2U);
    EXPECT_EQ(step_pattern_of("execute_32_context_0(sq0)_generation_32(sq32)", options), 2U);
    EXPECT_EQ(step_pattern_of("execute_model", options), std::nullopt);
    EXPECT_EQ(step_pattern_of("[Executor] _forward_step 7: 0 ctx reqs", options), 3U);
    EXPECT_EQ(step_pattern_of("nccl:all_reduce", options), std::nullopt);
    EXPECT_EQ(step_pattern_of("Optimizer.step#Adam.step", options), std::nullopt);
}

} // namespace
} // namespace kvprof::import
