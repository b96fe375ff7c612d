#include "tests/import/profile_rig.h"

#include <gtest/gtest.h>

namespace kvprof::import {
namespace {

using test::DoneAt;
using test::ProfileRig;
using test::RanAt;

TEST(GpuFigures, SumCountsOverlapTwiceAndUnionOnce) {
    ProfileRig rig;
    rig.kernel({.start = 1000, .duration = 100, .stream = "7"});
    rig.kernel({.start = 1050, .duration = 100, .stream = "13"});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("gpu.kernel.count"), 2);
    EXPECT_EQ(built.figure("gpu.kernel.sum"), 200);
    EXPECT_EQ(built.figure("gpu.kernel.union"), 150);
    EXPECT_EQ(built.figure("quality.same_stream_overlaps"), 0);
}

TEST(GpuFigures, OneCorrelationOfAllRecordsIsAskedForOnce) {
    ProfileRig rig; // a search of the group for each record would take hours
    constexpr std::int64_t kRecords = 400'000;
    for (std::int64_t i = 0; i < kRecords; ++i) {
        rig.call("cudaLaunchKernel", {.start = 10 * i, .duration = 2, .correlation = 5});
        rig.kernel({.start = 10 * i + 5, .duration = 2, .correlation = 5});
    }
    EXPECT_EQ(rig.finish().figure("kernels.eager.count"), kRecords);
}

TEST(GpuFigures, UnionIsOfEachDeviceAndIdleOfBoth) {
    ProfileRig rig;
    rig.kernel({.start = 0, .duration = 100, .device = "0"});
    rig.kernel({.start = 50, .duration = 100, .device = "1"});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("gpu.kernel.union"), 200);
    EXPECT_EQ(built.figure("gpu.devices"), 2);
    EXPECT_EQ(built.figure("span.gpu"), 150);
    EXPECT_EQ(built.figure("gpu.idle"), 100); // 50 before the second begins, 50 after the first
}

TEST(GpuFigures, BusyAddsCopiesAndFillsToKernels) {
    ProfileRig rig;
    rig.kernel({.start = 0, .duration = 10});
    rig.work(EventKind::memory_copy, {.start = 5, .duration = 10});
    rig.work(EventKind::memory_set, {.start = 30, .duration = 2});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("gpu.kernel.union"), 10);
    EXPECT_EQ(built.figure("gpu.busy"), 17);
    EXPECT_EQ(built.figure("gpu.memcpy.sum"), 10);
    EXPECT_EQ(built.figure("gpu.memset.count"), 1);
    EXPECT_EQ(built.figure("span.kernel"), 10);
    EXPECT_EQ(built.figure("span.gpu"), 32);
}

TEST(GpuFigures, DoNotDependOnTheOrderOfRecords) {
    ProfileRig rig;
    rig.kernel({.start = 300, .duration = 10});
    rig.kernel({.start = 100, .duration = 250});
    rig.kernel({.start = 0, .duration = 50});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("gpu.kernel.union"), 300);
    EXPECT_EQ(built.figure("quality.same_stream_overlaps"), 1);
}

TEST(GpuFigures, CountEachKernelThatStartsUnderALongOneOfItsStream) {
    ProfileRig rig;
    rig.kernel({.start = 0, .duration = 600});
    rig.kernel({.start = 100, .duration = 30});
    rig.kernel({.start = 200, .duration = 30});
    rig.kernel({.start = 700, .duration = 0});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("quality.same_stream_overlaps"), 2);
    EXPECT_EQ(built.figure("quality.same_stream_overlap_time"), 60);
    EXPECT_EQ(built.figure("gpu.kernel.count"), 4); // of no length, and still a kernel
}

TEST(GpuFigures, KernelsWithoutATimeAreInNoSpan) {
    ProfileRig rig;
    rig.call("cudaLaunchKernel", {.start = 900, .duration = 5, .correlation = 1});
    rig.kernel({.start = 1000, .duration = 10, .correlation = 2});
    rig.kernel({.start = 0, .duration = 0, .correlation = 1, .has_time = false});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("gpu.kernel.count"), 1);
    EXPECT_EQ(built.figure("gpu.kernel.untimed"), 1);
    EXPECT_EQ(built.figure("span.wall"), 110);
    EXPECT_EQ(built.figure("quality.launches_without_kernel"), 0);
    EXPECT_EQ(built.file.kernels.at(0).launches, 1);
}

