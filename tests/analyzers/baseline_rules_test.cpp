#include "analyzers/baseline_rules.h"

#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kvprof::analyzers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

kvprof::Run run_at(const std::string& day, const std::string& boot, int minute = 0) {
    kvprof::Run run = test::step_run(IndexMode::stream, {3});
    run.started_at = day + "T10:0" + std::to_string(minute) + ":00Z";
    run.environment.boot = boot;
    return run;
}

Side side_with(const std::vector<kvprof::Run>& runs) {
    Side side;
    side.runs = runs;
    return side;
}

TEST(Occasions, AreADayOrABoot) {
    const Side side = side_with(
        {run_at("2026-03-02", "b"),
         run_at("2026-03-01", "a", 1),
         run_at("2026-03-01", "a", 0),
         run_at("2026-03-02", "c"),
         run_at("2026-03-02", "b", 1),
         run_at("2026-03-02", "c", 1)}
    );
    const Occasions occasions = occasions_of(side, 3, "base");
    EXPECT_THAT(
        occasions.runs, ElementsAre(ElementsAre(2U, 1U), ElementsAre(0U, 4U), ElementsAre(3U, 5U))
    );
    EXPECT_EQ(occasions.shortfall, "");
}

TEST(Occasions, NeedTwoRunsEach) {
    const Side side = side_with(
        {run_at("2026-03-01", "a"),
         run_at("2026-03-01", "a"),
         run_at("2026-03-02", "a"),
         run_at("2026-03-03", "a"),
         run_at("2026-03-03", "a")}
    );
    const Occasions occasions = occasions_of(side, kBaseOccasions, "base");
    EXPECT_EQ(occasions.runs.size(), 2U);
    EXPECT_THAT(
        occasions.shortfall,
        StartsWith("stored-baseline: 2 occasions of 5 (a day or a boot with 2 runs each)")
    );
    EXPECT_THAT(
        occasions.shortfall, HasSubstr("measuring the base on 3 more days or boots, or beside")
    );
}

TEST(Occasions, DoNotMixDevices) {
    kvprof::Run other = run_at("2026-03-01", "a");
    other.environment.device_name = "another product";
    kvprof::Run same_product = run_at("2026-03-01", "a");
    same_product.environment.device_uuid = "another device";
    const Side side =
        side_with({other, run_at("2026-03-01", "a"), same_product, run_at("2026-03-01", "a")});
    const Occasions occasions = occasions_of(side, 2, "candidate");
    EXPECT_THAT(occasions.runs, ElementsAre(ElementsAre(1U, 2U, 3U)));
    EXPECT_THAT(
        occasions.shortfall, HasSubstr("1 run on another device or setting left out; measuring the")
    );
}

TEST(Occasions, OfASideWithoutRunsAreNone) {
    const Occasions occasions = occasions_of(Side{}, kCandidateOccasions, "candidate");
    EXPECT_TRUE(occasions.runs.empty());
    EXPECT_THAT(occasions.shortfall, StartsWith("stored-baseline: 0 occasions of 2"));
}

TEST(Occasions, CountByTheirMedian) {
    const Occasions occasions{.runs = {{0, 1, 2}, {3, 4}, {5, 6}}, .shortfall = {}};
    const std::vector<std::optional<double>> values{9.0, 1.0, 5.0, 2.0, 4.0, 7.0, std::nullopt};
    EXPECT_THAT(occasion_values(occasions, values), ElementsAre(5.0, 3.0));
}

} // namespace
} // namespace kvprof::analyzers
