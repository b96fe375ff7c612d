#include "analyzers/profile_windows.h"

#include "analyzers/compare.h"
#include "analyzers/metrics_of.h"
#include "analyzers/profile_sections.h"
#include "capture/model/profile_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace kvprof::analyzers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The same work a step: 5 launches in each of the steps of as many ranks.
kvprof::Run decoded(std::size_t ranks, std::size_t steps, std::int64_t launches_of_step = 5) {
    kvprof::Run run;
    run.profile.emplace();
    run.environment.executor = "imported";
    const auto count = static_cast<std::int64_t>(steps);
    for (std::size_t i = 0; i < ranks; ++i) {
        ProfileRank& rank = run.profile->ranks.emplace_back();
        rank.rank = std::to_string(i);
        rank.figures = {
            {"gpu.kernel.count", launches_of_step * count},
            {"span.wall", 1000 * count},
            {"api.launch", launches_of_step * count},
            {"api.memcpy", count}};
        ProfileStep step;
        step.launches = launches_of_step;
        step.kernels = launches_of_step;
        rank.steps.assign(steps, step);
    }
    for (const Pass pass : {Pass::counts, Pass::nodes}) {
        run.passes.emplace_back().pass = pass;
        run.passes.back().steps = count * static_cast<std::int64_t>(ranks);
    }
    ApiStat& call = run.calls.emplace_back();
    call.call = "cudaLaunchKernel";
    call.kind = ApiKind::kernel_launch;
    call.calls = launches_of_step * run.passes.front().steps;
    return run;
}

Side side_with(const kvprof::Run& run) {
    return side_of("side", {run});
}

double value_of(const kvprof::Run& run, const std::string& id) {
    for (const Series& series : metrics_of(run)) {
        if (series.id == id) {
            return series.values.front();
        }
    }
    return -1.0;
}

/// The last cell of a total's row: a step and rank.
std::string step_cell(const Section& totals, const std::string& row) {
    for (const auto& cells : totals.table->rows()) {
        if (cells.front().text == row) {
            return cells.back().text;
        }
    }
    return "(no such row)";
}

const Delta& row_of(const Comparison& comparison, const std::string& id) {
    const auto found =
        std::find_if(comparison.deltas.begin(), comparison.deltas.end(), [&](const Delta& row) {
            return row.id == id;
        });
    EXPECT_NE(found, comparison.deltas.end()) << id;
    return *found;
}

TEST(ProfileMetrics, AFigureOfAStepIsAMeanOfTheKeptOnesWhateverTheWindowHas) {
    kvprof::Run run = decoded(2, 3);
    for (ProfileRank& rank : run.profile->ranks) {
        rank.steps.resize(2); // one was skipped
        rank.steps[0].graph_launches = 1;
        rank.figures.push_back({"steps.skipped", 1});
    }
    EXPECT_EQ(steps_in_window(*run.profile), 6);
    EXPECT_EQ(value_of(run, "step.host_launch_calls"), 5.5);
    EXPECT_EQ(value_of(run, "step.device_kernels"), 5.0);
    EXPECT_EQ(value_of(run, "api.cudaLaunchKernel.calls"), 5.0); // 30 in the window's 6 steps
    EXPECT_EQ(value_of(run, "step.sync_calls"), -1.0);           // whose they are nobody knows
    EXPECT_EQ(value_of(run, "step.memory_copies"), -1.0);
    EXPECT_EQ(value_of(decoded(2, 3), "step.sync_calls"), 0.0);
    EXPECT_EQ(value_of(decoded(2, 3), "step.memory_copies"), 0.0);
}

TEST(ProfileComparison, AStepAndRankIsOfAllStepsOfTheWindow) {
    kvprof::Run candidate = decoded(2, 2, 6);
    for (ProfileRank& rank : candidate.profile->ranks) {
        rank.steps.resize(1);
        rank.figures.push_back({"steps.skipped", 1});
    }
    const Comparison comparison = compare(side_with(decoded(2, 2)), side_with(candidate));
    EXPECT_EQ(step_cell(profile_comparison_sections(comparison)[0], "api.launch"), "+1");
    EXPECT_EQ(
        row_of(comparison, "api.launch").verdict, Verdict::regressed
    ); // the windows are equal
}

TEST(ProfileComparison, AStepAndRankIsShownOfSidesWithOtherNumbersOfThem) {
    for (const kvprof::Run& base : {decoded(2, 16), decoded(1, 17)}) {
        const Comparison comparison = compare(side_with(base), side_with(decoded(2, 17, 6)));
        const auto sections = profile_comparison_sections(comparison);
        EXPECT_EQ(step_cell(sections[0], "api.launch"), "+1");
        EXPECT_EQ(step_cell(sections[0], "span.wall"), "0"); // of one rank
        EXPECT_THAT(sections[0].lines, ElementsAre(HasSubstr("compare a step and rank")));
    }
}

TEST(ProfileComparison, TotalsOfOtherWindowsAreNotJudgedAndFiguresOfAStepDecide) {
    for (const kvprof::Run& base : {decoded(2, 16), decoded(1, 17)}) {
        const Comparison alike = compare(side_with(base), side_with(decoded(2, 17)));
        for (const char* id : {"api.launch", "api.memcpy", "gpu.kernel.count", "span.wall"}) {
            EXPECT_EQ(row_of(alike, id).verdict, Verdict::inconclusive) << id;
            EXPECT_EQ(row_of(alike, id).reason, "windows-differ") << id;
            EXPECT_FALSE(row_of(alike, id).is_primary) << id;
        }
        EXPECT_EQ(row_of(alike, "api.cudaLaunchKernel").verdict, std::nullopt);
        EXPECT_EQ(row_of(alike, "step.host_launch_calls").verdict, Verdict::same);
        EXPECT_TRUE(row_of(alike, "step.host_launch_calls").is_primary);
        EXPECT_TRUE(row_of(alike, "step.memory_copies").is_primary);
        EXPECT_TRUE(row_of(alike, "step.kernel_time").is_primary);
        EXPECT_TRUE(row_of(alike, "step.period").is_primary);
        const Comparison more = compare(side_with(base), side_with(decoded(2, 17, 6)));
        EXPECT_EQ(row_of(more, "step.host_launch_calls").verdict, Verdict::regressed);
        EXPECT_EQ(more.verdict, Verdict::regressed);
    }
}

TEST(ProfileComparison, WithoutStepsOnASideNothingIsDecided) {
    const Comparison comparison = compare(side_with(decoded(1, 0)), side_with(decoded(1, 17)));
    for (const Delta& row : comparison.deltas) {
        EXPECT_NE(row.verdict, Verdict::regressed) << row.id;
        EXPECT_NE(row.verdict, Verdict::improved) << row.id;
    }
    EXPECT_EQ(row_of(comparison, "step.host_launch_calls").reason, "windows-differ");
    EXPECT_EQ(comparison.verdict, Verdict::inconclusive);
    const auto sections = profile_comparison_sections(comparison);
    EXPECT_EQ(step_cell(sections[0], "api.launch"), "n/a");
    EXPECT_THAT(sections[0].lines, ElementsAre(HasSubstr("not all captures have steps")));
}

} // namespace
} // namespace kvprof::analyzers
