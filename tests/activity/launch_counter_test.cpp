#include "capture/activity/observer.h"
#include "tests/activity/trace_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace kvprof::activity::test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr ApiId kLaunch{ApiDomain::runtime, 211};
constexpr ApiId kDriverLaunch{ApiDomain::driver, 307};
constexpr ApiId kGraphLaunch{ApiDomain::runtime, 311};
constexpr ApiId kSynchronize{ApiDomain::runtime, 131};

const Tag kWrite = op_tag(OpKind::write_loc, Placement::out, 3);

/// cudaLaunchKernel with the cuLaunchKernel that it calls.
void launch(Observer& observer, std::uint32_t correlation, bool has_failed = false) {
    observer.api_enter(kLaunch, ApiKind::kernel_launch, correlation);
    observer.api_enter(kDriverLaunch, ApiKind::kernel_launch, correlation);
    observer.api_exit(kDriverLaunch, has_failed);
    observer.api_exit(kLaunch, has_failed);
}

void captured_launch(Observer& observer, std::uint64_t node) {
    observer.api_enter(kLaunch, ApiKind::kernel_launch, 1);
    observer.node_created(node, NodeKind::kernel);
    observer.api_exit(kLaunch, false);
}

TEST(LaunchCounter, CountsARuntimeCallAndItsDriverCallOnce) {
    Observer observer;
    const TagScope tag(kWrite);
    const StepScope step(4);
    launch(observer, 77);
    Tag counted = kWrite;
    counted.ordinal = -1;
    EXPECT_THAT(
        observer.launches().counts(),
        ElementsAre(CallCount{
            .api = kLaunch,
            .kind = ApiKind::kernel_launch,
            .tag = counted,
            .calls = 1,
            .first_step = 4})
    );
    EXPECT_THAT(
        observer.launches().launches(), ElementsAre(Launch{77, ApiKind::kernel_launch, kWrite, 4})
    );
}

TEST(LaunchCounter, CountsADirectDriverCall) {
    Observer observer;
    observer.api_enter(kDriverLaunch, ApiKind::kernel_launch, 5);
    observer.api_exit(kDriverLaunch, false);
    ASSERT_EQ(observer.launches().counts().size(), 1U);
    EXPECT_EQ(observer.launches().counts()[0].api, kDriverLaunch);
}

TEST(LaunchCounter, CountsCommandsOfAnOpTogetherAndKeepsTheirLaunchesApart) {
    Observer observer;
    for (std::int32_t ordinal = 0; ordinal < 3; ++ordinal) {
        const TagScope tag(op_tag(OpKind::write_loc, Placement::out, ordinal));
        launch(observer, 10 + static_cast<std::uint32_t>(ordinal));
    }
    ASSERT_EQ(observer.launches().counts().size(), 1U);
    EXPECT_EQ(observer.launches().counts()[0].calls, 3);
    ASSERT_EQ(observer.launches().launches().size(), 3U);
    EXPECT_EQ(observer.launches().launches()[2].tag.ordinal, 2);
}

TEST(LaunchCounter, CountsCallsInsideAndOutsideStepsApart) {
    Observer observer;
    const TagScope tag(kWrite);
    launch(observer, 1);
    for (std::int64_t number = 6; number < 8; ++number) {
        const StepScope step(number);
        launch(observer, 2);
    }
    const std::vector<CallCount> counts = observer.launches().counts();
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_EQ(counts[0].calls, 1);
    EXPECT_EQ(counts[0].first_step, -1);
    EXPECT_EQ(counts[1].calls, 2);
    EXPECT_EQ(counts[1].first_step, 6);
}

TEST(LaunchCounter, CountsAFailedCallApartAndAsNoLaunch) {
    Observer observer;
    launch(observer, 1, true);
    ASSERT_EQ(observer.launches().counts().size(), 1U);
    EXPECT_EQ(observer.launches().counts()[0].calls, 0);
    EXPECT_EQ(observer.launches().counts()[0].failed, 1);
    EXPECT_THAT(observer.launches().launches(), IsEmpty());
}

TEST(LaunchCounter, ACapturedLaunchPutsNoWorkOnTheDevice) {
    Observer observer;
    captured_launch(observer, node_id(5, 0));
    launch(observer, 2);
    const std::vector<CallCount> counts = observer.launches().counts();
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_TRUE(counts[0].is_captured);
    EXPECT_FALSE(counts[1].is_captured) << "the call before was captured, not this one";
    ASSERT_EQ(observer.launches().launches().size(), 1U);
    EXPECT_EQ(observer.launches().launches()[0].correlation, 2U);
}

TEST(LaunchCounter, OnlyWorkForTheDeviceIsALaunch) {
    Observer observer;
    observer.api_enter(kSynchronize, ApiKind::synchronize, 1);
    observer.api_exit(kSynchronize, false);
    observer.api_enter(kGraphLaunch, ApiKind::graph_launch, 2);
    observer.api_exit(kGraphLaunch, false);
    EXPECT_EQ(observer.launches().counts().size(), 2U);
    ASSERT_EQ(observer.launches().launches().size(), 1U);
    EXPECT_EQ(observer.launches().launches()[0].correlation, 2U);
}