TEST(GpuFigures, ReplaysOfUnknownKernelsMakeTheDeviceBusy) {
    ProfileRig rig;
    rig.builder.set_source(ProfileSource::nsys, "Nsight Systems");
    rig.kernel({.start = 0, .duration = 10});
    rig.work(EventKind::graph_replay, {.start = 100, .duration = 95});
    rig.work(EventKind::graph_replay, {.start = 0, .duration = 0, .has_time = false});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("gpu.busy"), 105);
    EXPECT_EQ(built.figure("gpu.kernel.sum"), 10);
    EXPECT_EQ(built.figure("graph_trace.count"), 2);
    EXPECT_EQ(built.figure("graph_trace.untimed"), 1);
    EXPECT_EQ(built.figure("kernels.graph.count"), std::nullopt); // unknown, not 0
    EXPECT_EQ(built.file.kernels.size(), 1U);
}

TEST(GpuFigures, KernelsAreOfALaunchAGraphOrNobody) {
    ProfileRig rig;
    rig.call("cudaLaunchKernel", {.start = 0, .duration = 5, .correlation = 1});
    rig.call("cudaGraphLaunch", {.start = 10, .duration = 5, .correlation = 2});
    rig.kernel({.start = 20, .duration = 1, .correlation = 1});
    rig.kernel({.start = 30, .duration = 2, .correlation = 2});
    rig.kernel({.start = 40, .duration = 4, .correlation = 2});
    rig.kernel({.start = 50, .duration = 8, .correlation = 3});
    rig.kernel({.start = 60, .duration = 16});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("kernels.eager.count"), 1);
    EXPECT_EQ(built.figure("kernels.eager.sum"), 1);
    EXPECT_EQ(built.figure("kernels.graph.count"), 2);
    EXPECT_EQ(built.figure("kernels.graph.sum"), 6);
    EXPECT_EQ(built.figure("kernels.orphan.count"), 2);
    EXPECT_EQ(built.figure("kernels.orphan.sum"), 24);
}

TEST(GpuFigures, CorrelationsAreOfAProcessWhereTheRecorderNamesIt) {
    ProfileRig rig;
    rig.builder.set_source(ProfileSource::nsys, "Nsight Systems");
    rig.call("cudaLaunchKernel", {.start = 0, .duration = 5, .correlation = 1, .process = "100"});
    rig.call("cudaGraphLaunch", {.start = 0, .duration = 5, .correlation = 1, .process = "200"});
    rig.call("cudaGraphLaunch", {.start = 9, .duration = 5, .correlation = 2, .process = "200"});
    rig.kernel({.start = 10, .duration = 1, .correlation = 1, .process = "100"});
    rig.kernel({.start = 10, .duration = 1, .correlation = 1, .device = "1", .process = "200"});
    rig.kernel({.start = 20, .duration = 1, .correlation = 2, .process = "100"});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("kernels.eager.count"), 1);
    EXPECT_EQ(built.figure("kernels.graph.count"), 1);
    EXPECT_EQ(built.figure("kernels.orphan.count"), 1);
    EXPECT_EQ(built.figure("quality.graphs_without_kernels"), 1);
}

TEST(GpuFigures, HugeCorrelationsStayDistinct) {
    constexpr std::uint64_t kHuge =
        9'007'199'254'740'993; // 2^53 + 1: equal to its neighbour as a double
    ProfileRig rig;
    rig.call("cudaLaunchKernel", {.start = 0, .duration = 1, .correlation = kHuge});
    rig.call("cudaGraphLaunch", {.start = 2, .duration = 1, .correlation = kHuge - 1});
    rig.kernel({.start = 5, .duration = 1, .correlation = kHuge});
    rig.kernel({.start = 7, .duration = 1, .correlation = kHuge - 1});
    const auto built = rig.finish();
    EXPECT_EQ(built.figure("kernels.eager.count"), 1);
    EXPECT_EQ(built.figure("kernels.graph.count"), 1);
}

TEST(GpuFigures, CountKernelsThatStartBeforeTheirLaunch) {
    ProfileRig rig;
    rig.call("cudaLaunchKernel", {.start = 100, .duration = 5, .correlation = 1});
    rig.call("cudaLaunchKernel", {.start = 100, .duration = 5, .correlation = 2});
    rig.kernel({.start = 99, .duration = 1, .correlation = 1});
    rig.kernel({.start = 100, .duration = 1, .correlation = 2});
    EXPECT_EQ(rig.finish().figure("quality.kernels_before_launch"), 1);
}

} // namespace
} // namespace kvprof::import
