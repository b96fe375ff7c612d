#include "capture/import/captures.h"
#include "tests/import/kineto_rig.h"
#include "tests/import/nsys_export.h"
#include "tests/import/nsys_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::import {
namespace {

using test::NsysExport;
using test::read_export;
using ::testing::ElementsAre;

std::vector<std::string> ranks_of(const FileProfile& file) {
    std::vector<std::string> ranks;
    for (const ProfileRank& rank : file.profile.ranks) {
        ranks.push_back(rank.rank);
    }
    return ranks;
}

std::int64_t figure_of(const FileProfile& file, std::size_t rank, std::string_view name) {
    return figure(file.profile.ranks.at(rank), name).value_or(-1);
}

TEST(RankNames, AreWhatWritersPutIntoFileNames) {
    EXPECT_EQ(rank_in("run-TP-0-DP-1-PP-0-EP-3.trace.json.gz"), "TP0-DP1-PP0-EP3");
    EXPECT_EQ(rank_in("b300_static_TP1.trace.json.gz"), "TP1");
    EXPECT_EQ(rank_in("decode_rank3.1743521598123456789.pt.trace.json.gz"), "3");
    EXPECT_EQ(rank_in("rank-12.json"), "12");
    EXPECT_EQ(rank_in("VLLM::Worker_TP1"), "TP1");
    EXPECT_EQ(rank_in("h100_tp4.json"), ""); // of how many, not which
    EXPECT_EQ(rank_in("step1.json"), "");
}

TEST(RankNames, AFileNameSaysTheRankWhereTheProfileDoesNot) {
    const test::WrittenFile silent(trace_of(kKernel), "decode_rank3.json");
    EXPECT_THAT(ranks_of(read_profile(silent.path(), {})), ElementsAre("3"));
    const test::WrittenFile own(
        trace_of(kKernel, R"("distributedInfo": {"rank": 5},)"), "decode_rank3.json"
    );
    EXPECT_THAT(ranks_of(read_profile(own.path(), {})), ElementsAre("5"));
    const test::WrittenFile neither(trace_of(kKernel), "decode.json");
    EXPECT_THAT(ranks_of(read_profile(neither.path(), {})), ElementsAre(""));
}

TEST(RankNames, ProcessesOfAnExportThatDidGpuWorkAreRanksInOrderOfPid) {
    NsysExport file;
    for (const std::int64_t pid : {900, 1000}) { // as texts, they are the other way round
        file.call(
            {.name = "cudaLaunchKernel", .start = pid, .end = pid + 5, .correlation = 1, .pid = pid}
        );
        file.kernel({.start = pid + 20, .end = pid + 30, .correlation = 1, .pid = pid});
    }
    file.kernel({.start = 1040, .end = 1050, .correlation = 2, .pid = 1000});
    file.call({.name = "cudaGetDeviceCount", .start = 910, .end = 920, .correlation = 3, .pid = 950}
    );
    const FileProfile read = read_export(file.close());
    EXPECT_THAT(ranks_of(read), ElementsAre("0", "1"));
    EXPECT_EQ(figure_of(read, 0, "gpu.kernel.count"), 1);
    EXPECT_EQ(figure_of(read, 1, "gpu.kernel.count"), 2);
    EXPECT_EQ(figure_of(read, 0, "api.calls"), 2); // with those of a process without GPU work
    EXPECT_EQ(figure_of(read, 1, "api.calls"), 1);
    EXPECT_EQ(figure_of(read, 0, "kernels.eager.count"), 1);
    EXPECT_EQ(figure_of(read, 1, "kernels.eager.count"), 1); // their correlations are their own
}

TEST(RankNames, SpansOfAnExportsRanksAreThoseOfTheExport) {
    NsysExport file;
    file.kernel({.start = 100, .end = 110, .correlation = 1, .pid = 1});
    file.kernel({.start = 150, .end = 170, .correlation = 1, .pid = 2});
    const FileProfile read = read_export(file.close());
    for (const std::size_t rank : {0U, 1U}) {
        EXPECT_EQ(figure_of(read, rank, "span.wall"), 70);
        EXPECT_EQ(figure_of(read, rank, "span.gpu"), 70);
        EXPECT_EQ(figure_of(read, rank, "span.kernel"), 70);
    }
    EXPECT_EQ(figure_of(read, 0, "gpu.idle"), 60);
}

TEST(RankNames, OneProcessIsOneRankWithoutAName) {
    NsysExport file;
    file.call({.name = "cudaInit", .correlation = 2, .pid = 50});
    file.kernel({.pid = 100});
    file.kernel({.pid = 100, .device = 1});
    EXPECT_THAT(ranks_of(read_export(file.close())), ElementsAre(""));
}

TEST(RankNames, ProcessesThatNameTheirRankEachAreCalledSo) {
    for (const bool are_distinct : {true, false}) {
        NsysExport file;
        file.kernel({.pid = 100});
        file.kernel({.pid = 200});
        file.run("CREATE TABLE PROCESSES(globalPid, pid, name)");
        const auto process = [&](std::int64_t pid, const std::string& name) {
            file.run(
                "INSERT INTO PROCESSES VALUES(" + std::to_string(NsysExport::global(pid)) + ", "
                + std::to_string(pid) + ", '" + name + "')"
            );
        };
        process(100, "VLLM::Worker_TP1");
        process(200, are_distinct ? "VLLM::Worker_TP0" : "VLLM::Worker_TP1");
        const std::vector<std::string> ranks = ranks_of(read_export(file.close()));
        EXPECT_THAT(ranks, are_distinct ? ElementsAre("TP0", "TP1") : ElementsAre("0", "1"));
    }
}

} // namespace
} // namespace kvprof::import
