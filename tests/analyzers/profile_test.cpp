#include "analyzers/compare.h"
#include "analyzers/limits.h"
#include "analyzers/metrics_of.h"
#include "analyzers/profile_checks.h"
#include "analyzers/profile_sections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace kvprof::analyzers {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ProfileRank rank_of(const std::string& name, std::int64_t launches, std::int64_t wall) {
    ProfileRank rank;
    rank.rank = name;
    rank.file = name + ".json";
    rank.figures = {
        {"gpu.kernel.sum", launches * 1000},
        {"gpu.kernel.count", launches},
        {"span.wall", wall},
        {"api.launch", launches},
        {"cpu_op.top", 500}};
    rank.steps.resize(2);
    return rank;
}

/// Two ranks, two steps each.
Run imported(std::int64_t launches, std::int64_t wall = 9000) {
    Run run;
    run.profile.emplace();
    run.profile->writer = "Kineto";
    run.profile->step_rule = "annotation step[]";
    run.profile->ranks = {rank_of("0", launches, wall), rank_of("1", launches, wall - 1000)};
    run.environment.executor = "imported";
    run.environment.device_name = "NVIDIA H200";
    run.calls = {
        {.call = "cudaLaunchKernel", .kind = ApiKind::kernel_launch, .calls = 2 * launches}};
    return run;
}

Side side_with(std::vector<Run> runs) {
    return side_of("side", runs);
}

double value_of(const kvprof::Run& run, const std::string& id) {
    for (const Series& series : metrics_of(run)) {
        if (series.id == id) {
            return series.values.front();
        }
    }
    return -1.0;
}

std::string cell(const Section& section, const std::string& row, std::size_t column) {
    for (const auto& cells : section.table->rows()) {
        if (cells.front().text == row) {
            return cells.at(column).text;
        }
    }
    return "(no such row)";
}

TEST(ProfileMetrics, WorkAddsUpOverRanksAndTheLongestSpanIsThatOfAll) {
    const kvprof::Run run = imported(12);
    EXPECT_EQ(value_of(run, "api.launch"), 24.0);
    EXPECT_EQ(value_of(run, "gpu.kernel.sum"), 24000.0);
    EXPECT_EQ(value_of(run, "span.wall"), 9000.0);
    EXPECT_EQ(value_of(run, "api.cudaLaunchKernel"), 24.0);
    EXPECT_EQ(value_of(run, "api.sync"), -1.0); // what a profile does not carry is missing, not 0
    EXPECT_EQ(value_of(run, "step.gpu_time"), -1.0);
}

TEST(ProfileComparison, CountsDecideAndATimeOfOneCaptureDoesNot) {
    const Comparison comparison = compare(side_with({imported(10)}), side_with({imported(12)}));
    const auto verdict_of = [&](const std::string& id) {
        const auto found =
            std::find_if(comparison.deltas.begin(), comparison.deltas.end(), [&](const Delta& row) {
                return row.id == id;
            });
        return found == comparison.deltas.end() ? std::nullopt : found->verdict;
    };
    EXPECT_EQ(verdict_of("api.launch"), Verdict::regressed);
    EXPECT_EQ(verdict_of("gpu.kernel.sum"), Verdict::inconclusive);
    EXPECT_EQ(verdict_of("span.wall"), Verdict::inconclusive);
    EXPECT_EQ(comparison.verdict, Verdict::regressed);
}

TEST(ProfileComparison, EqualCountsOfSeveralCapturesAreTheSame) {
    const std::vector<kvprof::Run> runs{
        imported(10),
        imported(10),
        imported(10),
        imported(10),
        imported(10),
        imported(10),
        imported(10),
        imported(10)};
    const Comparison comparison = compare(side_with(runs), side_with(runs));
    EXPECT_EQ(comparison.verdict, Verdict::same);
}

TEST(ProfileComparison, TotalsShowTheDifferenceThePercentageAndAStepOfARank) {
    const Comparison comparison = compare(side_with({imported(10)}), side_with({imported(12)}));
    ASSERT_TRUE(compares_profiles(comparison));
    const auto sections = profile_comparison_sections(comparison);
    ASSERT_THAT(sections, SizeIs(2));
    EXPECT_EQ(cell(sections[0], "api.launch", 3), "+4");
    EXPECT_EQ(cell(sections[0], "api.launch", 4), "+20.0 %");
    EXPECT_EQ(cell(sections[0], "api.launch", 5), "+1"); // 4 over 2 steps of 2 ranks
    EXPECT_EQ(cell(sections[0], "gpu.kernel.sum", 3), "+4.00 us");
    EXPECT_THAT(sections[1].table->rows(), SizeIs(4));
}

