#include "analyzers/cost_law_sections.h"

#include "analyzers/json_cost_laws.h"
#include "tests/analyzers/swept_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace kvprof::analyzers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A step of 1 ms whose table takes the times at seq-len 1,024, 11,585 and 131,072.
std::vector<kvprof::Run> table_runs(const std::vector<double>& us) {
    std::vector<kvprof::Run> runs;
    const std::vector<std::int64_t> values{1024, 11'585, 131'072};
    for (std::size_t i = 0; i < us.size(); ++i) {
        StepSpec step;
        step.seq_len = values.at(i);
        kvprof::Run run = test::swept_run(step, 1000.0);
        test::add_kernel(run, {"build", OpKind::page_table, us[i]});
        test::add_kernel(run, {"rest", OpKind::kv_write, 1000.0 - us[i]});
        test::add_kernel(run, {"small", OpKind::len_cast, 1.0});
        runs.push_back(std::move(run));
    }
    return runs;
}

std::vector<kvprof::Run> two_sides() {
    auto runs = table_runs({158.5, 159.3, 160.2});
    for (kvprof::Run& run : runs) {
        run.ab = AbPlace{.side = AbSide::a};
    }
    for (kvprof::Run& run : table_runs({3.0, 13.0, 130.0})) {
        run.ab = AbPlace{.side = AbSide::b};
        runs.push_back(run);
    }
    return runs;
}

std::string cell(const Section& section, std::size_t row, const std::string& column) {
    const auto& columns = section.table->columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].title == column) {
            return section.table->rows().at(row)[i].text;
        }
    }
    return "(no such column)";
}

TEST(CostLawSections, SayAFlagWithTheFiguresThatMadeIt) {
    const auto runs = table_runs({158.5, 159.3, 160.2});
    const Section flags = flag_section(cost_laws(runs));
    ASSERT_THAT(flags.lines, SizeIs(1));
    EXPECT_THAT(
        flags.lines[0], HasSubstr("shape-blind: build (page-table, out): elasticity 0.0022 [")
    );
    EXPECT_THAT(
        flags.lines[0],
        HasSubstr(
            "in live tokens, 158.50 us at seq-len 1,024 and 160.20 us at 131,072, up to 16.0 % "
            "of the step"
        )
    );
}

TEST(CostLawSections, SayThatNothingIsFlagged) {
    const auto runs = table_runs({3.0, 13.0, 130.0});
    EXPECT_THAT(
        flag_section(cost_laws(runs)).lines,
        ElementsAre("no kernel is shape-blind, and no kernel or buffer capacity-bound")
    );
}

TEST(CostLawSections, SayThatNothingCouldBeFlaggedWithoutALaw) {
    auto runs = table_runs({3.0, 13.0, 130.0});
    runs.pop_back();
    EXPECT_THAT(
        flag_section(cost_laws(runs)).lines,
        ElementsAre("no kernel has a law that could be flagged, and no buffer is capacity-bound")
    );
}

TEST(CostLawSections, HaveALawALineAndLeaveOutWhatWeighsNothing) {
    const auto runs = table_runs({3.0, 13.0, 130.0});
    const auto sections = law_sections(cost_laws(runs));
    EXPECT_EQ(sections[0].title, "time along seq-len 1,024 to 131,072 (3 points)");
    ASSERT_THAT(sections[0].table->rows(), SizeIs(3));
    EXPECT_EQ(cell(sections[0], 0, "kernel"), "the step");
    EXPECT_EQ(cell(sections[0], 1, "kernel"), "rest");
    EXPECT_EQ(cell(sections[0], 2, "op"), "page-table");
    EXPECT_EQ(cell(sections[0], 2, "at the most"), "130.00 us");
    EXPECT_EQ(cell(sections[0], 2, "share"), "13.0 %");
    EXPECT_THAT(
        sections[0].lines, ElementsAre("1 kernel below 0.5 % of the step at every point left out")
    );
}

TEST(CostLawSections, SayHowManyPointsALawLacksAndWhy) {
    auto runs = table_runs({3.0, 13.0});
    StepSpec far;
    far.seq_len = 131'072;
    runs.push_back(test::missing_run(far, "could not fit the step"));
    const auto sides = cost_laws(runs);
    EXPECT_THAT(
        law_sections(sides)[0].lines,
        testing::Contains(
            "the step, rest, build: no law: a line takes 3 points, and there are 2 of 3 points; "
            "131,072: not-run: could not fit the step"
        )
    );
    const Section missing = missing_points_section(sides);
    EXPECT_EQ(cell(missing, 0, "value"), "131,072");
    EXPECT_EQ(cell(missing, 0, "reason"), "not-run: could not fit the step");
}

TEST(CostLawSections, PutTwoSidesNextToEachOther) {
    const auto runs = two_sides();
    const auto sections = law_change_sections(cost_laws(runs));
    EXPECT_EQ(sections[0].title, "B - A, time along seq-len");
    EXPECT_EQ(cell(sections[0], 2, "kernel"), "build");
    EXPECT_EQ(cell(sections[0], 2, "A"), "158.50 us .. 160.20 us");
    EXPECT_THAT(cell(sections[0], 2, "elasticity"), HasSubstr("0.0022 -> 0.7"));
    EXPECT_EQ(cell(sections[0], 2, "flag"), "shape-blind went");
    EXPECT_THAT(law_change_sections({}), IsEmpty());
}

TEST(CostLawJson, HasEveryLawOfEachSideAndTheirChanges) {
    Experiment sweep;
    sweep.kind = ExperimentKind::sweep;
    sweep.runs = two_sides();
    const Json json = cost_laws_object(sweep);
    ASSERT_EQ(json["sides"].size(), 2U);
    const Json& law = json["sides"][0]["times"][2];
    EXPECT_EQ(law["kernel"], "build");
    EXPECT_EQ(law["flag"], "shape-blind");
    EXPECT_EQ(law["points"][0]["work"], 64 * 1024);
    EXPECT_EQ(law["points"][0]["time_ns"], 158'500);
    EXPECT_NEAR(law["elasticity"]["value"].get<double>(), 0.0022, 5e-5);
    EXPECT_EQ(json["changes"][2]["flags"]["a"], "shape-blind");
    EXPECT_EQ(json["changes"][2]["flags"]["b"], "none");
    sweep.runs.resize(3);
    EXPECT_TRUE(cost_laws_object(sweep)["changes"].is_null());
}

} // namespace
} // namespace kvprof::analyzers
