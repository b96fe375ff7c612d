// When the runs of two sides were measured: in turns, one after the other, on other days.

#include "analyzers/cases.h"
#include "analyzers/compare.h"
#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/pairs.h"
#include "tests/analyzers/compared_sides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::analyzers {
namespace {

using namespace test_sides;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const testing::Matcher<std::vector<std::string>>& is_stamped() {
    static const testing::Matcher<std::vector<std::string>> matcher =
        Contains(testing::StartsWith("not interleaved: a drift of the machine"));
    return matcher;
}

Comparison v3(const CompareOptions& how = {}) {
    return compare(timed_side("a", v3_base()), timed_side("b", v3_candidate()), how);
}

TEST(Order, OfTwoExperimentsIsStamped) {
    const Comparison apart = v3();
    EXPECT_EQ(apart.verdict, Verdict::regressed);
    EXPECT_THAT(apart.stamps, is_stamped());
    EXPECT_THAT(apart.stamps, Contains(HasSubstr("run --ab measures both in turn")));
}

TEST(Order, IsStampedOfTestedRowsAlone) {
    CompareOptions how;
    how.is_interleaved = true;
    EXPECT_THAT(v3(how).stamps, Not(is_stamped()));
    how.is_interleaved = false;
    how.is_stored_baseline = true;
    EXPECT_THAT(v3(how).stamps, Not(is_stamped()));
    kvprof::Run exact = timed(1.0);
    exact.samples.clear();
    EXPECT_THAT(compare(side_of("a", {exact}), side_of("b", {exact})).stamps, Not(is_stamped()));
}

/// Runs of one matrix of two cells.
PairedComparison matrix(const std::vector<std::int64_t>& seeds) {
    std::vector<kvprof::Run> runs;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        kvprof::Run& run = runs.emplace_back(timed(100.0));
        run.uuid = std::to_string(i);
        run.position = static_cast<std::int64_t>(i);
        run.step.seed = seeds[i];
    }
    return compare_pairs(pair_by("seed", runs));
}

TEST(Order, OfAMatrixIsThatOfItsPositions) {
    EXPECT_THAT(matrix({1, 2, 2, 1}).cells[0].comparison.stamps, Not(is_stamped()));
    EXPECT_THAT(matrix({1, 1, 2, 2}).cells[0].comparison.stamps, is_stamped());
}

TEST(Order, IsSaidOfTheDesignAndNotOfTheTimes) {
    CompareOptions how;
    EXPECT_THAT(describe_sides(v3(how)), Not(HasSubstr("interleaved")));
    how.is_interleaved = true;
    EXPECT_TRUE(v3(how).is_interleaved); // all runs started in the same second
    EXPECT_THAT(describe_sides(v3(how)), HasSubstr("7 + 7 runs, interleaved"));
    how.is_stored_baseline = true;
    EXPECT_FALSE(v3(how).is_interleaved);
}

TEST(Looks, AreInTheTitleOfTheIntervals) {
    CompareOptions how;
    how.is_interleaved = true;
    EXPECT_EQ(interval_title(v3(how)), "change, 95 % interval");
    how.looks = 3;
    const Comparison comparison = v3(how);
    EXPECT_NEAR(comparison.interval_level, 0.98333, 1e-5);
    EXPECT_EQ(interval_title(comparison), "change, 98.3 % interval");
}

std::vector<kvprof::Run> on_days(const std::vector<double>& us, const char* month) {
    std::vector<kvprof::Run> runs;
    for (std::size_t i = 0; i < us.size(); ++i) {
        for (int repeat = 0; repeat < 2; ++repeat) {
            kvprof::Run run = timed(us[i]);
            run.started_at = std::string("2026-") + month + "-0" + std::to_string(i + 1) + "T03:0"
                             + std::to_string(repeat) + ":05Z";
            runs.push_back(run);
        }
    }
    return runs;
}

TEST(StoredBaseline, CountsOccasionsAndNotRuns) {
    CompareOptions how;
    how.is_stored_baseline = true;
    const Side base = side_of("baseline", on_days({100, 101, 102, 103, 104}, "01"));
    const Comparison few = compare(base, side_of("new", on_days({110}, "02")), how);
    EXPECT_EQ(step_row(few).verdict, Verdict::inconclusive);
    EXPECT_EQ(step_row(few).reason, "stored-baseline");
    EXPECT_FALSE(step_row(few).test.has_value());
    EXPECT_EQ(row_of(few, "step.launches").verdict, Verdict::same);
    EXPECT_THAT(few.notes, Contains(HasSubstr("occasion")));

    const Comparison enough =
        compare(base, side_of("new", on_days({110, 111, 112, 113}, "02")), how);
    EXPECT_EQ(step_row(enough).base.values.size(), 5U);
    EXPECT_EQ(step_row(enough).test->candidate_runs, 4U);
    EXPECT_NEAR(step_row(enough).test->p, 2.0 / 126.0, 1e-12);
    EXPECT_EQ(step_row(enough).verdict, Verdict::regressed);
}

TEST(StoredBaseline, WantsOccasionsOfTheMetricToo) {
    CompareOptions how;
    how.is_stored_baseline = true;
    Side base = side_of("baseline", on_days({100, 101, 102, 103, 104}, "01"));
    base.runs[0].samples.clear(); // one of the two runs of the first day has no time
    const Side candidate = side_of("new", on_days({110, 111}, "02"));
    const Comparison comparison = compare(base, candidate, how);
    EXPECT_EQ(step_row(comparison).verdict, Verdict::inconclusive);
    EXPECT_EQ(step_row(comparison).reason, "stored-baseline");
    EXPECT_FALSE(step_row(comparison).test.has_value());
}

} // namespace
} // namespace kvprof::analyzers
