#include "tests/import/nsys_export.h"
#include "tests/import/nsys_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kvprof::import {
namespace {

using test::capability;
using test::figure;
using test::NsysExport;
using test::read_export;
using test::warned;

std::string global(std::int64_t pid) {
    return std::to_string(NsysExport::global(pid));
}

/// A table of replays with rows of (start, end) on the launch of that correlation.
constexpr const char* kReplays =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start INTEGER, end INTEGER, deviceId INTEGER, "
    "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, graphExecId INTEGER)";

constexpr const char* kRanges =
    "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, "
    "globalTid INTEGER, textId INTEGER)";

TEST(NsysEvents, ASecondRowOfACallForItsBacktraceIsNoCall) {
    NsysExport file;
    file.call({.name = "cudaLaunchKernel", .event_class = 67});
    file.call({.name = "cudaLaunchKernel_v7000", .event_class = 0});
    file.call({.name = "cuLaunchKernel", .correlation = 2, .event_class = 1}); // the driver's
    EXPECT_EQ(figure(read_export(file.close()), "api.calls"), 2);
}

TEST(NsysEvents, KernelsFindTheirLaunchWithinTheirProcess) {
    NsysExport file;
    file.call({.name = "cudaLaunchKernel_v7000", .correlation = 1, .pid = 100});
    file.call({.name = "cudaGraphLaunch_ptsz_v10000", .correlation = 1, .pid = 200});
    file.kernel({.start = 20, .end = 25, .correlation = 1, .pid = 100});
    file.kernel({.start = 30, .end = 37, .correlation = 1, .pid = 200, .node = 8});
    file.kernel({.start = 40, .end = 49, .correlation = 1, .pid = 300});
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(figure(read, "kernels.eager.sum", 0), 5);
    EXPECT_EQ(figure(read, "kernels.graph.sum", 1), 7);
    EXPECT_EQ(figure(read, "kernels.orphan.sum", 2), 9);
    EXPECT_EQ(figure(read, "api.graph_launch", 1), 1);
}

TEST(NsysEvents, GlobalIdsAreUnsigned) {
    NsysExport file;
    file.call({.correlation = 1, .pid = 100});
    file.kernel({.correlation = 1, .pid = 100});
    // The machine's bits may set the sign.
    file.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = globalPid | (1 << 63)");
    EXPECT_EQ(figure(read_export(file.close()), "kernels.orphan.count"), 0);
}

TEST(NsysEvents, KernelsWithoutAProcessTakeTheOnlyOneThatMadeCalls) {
    NsysExport file;
    file.call({.correlation = 1});
    file.kernel({.correlation = 1});
    file.run("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN globalPid");
    EXPECT_EQ(figure(read_export(file.close()), "kernels.eager.count"), 1);
}

TEST(NsysEvents, KernelsWithoutAProcessAreOrphansWhereTwoMadeCalls) {
    NsysExport file;
    file.call({.correlation = 1, .pid = 100});
    file.call({.correlation = 1, .pid = 200});
    file.kernel({.correlation = 1});
    file.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = NULL");
    EXPECT_EQ(figure(read_export(file.close()), "kernels.orphan.count"), 1);
}

TEST(NsysEvents, KernelsWithoutACorrelationAreOrphans) {
    NsysExport file;
    file.call({.correlation = 0});
    file.kernel({.correlation = 0});
    file.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = NULL");
    EXPECT_EQ(figure(read_export(file.close()), "kernels.orphan.count"), 1);
}

TEST(NsysEvents, TwoProcessesMayBothUseADevice0) {
    NsysExport file;
    file.kernel({.start = 0, .end = 10, .pid = 100});
    file.kernel({.start = 0, .end = 10, .pid = 200});
    const FileProfile read = read_export(file.close());
    for (const std::size_t rank : {0U, 1U}) {
        EXPECT_EQ(figure(read, "gpu.devices", rank), 1);
        EXPECT_EQ(figure(read, "gpu.kernel.union", rank), 10);
    }
}

TEST(NsysEvents, OneProcessMayKnowOneGpuByTwoNumbers) {
    NsysExport file;
    file.kernel({.start = 0, .end = 10, .pid = 100, .device = 0});
    file.kernel({.start = 5, .end = 15, .pid = 100, .device = 1});
    file.run("CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId, cudaId, pid)");
    file.run("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES(3, 0, 100), (3, 1, 100)");
    file.run("CREATE TABLE TARGET_INFO_GPU(id, name)");
    file.run("INSERT INTO TARGET_INFO_GPU VALUES(0, 'NVIDIA A100'), (3, 'NVIDIA H200')");
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(figure(read, "gpu.devices"), 1);
    EXPECT_EQ(figure(read, "gpu.kernel.union"), 15);
    EXPECT_EQ(read.profile.ranks.at(0).gpu, "NVIDIA H200");
}

TEST(NsysEvents, TheGpuHasNoNameWhereItMayHaveBeenEither) {
    NsysExport file;
    file.kernel({});
    file.run("CREATE TABLE TARGET_INFO_GPU(id, name)");
    file.run("INSERT INTO TARGET_INFO_GPU VALUES(0, 'NVIDIA A100'), (1, 'NVIDIA H200')");
    EXPECT_EQ(read_export(file.close()).profile.ranks.at(0).gpu, "");
}

TEST(NsysEvents, ARowWithAValueOfAWrongTypeIsRejectedAlone) {
    NsysExport file;
    file.run(R"(
        DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL;
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, correlationId, demangledName);
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
            (10, 20, 1, 1), ('10', 20, 1, 1), (10, 20.5, 1, 1), (10, NULL, 1, 1), (10, 20, x'00', 1),
            (10, 20, 1, 'gemm'), (-9223372036854775808, 9223372036854775807, 1, 1);
    )");
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(figure(read, "gpu.kernel.count"), 1);
    EXPECT_EQ(figure(read, "gpu.kernel.sum"), 10);
    EXPECT_EQ(figure(read, "quality.rejected"), 6);
}

