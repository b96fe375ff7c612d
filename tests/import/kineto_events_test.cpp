#include "tests/import/kineto_rig.h"

#include <gmock/gmock.h>

namespace kvprof::import {
namespace {

using testing::ElementsAre;

/// A complete event; `rest` goes on behind the category: R"("name": "k", "ts": 1, "dur": 2)".
std::string event(std::string_view category, std::string_view rest) {
    std::string text = R"({"ph": "X", "cat": ")";
    text += category;
    text += R"(", )";
    text += rest;
    return text + "}";
}

TEST(KinetoEvents, CountsWorkByCategoryAndNothingElse) {
    const std::string where = R"("name": "n", "pid": 1, "tid": 1, "ts": 100, "dur": 10)";
    std::string events = event("kernel", where);
    for (const char* other :
         {"gpu_memcpy",
          "gpu_memset",
          "cuda_runtime",
          "cuda_driver",
          "cpu_op",
          "user_annotation",
          "gpu_user_annotation",
          "python_function",
          "Trace",
          "overhead",
          "cuda_sync",
          "cuda_profiler_range",
          "ac2g",
          "something new"}) {
        events += "," + event(other, where);
    }
    events += R"(,{"ph": "s", "id": 1, "ts": 1, "cat": "kernel", "name": "n", "pid": 1, "tid": 1})";
    events += R"(,{"ph": "i", "s": "g", "name": "Record Window End", "ts": 9999999})";
    events += R"(,{"ph": "M", "name": "process_name", "args": {"name": "python"}})";
    const FileProfile read = read_text(trace_of(events));
    EXPECT_EQ(figure(read, "gpu.kernel.count"), 1);
    EXPECT_EQ(figure(read, "gpu.memcpy.count"), 1);
    EXPECT_EQ(figure(read, "gpu.memset.count"), 1);
    EXPECT_EQ(figure(read, "api.calls"), 2);
    EXPECT_EQ(figure(read, "cpu_op.count"), 1);
    EXPECT_EQ(figure(read, "span.wall"), 10'000);
    EXPECT_EQ(figure(read, "quality.rejected"), 0);
}

TEST(KinetoEvents, ReadsMembersInAnyOrderAndTheirEscapedNames) {
    const FileProfile read = read_text(trace_of(
        R"({"args": {"device": 0, "correlation": 4}, "tid": 7, "dur": 5, "name": "k",
            "cat": "kernel", "ts": 1, "pid": 0, "ph": "X"},
           {"\u0070h": "X", "c\u0061t": "kernel", "name": "k", "ts": 9, "d\u0075r": 2})"
    ));
    EXPECT_EQ(figure(read, "gpu.kernel.count"), 2);
    EXPECT_EQ(figure(read, "gpu.kernel.sum"), 7'000);
}

TEST(KinetoEvents, JoinsByCorrelationsThatADoubleWouldMerge) {
    const FileProfile read = read_text(trace_of(
        event(
            "cuda_runtime",
            R"("name": "cudaLaunchKernel", "pid": "9", "tid": 1, "ts": 1, "dur": 1,
                 "args": {"correlation": 9007199254740992})"
        )
        + ","
        + event(
            "cuda_runtime",
            R"("name": "cudaGraphLaunch", "pid": 9, "tid": "1", "ts": 2, "dur": 1,
                 "args": {"correlation": "9007199254740993"})"
        )
        + ","
        + event(
            "kernel",
            R"("name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 3,
                 "args": {"correlation": 9007199254740993, "graph node id": 18446744073709551615})"
        )
    ));
    EXPECT_EQ(figure(read, "kernels.graph.count"), 1);
    EXPECT_EQ(figure(read, "kernels.eager.count"), 0);
    EXPECT_EQ(figure(read, "quality.launches_without_kernel"), 1);
    EXPECT_EQ(capability(read, "graph-nodes"), Capability::carried);
}

TEST(KinetoEvents, NamesCallsWithoutVersionsAndStreamKinds) {
    const std::string call = R"("pid": 1, "tid": 1, "ts": 1, "dur": 1, "name": )";
    const FileProfile read = read_text(trace_of(
        event("cuda_runtime", call + R"("cudaGraphLaunch_ptsz_v10000")") + ","
        + event("cuda_runtime", call + R"("cudaGraphLaunch")") + ","
        + event("cuda_driver", call + R"("cuMemcpyHtoDAsync_v2")")
    ));
    ASSERT_EQ(read.calls.size(), 2U);
    EXPECT_EQ(read.calls[0].call, "cudaGraphLaunch");
    EXPECT_EQ(read.calls[0].calls, 2);
    EXPECT_EQ(read.calls[1].call, "cuMemcpyHtoDAsync_v2");
}

