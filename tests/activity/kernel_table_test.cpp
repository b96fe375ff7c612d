#include "tests/activity/trace_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace kvprof::activity::test {

namespace {

using namespace std::chrono_literals;

/// Steps of one eager kernel each.
TraceRig eager_steps(const std::vector<std::uint64_t>& durations) {
    TraceRig rig;
    rig.how = {.steps = std::ssize(durations), .steps_per_batch = std::ssize(durations)};
    rig.kernel("index", {2048, 128, 1});
    for (std::size_t step = 0; step < durations.size(); ++step) {
        const std::uint64_t start = 1000 * (step + 1);
        rig.eager(
            {.start = start,
             .end = start + durations[step],
             .correlation = static_cast<std::uint32_t>(step + 1)},
            op_tag(OpKind::page_table, Placement::out, 5),
            static_cast<std::int64_t>(step)
        );
    }
    return rig;
}

TEST(KernelStats, SumTimesAndKeepTheirExtremes) {
    const Joined joined = eager_steps({30, 10, 50}).join();
    ASSERT_EQ(joined.kernels.size(), 1U);
    EXPECT_EQ(joined.kernels[0].launches, 3);
    EXPECT_EQ(joined.kernels[0].time, 90ns);
    EXPECT_EQ(joined.kernels[0].shortest, 10ns);
    EXPECT_EQ(joined.kernels[0].longest, 50ns);
    EXPECT_EQ(joined.kernels[0].blocks, 3 * 262'144);
}

TEST(KernelStats, CountTheBlocksThatHaveWork) {
    TraceRig rig = eager_steps({30});
    rig.how.live_blocks = [](std::int64_t, const Tag&) { return 2112; };
    const Joined joined = rig.join();
    EXPECT_EQ(joined.kernels[0].blocks, 262'144);
    EXPECT_EQ(joined.kernels[0].blocks_with_work, 2112);
}

TEST(KernelStats, AskForTheBlocksOfTheVeryCommandAndStep) {
    TraceRig rig = eager_steps({30, 30});
    for (Launch& launch : rig.recording.launches) {
        launch.step += 10;
    }
    rig.how.first_step = 10;
    std::vector<std::int64_t> asked;
    rig.how.live_blocks = [&asked](std::int64_t step, const Tag& tag) {
        EXPECT_EQ(tag.ordinal, 5);
        asked.push_back(step);
        return step;
    };
    EXPECT_EQ(rig.join().kernels[0].blocks_with_work, 21);
    EXPECT_THAT(asked, testing::ElementsAre(10, 11));
}

TEST(KernelStats, AskForTheBlocksOfAGraphNodeByItsOwnTag) {
    TraceRig rig = two_steps();
    rig.how.live_blocks = [](std::int64_t, const Tag& tag) -> std::optional<std::int64_t> {
        return tag.ordinal + 1;
    };
    const Joined joined = rig.join();
    EXPECT_EQ(joined.kernels[1].blocks_with_work, 2);            // write, command 0
    EXPECT_EQ(joined.kernels[2].blocks_with_work, std::nullopt); // a copy has no blocks
    EXPECT_EQ(joined.kernels[2].blocks, 0);
    EXPECT_EQ(joined.kernels[3].blocks_with_work, 6); // attention, command 2
}

TEST(KernelStats, HaveNoBlocksWithWorkWhenOneLaunchHasNone) {
    for (const std::int64_t without : {0, 1, 2}) {
        TraceRig rig = eager_steps({30, 30, 30});
        rig.how.live_blocks = [without](std::int64_t step, const Tag&) {
            return step == without ? std::nullopt : std::optional<std::int64_t>(7);
        };
        EXPECT_EQ(rig.join().kernels[0].blocks_with_work, std::nullopt);
    }
    EXPECT_EQ(eager_steps({30}).join().kernels[0].blocks_with_work, std::nullopt);
}

// Lengths move from step to step, and with them the grid of a kernel outside the graph.
TEST(KernelStats, KeepGridsApart) {
    TraceRig rig = eager_steps({30, 40, 50});
    rig.records[1].shape = rig.kernel("index", {1024, 128, 1});
    const Joined joined = rig.join();
    ASSERT_EQ(joined.kernels.size(), 2U);
    EXPECT_EQ(joined.kernels[0].launches, 2);
    EXPECT_EQ(joined.kernels[0].time, 80ns);
    EXPECT_EQ(joined.kernels[1].grid, (Dim3{1024, 128, 1}));
    EXPECT_EQ(joined.kernels[1].blocks, 131'072);
}

TEST(KernelStats, TakeCopiesOfAnySizeTogether) {
    TraceRig rig = eager_steps({30, 40});
    rig.records[0].shape =
        rig.shape({.kind = ActivityKind::memory_copy, .name = "memory copy", .bytes = 8});
    rig.records[1].shape =
        rig.shape({.kind = ActivityKind::memory_copy, .name = "memory copy", .bytes = 9});
    const Joined joined = rig.join();
    ASSERT_EQ(joined.kernels.size(), 1U);
    EXPECT_EQ(joined.kernels[0].launches, 2);
}

TEST(KernelStats, KeepOpsThatShareAKernelApart) {
    TraceRig rig = eager_steps({30, 40});
    rig.recording.launches[1].tag.op = OpKind::repack;
    const Joined joined = rig.join();
    ASSERT_EQ(joined.kernels.size(), 2U);
    EXPECT_EQ(joined.kernels[0].op, OpKind::page_table);
    EXPECT_EQ(joined.kernels[1].op, OpKind::repack);
    EXPECT_EQ(joined.kernels[1].name, "index");
}

TEST(KernelStats, ShowDemangledNamesAndOthersAsTheyAre) {
    TraceRig rig = eager_steps({30, 40, 50});
    rig.records[0].shape = rig.kernel("_ZN6kernel5tableEPi");
    rig.records[1].shape = rig.kernel("_Zbroken");
    rig.records[2].shape = rig.kernel("triton_kernel_0d1d2");
    const Joined joined = rig.join();
    ASSERT_EQ(joined.kernels.size(), 3U);
    EXPECT_EQ(joined.kernels[0].name, "kernel::table(int*)");
    EXPECT_EQ(joined.kernels[1].name, "_Zbroken");
    EXPECT_EQ(joined.kernels[2].name, "triton_kernel_0d1d2");
}

} // namespace

} // namespace kvprof::activity::test