TEST(NsysEvents, TimesThatCanNotBeAreRejectedByReason) {
    NsysExport file;
    constexpr std::int64_t kWeek = std::int64_t{7} * 24 * 3600 * 1'000'000'000;
    file.kernel({.start = 30, .end = 25});
    file.kernel({.start = 30, .end = 31 + kWeek});
    file.kernel({.start = 30, .end = 30 + kWeek});
    file.kernel({.start = 0, .end = 0});
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(warned(read, "negative-duration"), 1);
    EXPECT_EQ(warned(read, "absurd-duration"), 1);
    EXPECT_EQ(figure(read, "gpu.kernel.untimed"), 1);
    EXPECT_EQ(figure(read, "gpu.kernel.sum"), kWeek);
}

TEST(NsysEvents, CopiesAndFillsAreGpuWork) {
    NsysExport file;
    file.run(R"(
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, copyKind INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(10, 14, 1), (20, 25, 2), (30, 36, 99);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INTEGER, end INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(40, 47);
    )");
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(figure(read, "gpu.memcpy.sum"), 15);
    EXPECT_EQ(figure(read, "gpu.memset.sum"), 7);
    EXPECT_EQ(figure(read, "gpu.busy"), 22);
    std::vector<std::string> names;
    for (const KernelStat& kernel : read.kernels) {
        names.push_back(kernel.name);
    }
    EXPECT_THAT(
        names, testing::UnorderedElementsAre("Memcpy HtoD", "Memcpy DtoH", "Memcpy", "Memset")
    );
}

TEST(NsysEvents, AReplayAsOneRowIsBusyTimeWithoutKernels) {
    NsysExport file;
    file.call({.name = "cudaGraphLaunch_v10000", .start = 0, .end = 10, .correlation = 1});
    file.kernel({.start = 500, .end = 510, .correlation = 9});
    file.run(kReplays);
    file.run(
        "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES(100, 195, 0, 7, 1, " + global(100)
        + ", 9), (0, 0, 0, 7, 999, " + global(100) + ", 9)"
    );
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(figure(read, "graph_trace.count"), 2);
    EXPECT_EQ(figure(read, "graph_trace.sum"), 95);
    EXPECT_EQ(figure(read, "graph_trace.untimed"), 1);
    EXPECT_EQ(figure(read, "gpu.kernel.count"), 1);
    EXPECT_EQ(figure(read, "gpu.busy"), 105);
    EXPECT_EQ(capability(read, "graph-kernels"), Capability::absent);
    EXPECT_EQ(warned(read, "graph-level-trace"), 2);
    EXPECT_EQ(warned(read, "graph-without-timestamp"), 1);
}

TEST(NsysEvents, StepsAreRangesThatWereClosed) {
    NsysExport file;
    const auto named = std::to_string(file.text("step[DECODE bs=8]"));
    file.run(kRanges);
    const std::string thread = std::to_string(NsysExport::global(100, 100));
    file.run(
        "INSERT INTO NVTX_EVENTS VALUES(0, 100, 59, 'step[DECODE bs=7]', " + thread
        + ", NULL),"
          "(200, 300, 59, NULL, "
        + thread + ", " + named
        + "),"
          "(400, NULL, 59, 'step[DECODE bs=9]', "
        + thread
        + ", NULL),"
          "(500, 600, 34, 'step[DECODE bs=6]', "
        + thread
        + ", NULL),"
          "(10, 20, 59, 'aten::mul, op_id = 1', "
        + thread + ", NULL)"
    );
    for (std::int64_t start : {10, 210}) {
        file.call({.start = start, .end = start + 5, .correlation = start});
        file.kernel({.start = start + 500, .end = start + 510, .correlation = start});
    }
    const FileProfile read = read_export(file.close());
    ASSERT_EQ(read.profile.ranks.at(0).steps.size(), 2U);
    EXPECT_EQ(read.profile.ranks.at(0).steps.at(0).name, "step[DECODE bs=7]");
    EXPECT_EQ(read.profile.ranks.at(0).steps.at(1).name, "step[DECODE bs=8]");
    EXPECT_EQ(read.profile.ranks.at(0).steps.at(1).kernels, 1);
}

TEST(NsysEvents, RangesOfAPatternOfTheUserAreSteps) {
    NsysExport file;
    file.kernel({});
    file.call({});
    file.run(kRanges);
    file.run(
        "INSERT INTO NVTX_EVENTS VALUES(0, 100, 59, 'my step 1', "
        + std::to_string(NsysExport::global(100, 100)) + ", NULL)"
    );
    ReadOptions options;
    options.steps = StepRule::annotation;
    options.step_pattern = "my step";
    const FileProfile read = read_export(file.close(), options);
    ASSERT_EQ(read.profile.ranks.at(0).steps.size(), 1U);
    EXPECT_EQ(read.profile.ranks.at(0).steps.at(0).name, "my step 1");

    options.step_pattern = "foo";
    const FileProfile none = read_export(file.close(), options);
    EXPECT_EQ(none.profile.step_rule, "none");
    EXPECT_EQ(none.ranges, 1); // which a refusal says
}

} // namespace
} // namespace kvprof::import
