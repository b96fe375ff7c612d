#include "tests/import/profile_rig.h"

#include <gtest/gtest.h>

namespace kvprof::import {
namespace {

using test::ProfileRig;

TEST(HostFigures, TopLevelOpsAreThoseThatNoOtherOfTheirThreadEncloses) {
    ProfileRig rig;
    rig.op({.start = 1020, .duration = 10});
    rig.op({.start = 1010, .duration = 80});
    rig.op({.start = 1000, .duration = 100});
    rig.op({.start = 1200, .duration = 10});
    rig.op({.start = 1000, .duration = 40, .thread = "101"});
    rig.op({.start = 1000, .duration = 7, .thread = "100", .process = "200"});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("cpu_op.count"), 6);
    EXPECT_EQ(built.figure("cpu_op.inclusive"), 247);
    EXPECT_EQ(built.figure("cpu_op.top"), 157);
    EXPECT_EQ(built.figure("cpu_op.top.count"), 4);
}

TEST(HostFigures, OfOpsThatStartTogetherTheLongestEncloses) {
    constexpr std::int64_t kLong = 6'000'000'000; // more ns than 32 bits hold
    ProfileRig rig;
    rig.op({.start = 0, .duration = kLong - 1});
    rig.op({.start = 0, .duration = kLong});
    rig.op({.start = kLong, .duration = 0}); // begins where they are over
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("cpu_op.top"), kLong);
    EXPECT_EQ(built.figure("cpu_op.top.count"), 2);
    EXPECT_EQ(built.figure("span.wall"), kLong);
}

TEST(HostFigures, OfNsightSystemsHaveNoOps) {
    ProfileRig rig;
    rig.builder.set_source(ProfileSource::nsys, "Nsight Systems");
    rig.kernel({.start = 0, .duration = 10});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("cpu_op.top"), std::nullopt);
    EXPECT_EQ(built.figure("graph_trace.count"), 0);
}

TEST(HostFigures, ADriverLaunchUnderARuntimeLaunchIsNoSecondOne) {
    ProfileRig rig;
    rig.call("cudaLaunchKernel", {.start = 10, .duration = 6, .correlation = 3});
    rig.call("cuLaunchKernel", {.start = 11, .duration = 4, .correlation = 3});
    rig.call("cuLaunchKernel", {.start = 11, .duration = 4, .correlation = 3, .process = "200"});
    rig.call("cuLaunchKernel", {.start = 30, .duration = 4}); // without a correlation, alone
    rig.call("cuLaunchKernel", {.start = 40, .duration = 4});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("api.calls"), 5);
    EXPECT_EQ(built.figure("api.launch"), 4);
    EXPECT_EQ(built.figure("api.sum"), 22);
    EXPECT_EQ(built.file.calls.at(0).call, "cuLaunchKernel");
    EXPECT_EQ(built.file.calls.at(0).calls, 4);
    EXPECT_EQ(built.file.calls.at(1).call, "cudaLaunchKernel");
    EXPECT_EQ(built.file.calls.at(1).kind, ApiKind::kernel_launch);
}

TEST(HostFigures, CountCallsByFamily) {
    ProfileRig rig;
    rig.call("cudaMemcpyAsync", {.start = 1, .duration = 1, .correlation = 1});
    rig.call("cudaMemsetAsync", {.start = 2, .duration = 1, .correlation = 2});
    rig.call("cudaStreamSynchronize", {.start = 3, .duration = 1, .correlation = 3});
    rig.call("cudaGraphLaunch", {.start = 4, .duration = 1, .correlation = 4});
    rig.call("INVALID", {.start = 5, .duration = 1, .correlation = 5});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("api.memcpy"), 1);
    EXPECT_EQ(built.figure("api.memset"), 1);
    EXPECT_EQ(built.figure("api.sync"), 1);
    EXPECT_EQ(built.figure("api.graph_launch"), 1);
    EXPECT_EQ(built.figure("api.launch"), 0);
    EXPECT_EQ(built.figure("api.calls"), 5);
    EXPECT_EQ(built.figure("span.wall"), 5);
}

TEST(HostFigures, AnnotationsStretchNoSpan) {
    ProfileRig rig;
    rig.annotation("ProfilerStep#1", {.start = 0, .duration = 1000});
    rig.op({.start = 100, .duration = 50});
    EXPECT_EQ(rig.finish().figure("span.wall"), 50);
}

TEST(HostFigures, LaunchesOfAWindowThatEndsMissTheirKernels) {
    ProfileRig rig;
    rig.call("cudaLaunchKernel", {.start = 0, .duration = 1, .correlation = 1});
    rig.call("cudaLaunchKernel", {.start = 5, .duration = 1, .correlation = 2});
    rig.call("cudaLaunchKernel", {.start = 7, .duration = 1});
    rig.call("cudaGraphLaunch", {.start = 9, .duration = 1, .correlation = 3});
    rig.kernel({.start = 10, .duration = 1, .correlation = 1});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("quality.launches_without_kernel"), 1);
    EXPECT_EQ(built.figure("quality.graphs_without_kernels"), 1);
}

TEST(HostFigures, AreOfARankEachInAMergedFile) {
    ProfileRig rig;
    for (const char* label : {"TP01", "TP00"}) {
        const std::string host = std::string("[") + label + "] 100";
        const std::string gpu = std::string("[") + label + "] 0";
        rig.builder.set_rank_of(rig.id(host), label);
        rig.builder.set_rank_of(rig.id(gpu), label);
        const std::int64_t shift = label[3] == '1' ? 1000 : 0;
        rig.call(
            "cudaLaunchKernel", {.start = shift, .duration = 5, .correlation = 1, .process = host}
        );
        rig.kernel({.start = shift + 50, .duration = 40, .correlation = 1, .process = gpu});
    }
    rig.builder.reject("negative-duration");
    const auto built = rig.finish();
    ASSERT_EQ(built.file.profile.ranks.size(), 2U);
    EXPECT_EQ(built.file.profile.ranks[0].rank, "TP00");
    EXPECT_EQ(built.file.profile.ranks[1].rank, "TP01");
    for (const std::size_t rank : {0U, 1U}) {
        EXPECT_EQ(built.figure("span.wall", rank), 90);
        EXPECT_EQ(built.figure("gpu.devices", rank), 1);
        EXPECT_EQ(built.figure("kernels.eager.count", rank), 1);
    }
    EXPECT_EQ(built.figure("quality.rejected", 0), 1); // nobody's: once for the file
    EXPECT_EQ(built.figure("quality.rejected", 1), 0);
}

} // namespace
} // namespace kvprof::import