TEST(KinetoEvents, ReadsTheDialectOf2020) {
    const FileProfile read = read_text(
        "["
        + event("Operator", R"("name": "ProfilerStep#5", "pid": 1, "tid": "9", "ts": 0, "dur": 90)")
        + "," + event("Operator", R"("name": "aten::mm", "pid": 1, "tid": "9", "ts": 1, "dur": 20)")
        + ","
        + event("Runtime", R"("name": "cudaLaunchKernel", "pid": 1, "tid": "9", "ts": 2, "dur": 3,
                                    "args": {"correlation": 1})")
        + "," + event("Kernel", R"("name": "k", "pid": 0, "tid": "stream 7", "ts": 9, "dur": 4,
                                   "args": {"correlation": 1})")
        + "," + event("Kernel", R"("name": "k", "pid": 0, "tid": 7, "ts": 11, "dur": 4,
                                   "args": {"device": 0, "stream": 7, "correlation": 1})")
        + "," + event("Memcpy", R"("name": "m", "pid": 0, "tid": "stream 7", "ts": 30, "dur": 1)")
        + "," + event("Memset", R"("name": "m", "pid": 0, "tid": "stream 7", "ts": 40, "dur": 1)")
        + "]"
    );
    EXPECT_EQ(figure(read, "gpu.kernel.count"), 2);
    EXPECT_EQ(figure(read, "gpu.memcpy.count"), 1);
    EXPECT_EQ(figure(read, "gpu.memset.count"), 1);
    EXPECT_EQ(figure(read, "cpu_op.count"), 2); // a step was an operator too
    EXPECT_EQ(figure(read, "steps.count"), 1);
    EXPECT_EQ(figure(read, "quality.same_stream_overlaps"), 1); // "stream 7" is stream 7
}

TEST(KinetoEvents, RejectsTimesThatAreNone) {
    const auto rejected = [](std::string_view times) {
        const FileProfile read = read_text(trace_of(event("kernel", times) + "," + kKernel));
        EXPECT_EQ(figure(read, "gpu.kernel.count"), 1) << times;
        EXPECT_EQ(figure(read, "quality.rejected"), 1) << times;
        return read;
    };
    EXPECT_EQ(warned(rejected(R"("ts": 1, "dur": NaN)"), "non-finite-time"), 1);
    EXPECT_EQ(warned(rejected(R"("ts": -Infinity, "dur": 1)"), "non-finite-time"), 1);
    EXPECT_EQ(warned(rejected(R"("ts": "inf", "dur": 1)"), "non-finite-time"), 1);
    EXPECT_EQ(warned(rejected(R"("dur": 1)"), "rejected-events"), 1);
    EXPECT_EQ(warned(rejected(R"("ts": 1, "dur": {})"), "rejected-events"), 1);
    EXPECT_EQ(warned(rejected(R"("ts": null, "dur": 1)"), "rejected-events"), 1);
    EXPECT_EQ(warned(rejected(R"("ts": 1e15, "dur": 1, "ts": 9e15)"), "rejected-events"), 1);
    EXPECT_EQ(warned(rejected(R"("ts": 1, "dur": -0.001)"), "negative-duration"), 1);
    EXPECT_EQ(warned(rejected(R"("ts": 1, "dur": 604800000000.001)"), "absurd-duration"), 1);
    EXPECT_EQ(warned(rejected(R"("ts": 1, "dur": 1e99)"), "absurd-duration"), 1);
}

TEST(KinetoEvents, RejectsElementsThatAreNoEvents) {
    const FileProfile read =
        read_text(trace_of(R"(42, null, [], "x", {"ph": "X"}, {}, )" + kKernel));
    EXPECT_EQ(warned(read, "rejected-events"), 6);
    EXPECT_EQ(figure(read, "gpu.kernel.count"), 1);
}

TEST(KinetoEvents, KeepsWorkThatLacksNamesAndPlaces) {
    const FileProfile read = read_text(trace_of(event("kernel", R"("ts": 1, "dur": 2)")));
    EXPECT_EQ(figure(read, "gpu.kernel.count"), 1);
    EXPECT_THAT(kernel_names(read), ElementsAre("?"));
}

TEST(KinetoEvents, LeavesBeginAndEndEventsOutAndSaysSo) {
    const FileProfile read = read_text(trace_of(
        R"({"ph": "B", "cat": "cpu_op", "name": "n", "pid": 1, "tid": 1, "ts": 1},
           {"cat": "cpu_op", "name": "n", "pid": 1, "tid": 1, "ts": 2, "ph": "E"},)"
        + kKernel
    ));
    EXPECT_EQ(warned(read, "begin-end-events"), 2);
    EXPECT_EQ(figure(read, "cpu_op.count").value_or(0), 0);
}

TEST(KinetoEvents, DecodesNamesAndCountsWhatItRepaired) {
    const FileProfile read = read_text(trace_of(
        kernel_named(R"("a\/b\u00e9")") + "," + kernel_named("\"bad\xff\"") + ","
        + kernel_named("\"ctl\x01\"") + "," + kernel_named(R"("C:\Users")") + ","
        + kernel_named(R"("")")
    ));
    EXPECT_THAT(
        kernel_names(read), ElementsAre("", R"(C:\Users)", "a/b\u00e9", "bad\uFFFD", "ctl\x01")
    );
    EXPECT_EQ(warned(read, "invalid-utf8"), 1);
    EXPECT_EQ(warned(read, "control-characters"), 1);
    EXPECT_EQ(warned(read, "unknown-escapes"), 1);
}

TEST(KinetoEvents, FindsTheRanksOfMergedFiles) {
    std::string events = R"({"ph": "M", "name": "process_name"})";
    for (const char* rank : {"TP00", "TP01"}) {
        const std::string pid = std::string(R"("pid": "[)") + rank + "] ";
        events += "," + event("cuda_runtime", pid + R"(100", "tid": 1, "name": "cudaLaunchKernel",
                              "ts": 1, "dur": 1, "args": {"correlation": 1})");
        events += "," + event("kernel", pid + R"(0", "tid": 7, "name": "k", "ts": 5, "dur": 40,
                              "args": {"device": 0, "stream": 7, "correlation": 1})");
    }
    const FileProfile read = read_text(trace_of(events));
    ASSERT_EQ(read.profile.ranks.size(), 2U);
    EXPECT_EQ(read.profile.ranks[0].rank, "TP00");
    EXPECT_EQ(read.profile.ranks[1].rank, "TP01");
    for (const ProfileRank& rank : read.profile.ranks) {
        EXPECT_EQ(figure(rank, "kernels.eager.count"), 1);
    }
}

} // namespace
} // namespace kvprof::import
