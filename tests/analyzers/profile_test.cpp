#include "analyzers/compare.h"
#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/gate.h"
#include "analyzers/limits.h"
#include "analyzers/metrics_of.h"
#include "analyzers/profile_checks.h"
#include "analyzers/profile_sections.h"
#include "analyzers/run_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace kvprof::analyzers {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
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

/// One kernel after the other, the one in the middle by this name.
kvprof::Run with_kernels(const std::string& middle) {
    kvprof::Run run = imported(10);
    for (const std::string& name : {std::string("mm"), middle, std::string("norm")}) {
        KernelStat kernel;
        kernel.name = name;
        kernel.grid = {4, 1, 1};
        kernel.block = {128, 1, 1};
        kernel.launches = 4;
        kernel.time = std::chrono::microseconds(name == middle ? 8 : 4);
        run.kernels.push_back(kernel);
    }
    run.profile->neighbours = {{0, {}, 1}, {1, 0, 2}, {2, 1, {}}};
    PassResult nodes;
    nodes.pass = Pass::nodes;
    nodes.steps = 4;
    run.passes = {nodes};
    return run;
}

std::vector<std::string> kernel_lines(const kvprof::Run& base, const kvprof::Run& candidate) {
    const Comparison comparison = compare(side_with({base}), side_with({candidate}));
    return kernel_deltas_section(comparison, Policy{}).lines;
}

TEST(ProfileComparison, ARenamedKernelIsOneRowThatSaysSo) {
    kvprof::Run candidate = with_kernels("fused_add_4");
    candidate.kernels[1].time = std::chrono::microseconds(12);
    const Comparison comparison =
        compare(side_with({with_kernels("fused_add_3")}), side_with({candidate}));
    ASSERT_THAT(comparison.kernels, SizeIs(3));
    EXPECT_EQ(comparison.kernels[0].name, "fused_add_4");
    EXPECT_EQ(comparison.kernels[0].base_name, "fused_add_3");
    EXPECT_EQ(comparison.kernels[0].change_ns, 1000.0); // 4 us in 4 steps
    const Section section = kernel_deltas_section(comparison, Policy{});
    EXPECT_NE(cell(section, "fused_add_4", 1), "(no such row)");
    EXPECT_THAT(section.lines, Contains("fused_add_4: renamed from fused_add_3"));
    EXPECT_THAT(section.lines, Contains(HasSubstr("matched: 2 by full name, 1 renamed")));
    EXPECT_THAT(
        section.lines, Contains(HasSubstr("0.00 us of the base, 0.00 us of the candidate"))
    );
}

TEST(ProfileComparison, TheTimeOfKernelsThatAreNotMatchedIsSaidOfBothSides) {
    kvprof::Run candidate = with_kernels("other");
    candidate.kernels[1].grid = {5, 1, 1};
    candidate.kernels[1].time = std::chrono::microseconds(12);
    KernelStat copy;
    copy.kind = ActivityKind::memory_copy;
    copy.launches = 1;
    copy.time = std::chrono::milliseconds(1); // no kernel: not in the sum
    candidate.kernels.push_back(copy);
    EXPECT_THAT(
        kernel_lines(with_kernels("fused"), candidate),
        Contains("unmatched kernel time, a step: 2.00 us of the base, 3.00 us of the candidate")
    );
}

TEST(ProfileComparison, AcrossProgramsNamesAreReadInEitherSpelling) {
    kvprof::Run nsys = with_kernels("void f<(int)4>(T1)");
    nsys.profile->source = ProfileSource::nsys;
    EXPECT_THAT(
        kernel_lines(with_kernels("void f<4>(int)"), nsys),
        Contains("kernels matched: 2 by full name, 1 by name without casts, parameters and spaces")
    );
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

/// Sides of one capture each, and a limit of launches.
GateResult gated(std::int64_t launches, const char* limit) {
    CompareOptions how;
    how.policy = parse_policy(
        fmt::format("version = 1\n[metric.launches]\nthreshold = \"{}\"", limit), "kvprof.toml"
    );
    how.policy.primary = {"launches"};
    const Comparison one = compare(side_with({imported(10)}), side_with({imported(launches)}), how);
    return gate_of({one}, how.policy, "2026-11-30");
}

TEST(ProfileGate, ALimitOfLaunchesIsAppliedAndSaid) {
    const GateResult within = gated(12, "50%");
    EXPECT_EQ(within.line, "same (0): launches 20 -> 24 (+4) within 10");
    const auto row = std::find_if(
        within.cases[0].deltas.begin(),
        within.cases[0].deltas.end(),
        [](const Delta& one) { return one.id == "api.launch"; }
    );
    ASSERT_NE(row, within.cases[0].deltas.end());
    EXPECT_EQ(limit_words(*row), "10");
    EXPECT_EQ(evidence_cell(*row), "within 10");
    EXPECT_EQ(gated(12, "3").line, "regressed (1): launches 20 -> 24 (+4) > 3");
    EXPECT_EQ(gated(8, "3").line, "improved (0): launches 20 -> 16 (-4) beyond 3");
    EXPECT_EQ(gated(10, "3").line, "same (0): launches 20");
    EXPECT_EQ(gated(12, "0").line, "regressed (1): launches 20 -> 24 (+4)");
}

TEST(ProfileWords, TheTitleNamesTheSidesAndWhatTheyAre) {
    const Comparison two =
        compare(side_of("base", {imported(10)}), side_of("cand", {imported(12)}));
    EXPECT_EQ(describe_changes(two), "base -> cand (imported profiles)");
    EXPECT_EQ(
        describe_changes(compare(side_with({imported(10)}), side_with({imported(12)}))),
        "imported profiles"
    );
}

TEST(ProfileWords, MeasuredOnIsTheWriterAndTheGpus) {
    kvprof::Run run = imported(10);
    run.profile->ranks[0].gpu = "NVIDIA H200";
    run.profile->ranks[1].gpu = "NVIDIA B300";
    EXPECT_THAT(environment_lines({run, run}), ElementsAre("Kineto on NVIDIA H200, NVIDIA B300"));
}

TEST(ProfileWords, AdviceIsToImportCaptures) {
    const Comparison few = compare(side_with({imported(10)}), side_with({imported(12)}));
    const std::vector<std::string> lines = undecided_section(few).lines;
    EXPECT_THAT(lines, Contains(HasSubstr("captures a side: kvprof import --side NAME FILE...")));
    EXPECT_THAT(lines, Not(Contains(HasSubstr("run at least"))));
    EXPECT_THAT(few.stamps, Contains(HasSubstr("profiles do not say in which order")));
    EXPECT_THAT(few.stamps, Not(Contains(HasSubstr("run --ab"))));
    CompareOptions stored;
    stored.is_stored_baseline = true;
    const Comparison other = compare(side_with({imported(10)}), side_with({imported(12)}), stored);
    std::vector<std::string> words = other.notes;
    for (const std::string& line : undecided_section(other).lines) {
        words.push_back(line);
    }
    EXPECT_THAT(words, Contains(HasSubstr("import 6 captures a side")));
    EXPECT_THAT(words, Not(Contains(HasSubstr("--ab"))));
}

TEST(ProfileWords, APartIsNotCalledComplete) {
    kvprof::Run part = imported(10);
    part.profile->is_partial = true;
    EXPECT_EQ(status_line(part), "partial");
    EXPECT_EQ(status_line(imported(10)), "complete");
    EXPECT_EQ(describe_runs({part, imported(10)}), "1 of 2 runs complete, 1 partial");
}

} // namespace
} // namespace kvprof::analyzers