TEST(ProfileSections, KernelsStandInOrderOfFallingTimeWithTheirShare) {
    kvprof::Run run = imported(1);
    for (const std::int64_t us : {1, 3}) {
        KernelStat kernel;
        kernel.name = us == 1 ? "small" : "large";
        kernel.launches = 2;
        kernel.time = std::chrono::microseconds{us};
        run.kernels.push_back(kernel);
    }
    const auto sections = profile_sections(run);
    const auto kernels = std::find_if(sections.begin(), sections.end(), [](const Section& one) {
        return one.title == "kernels";
    });
    ASSERT_NE(kernels, sections.end());
    EXPECT_EQ(kernels->table->rows().front().front().text, "large");
    EXPECT_EQ(cell(*kernels, "large", 3), "75.0 %");
    EXPECT_EQ(cell(*kernels, "small", 1), "2");
}

TEST(ProfileComparison, NoStepIsShownWhereTheSidesHaveNotEquallyMany) {
    kvprof::Run shorter = imported(10);
    shorter.profile->ranks[1].steps.pop_back();
    const Comparison comparison = compare(side_with({imported(10)}), side_with({shorter}));
    const auto sections = profile_comparison_sections(comparison);
    EXPECT_EQ(cell(sections[0], "api.launch", 5), "n/a");
    EXPECT_THAT(sections[0].lines, ElementsAre(HasSubstr("not equally many")));
}

std::vector<std::string> fields_of(const std::vector<Concern>& concerns) {
    std::vector<std::string> fields;
    for (const Concern& concern : concerns) {
        fields.push_back(concern.field);
    }
    return fields;
}

TEST(ProfileChecks, WhatIsAlikeRaisesNoConcern) {
    EXPECT_THAT(profile_concerns(side_with({imported(10)}), side_with({imported(12)})), IsEmpty());
}

TEST(ProfileChecks, AnotherGranularityOfGraphsBlocks) {
    kvprof::Run whole = imported(10);
    whole.profile->ranks[0].figures.push_back({"graph_trace.count", 4});
    kvprof::Run nodes = imported(10);
    nodes.profile->ranks[0].figures.push_back({"api.graph_launch", 4});
    const auto concerns = profile_concerns(side_with({nodes}), side_with({whole}));
    ASSERT_THAT(concerns, SizeIs(1));
    EXPECT_EQ(concerns[0].severity, Severity::blocks);
    EXPECT_EQ(concerns[0].field, "profile.graphs");
    EXPECT_EQ(compare(side_with({nodes}), side_with({whole})).verdict, Verdict::not_comparable);
    const Comparison allowed =
        compare(side_with({nodes}), side_with({whole}), {.allowed_mismatch = {"profile.graphs"}});
    EXPECT_NE(allowed.verdict, Verdict::not_comparable);
    EXPECT_THAT(allowed.stamps, Contains(HasSubstr("profile.graphs")));
}

TEST(ProfileChecks, RanksStepsPartsStacksAndOrphansAreSaid) {
    kvprof::Run other = imported(10);
    other.profile->ranks.pop_back();
    other.profile->is_partial = true;
    other.profile->step_rule = "none";
    other.profile->writer = "Nsight Systems 2026.2";
    other.profile->capabilities = {{"stacks", Capability::carried}};
    other.profile->ranks[0].figures.push_back({"kernels.orphan.sum", 600});
    EXPECT_THAT(
        fields_of(profile_concerns(side_with({imported(10)}), side_with({other}))),
        ElementsAre(
            "profile.writer",
            "profile.ranks",
            "profile.steps",
            "profile.step-rule",
            "profile.partial",
            "profile.stacks",
            "profile.orphans"
        )
    );
}

TEST(ProfileLimits, OneCaptureSaysThatItIsOneMeasurement) {
    EXPECT_THAT(limits_of({imported(1)}), Contains(HasSubstr("one capture is one measurement")));
    EXPECT_THAT(limits_of({imported(1)}), Contains(HasSubstr("graph memory")));
    EXPECT_THAT(limits_of({imported(1), imported(1)}), SizeIs(1));
}

} // namespace
} // namespace kvprof::analyzers
