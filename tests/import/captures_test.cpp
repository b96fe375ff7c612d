#include "capture/import/captures.h"

#include "capture/model/error.h"
#include "tests/import/profile_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::import {
namespace {

using test::ProfileRig;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

FileProfile profile_of(const std::string& rank, std::int64_t launches = 1) {
    FileProfile file;
    ProfileRank& only = file.profile.ranks.emplace_back();
    only.rank = rank;
    only.file = "rank" + rank + ".json";
    only.gpu = "NVIDIA H200";
    KernelStat kernel;
    kernel.name = "gemm";
    kernel.launches = launches;
    kernel.time = std::chrono::nanoseconds{100 * launches};
    kernel.shortest = std::chrono::nanoseconds{90 + launches};
    kernel.longest = std::chrono::nanoseconds{100 + launches};
    file.kernels.push_back(kernel);
    file.calls.push_back(
        {.call = "cudaLaunchKernel", .kind = ApiKind::kernel_launch, .calls = launches}
    );
    return file;
}

TEST(Captures, AStemIsANameWithoutEndingRankAndMoment) {
    EXPECT_EQ(stem_of("x/b300_static_TP0.trace.json.gz"), "b300_static");
    EXPECT_EQ(stem_of("run-TP-0-DP-0-PP-0-EP-0.json"), "run");
    EXPECT_EQ(stem_of("decode_rank3.1743521598123456789.pt.trace.json.gz"), "decode");
    EXPECT_EQ(stem_of("h200-eager.json.gz"), "h200-eager");
    EXPECT_EQ(stem_of("profile.sqlite"), "profile");
    EXPECT_EQ(stem_of("step1.json"), "step1");       // "ep1" is no rank
    EXPECT_EQ(stem_of("h100_tp4.json"), "h100_tp4"); // of how many, not which
    EXPECT_EQ(stem_of("rank0.json"), "rank0");       // nothing else is left
}

TEST(Captures, TheRecordsOfARankFileAreOfItsRankInTheRun) {
    std::vector<FileProfile> files{profile_of("0"), profile_of("1")};
    for (FileProfile& file : files) {
        file.events.emplace_back();
    }
    const kvprof::Run run = run_of(std::move(files));
    ASSERT_THAT(run.events, SizeIs(2));
    EXPECT_EQ(run.events[0].rank, 0);
    EXPECT_EQ(run.events[1].rank, 1);
}

TEST(Captures, CountsAreOfAllStepsOfTheWindowSkippedOnesToo) {
    std::vector<FileProfile> files{profile_of("0"), profile_of("1")};
    for (FileProfile& file : files) {
        file.profile.ranks.front().steps.resize(21);
        file.profile.ranks.front().figures.push_back({"steps.skipped", 3});
    }
    for (const PassResult& pass : run_of(std::move(files)).passes) {
        EXPECT_EQ(pass.steps, 48) << to_string(pass.pass);
    }
}

TEST(Captures, FilesThatDifferInTheirRankAloneAreOneCaptureInTheOrderOfRanks) {
    const std::vector<FileProfile> profiles{profile_of("10"), profile_of("2"), profile_of("0")};
    const auto captures =
        captures_of({"a_rank10.json", "a_rank2.json", "b_rank0.json"}, profiles, false);
    ASSERT_THAT(captures, SizeIs(2));
    EXPECT_EQ(captures[0].name, "a");
    EXPECT_THAT(captures[0].files, ElementsAre(1, 0));
    EXPECT_EQ(captures[1].name, "b");
}

TEST(Captures, ElevenRanksStandInTheOrderOfTheirNumbersInFilesAndInAFile) {
    std::vector<std::filesystem::path> files;
    std::vector<FileProfile> profiles;
    ProfileRig rig;
    std::vector<std::string> expected;
    for (int rank = 10; rank >= 0; --rank) {
        const std::string name = "TP" + std::to_string(rank);
        files.push_back("a_" + name + ".json");
        profiles.push_back(profile_of(name));
        rig.builder.set_rank_of(rig.id(name), name);
        rig.kernel({.start = 10, .duration = 5, .process = name});
        expected.insert(expected.begin(), name);
    }
    const auto captures = captures_of(files, profiles, false);
    ASSERT_THAT(captures, SizeIs(1));
    EXPECT_THAT(captures[0].files, ElementsAre(10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    std::vector<std::string> found;
    for (const ProfileRank& rank : rig.finish().file.profile.ranks) {
        found.push_back(rank.rank);
    }
    EXPECT_EQ(found, expected);
}

TEST(Captures, FilesOfOneSideWithARankEachAreOneCaptureAndOthersAreSeveral) {
    const std::vector<FileProfile> ranks{profile_of("1"), profile_of("0")};
    EXPECT_THAT(captures_of({"x.json", "y.json"}, ranks, true), SizeIs(1));
    EXPECT_THAT(captures_of({"x.json", "y.json"}, ranks, true)[0].files, ElementsAre(1, 0));
    EXPECT_THAT(captures_of({"x.json", "y.json"}, ranks, false), SizeIs(2));
    EXPECT_THAT(captures_of({"a_rank1.json", "b_rank0.json"}, ranks, true), SizeIs(1));
    const std::vector<FileProfile> repeats{profile_of("0"), profile_of("0")};
    EXPECT_THAT(captures_of({"x.json", "y.json"}, repeats, true), SizeIs(2));
    const std::vector<FileProfile> unknown{profile_of(""), profile_of("")};
    EXPECT_THAT(captures_of({"x.json", "y.json"}, unknown, true), SizeIs(2));
}

TEST(Captures, FilesOfOneNameThatSayNoRankAreNoRanksOfEachOther) {
    const std::vector<FileProfile> unknown{profile_of(""), profile_of("")};
    const std::vector<std::filesystem::path> days{"day1/trace.json", "day2/trace.json"};
    for (const bool is_one_side : {false, true}) {
        const auto captures = captures_of(days, unknown, is_one_side);
        ASSERT_THAT(captures, SizeIs(2));
        EXPECT_THAT(captures[0].files, ElementsAre(0));
        EXPECT_THAT(captures[1].files, ElementsAre(1));
        EXPECT_EQ(captures[1].name, "trace");
    }
}

TEST(RunOf, NamesEachWayOfFindingStepsOnce) {
    std::vector<FileProfile> files{profile_of("0"), profile_of("1"), profile_of("2")};
    files[0].profile.step_rule = "annotation step[]";
    files[1].profile.step_rule = "annotation ProfilerStep";
    files[2].profile.step_rule = "annotation ProfilerStep";
    EXPECT_EQ(
        run_of(std::move(files)).profile->step_rule, "annotation step[]; annotation ProfilerStep"
    );
}

TEST(RunOf, RanksStandSideBySideAndKernelsAndCallsAddUpByName) {
    std::vector<FileProfile> files{profile_of("0", 3), profile_of("1", 5)};
    files[0].profile.ranks[0].steps.resize(2);
    files[1].profile.ranks[0].steps.resize(2);
    const kvprof::Run run = run_of(std::move(files));
    ASSERT_TRUE(run.profile.has_value());
    EXPECT_THAT(run.profile->ranks, SizeIs(2));
    ASSERT_THAT(run.kernels, SizeIs(1));
    EXPECT_EQ(run.kernels[0].launches, 8);
    EXPECT_EQ(run.kernels[0].time.count(), 800);
    EXPECT_EQ(run.kernels[0].shortest.count(), 93);
    EXPECT_EQ(run.kernels[0].longest.count(), 105);
    ASSERT_THAT(run.calls, SizeIs(1));
    EXPECT_EQ(run.calls[0].calls, 8);
    ASSERT_THAT(run.passes, SizeIs(2));
    EXPECT_EQ(run.passes[0].steps, 4); // a step of a rank each
    EXPECT_EQ(run.environment.executor, "imported");
    EXPECT_EQ(run.environment.device_name, "NVIDIA H200");
}

TEST(RunOf, ACaptureWithoutStepsIsOneStepAndSaysSo) {
    std::vector<FileProfile> files;
    files.push_back(profile_of("0"));
    const kvprof::Run run = run_of(std::move(files));
    EXPECT_EQ(run.passes[0].steps, 1);
    EXPECT_THAT(run.notes, ElementsAre(HasSubstr("no steps were found")));
}

TEST(RunOf, TheSameRankTwiceAndTwoSourcesAreRefusedByName) {
    const auto refusal = [](std::vector<FileProfile> files) {
        try {
            static_cast<void>(run_of(std::move(files)));
        } catch (const BadDataError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_THAT(refusal({profile_of("0"), profile_of("0")}), HasSubstr("both are of rank 0"));
    std::vector<FileProfile> mixed{profile_of("0"), profile_of("1")};
    mixed[1].profile.source = ProfileSource::nsys;
    EXPECT_THAT(refusal(std::move(mixed)), HasSubstr("one is of kineto, the other of nsys"));
    EXPECT_EQ(refusal({profile_of(""), profile_of("")}), "accepted"); // nobody says which
}

} // namespace
} // namespace kvprof::import