TEST(LaunchCounter, RestartKeepsCapturedCallsAlone) {
    Observer observer;
    launch(observer, 1);
    captured_launch(observer, node_id(5, 0));
    observer.launches().restart();
    ASSERT_EQ(observer.launches().counts().size(), 1U);
    EXPECT_TRUE(observer.launches().counts()[0].is_captured);
    EXPECT_THAT(observer.launches().launches(), IsEmpty());

    captured_launch(observer, node_id(5, 1));
    launch(observer, 2);
    const std::vector<CallCount> counts = observer.launches().counts();
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_EQ(counts[0].calls, 2);
    EXPECT_EQ(counts[1].calls, 1);
}

TEST(LaunchCounter, IgnoresTheEndOfACallThatBeganUnheard) {
    Observer observer;
    observer.api_exit(kLaunch, false);
    EXPECT_THAT(observer.launches().counts(), IsEmpty());
    launch(observer, 1);
    EXPECT_EQ(observer.launches().counts().size(), 1U);
}

TEST(LaunchCounter, DoesNotCountACallThatEndsAsAnother) {
    Observer observer;
    observer.api_enter(kLaunch, ApiKind::kernel_launch, 1);
    observer.api_exit(kGraphLaunch, false);
    EXPECT_THAT(observer.launches().counts(), IsEmpty());
    EXPECT_THAT(observer.launches().launches(), IsEmpty());
}

TEST(LaunchCounter, CopiesGraphsFromTheStartOfAnInstantiationToItsEnd) {
    constexpr ApiId kInstantiate{ApiDomain::runtime, 443};
    constexpr ApiId kDriverInstantiate{ApiDomain::driver, 656};
    Observer observer;
    EXPECT_FALSE(LaunchCounter::is_copying());
    observer.api_enter(kInstantiate, ApiKind::graph_instantiate, 1);
    observer.api_enter(kDriverInstantiate, ApiKind::graph_instantiate, 1);
    observer.api_exit(kDriverInstantiate, false);
    EXPECT_TRUE(LaunchCounter::is_copying());
    observer.api_exit(kInstantiate, false);
    EXPECT_FALSE(LaunchCounter::is_copying());
}

TEST(LaunchCounter, EndsCopyingWithTheInnerCallThatCopies) {
    constexpr ApiId kDriverInstantiate{ApiDomain::driver, 656};
    Observer observer;
    observer.api_enter(kLaunch, ApiKind::kernel_launch, 1);
    observer.api_enter(kDriverInstantiate, ApiKind::graph_instantiate, 1);
    EXPECT_TRUE(LaunchCounter::is_copying());
    observer.api_exit(kDriverInstantiate, false);
    EXPECT_FALSE(LaunchCounter::is_copying());
    observer.api_exit(kLaunch, false);
}

TEST(TagScope, NestsAndGivesBackWhatWasBefore) {
    const TagScope outer(kWrite);
    {
        const TagScope inner(kReplayTag);
        EXPECT_EQ(current_scope().tag, kReplayTag);
    }
    EXPECT_EQ(current_scope().tag, kWrite);
}

// Run under the thread sanitizer by .ci/run.
TEST(Observer, CountsExactlyWhatSeveralThreadsDo) {
    constexpr std::uint32_t kThreads = 4;
    constexpr std::uint32_t kCalls = 2000;
    Observer observer;
    std::vector<std::thread> threads;
    for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&observer, thread] {
            const TagScope tag(op_tag(static_cast<OpKind>(thread), Placement::out));
            for (std::uint32_t call = 0; call < kCalls; ++call) {
                launch(observer, thread * kCalls + call, call % 10 == 0);
                captured_launch(observer, node_id(thread + 1, call));
                observer.node_cloned(
                    node_id(thread + 101, call), node_id(thread + 1, call), NodeKind::kernel
                );
            }
            observer.executable_created(thread + 101);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::vector<std::int64_t> calls(kThreads);
    for (const CallCount& count : observer.launches().counts()) {
        EXPECT_EQ(count.calls, count.is_captured ? kCalls : kCalls - kCalls / 10);
        EXPECT_EQ(count.failed, count.is_captured ? 0 : kCalls / 10);
        calls[static_cast<std::size_t>(count.tag.op)] += count.calls;
    }
    EXPECT_THAT(calls, testing::Each(2 * kCalls - kCalls / 10));
    EXPECT_EQ(observer.launches().launches().size(), kThreads * (kCalls - kCalls / 10));
    ASSERT_EQ(observer.graphs().executables().size(), kThreads);
    for (const Executable& executable : observer.graphs().executables()) {
        EXPECT_EQ(executable.kernels, kCalls);
        EXPECT_EQ(
            observer.graphs().tag_of(node_id(executable.id, kCalls - 1))->op,
            static_cast<OpKind>(executable.id - 101)
        );
    }
}

TEST(Observer, IsDeadOnceTheToolHasShutDown) {
    Observer observer;
    EXPECT_FALSE(observer.is_dead());
    observer.fatal();
    EXPECT_TRUE(observer.is_dead());
}

} // namespace

} // namespace kvprof::activity::test
