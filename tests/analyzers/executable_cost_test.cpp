#include "analyzers/executable_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>

namespace kvprof::analyzers {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;

/// 1, 2, 4, 8, 16, 24, ... 256 executables.
std::vector<ExecutablePoint>
held(std::int64_t nodes, const std::function<std::int64_t(std::int64_t)>& taken) {
    std::vector<ExecutablePoint> points;
    for (std::int64_t m = 1; m <= 256; m = m < 8 ? 2 * m : m + 8) {
        points.push_back({m, nodes, Bytes{taken(m)}});
    }
    return points;
}

/// Blocks of 2 MiB for what exceeds `slack`.
std::int64_t in_blocks(std::int64_t wanted, std::int64_t slack) {
    const std::int64_t over = wanted > slack ? wanted - slack : 0;
    return (over + 2 * kMiB - 1) / (2 * kMiB) * 2 * kMiB;
}

TEST(ExecutableCost, Of64NodesIs256KiBThoughTheFirst8ShowNothing) {
    const auto cost = executable_cost(held(64, [](std::int64_t m) {
        return in_blocks(m * 256 * kKiB, 8 * 256 * kKiB);
    }));
    ASSERT_TRUE(cost.each);
    EXPECT_DOUBLE_EQ(cost.each->value, 256.0 * kKiB);
    EXPECT_NEAR(cost.each->high - cost.each->low, 0.0, 1e-3); // exact: blocks of 8 executables
    EXPECT_DOUBLE_EQ(cost.each_node.value().value, 4.0 * kKiB);
    EXPECT_EQ(cost.served, 8);
    EXPECT_EQ(cost.points, 32);
    EXPECT_EQ(cost.most, 256);
    EXPECT_EQ(cost.taken, Bytes{62 * kMiB});
}

TEST(ExecutableCost, StartsItsLineWhereSlackEndsAlsoAfter64Executables) {
    const auto cost = executable_cost(held(64, [](std::int64_t m) {
        return in_blocks(m * 256 * kKiB, 64 * 256 * kKiB);
    }));
    EXPECT_EQ(cost.served, 64);
    EXPECT_EQ(cost.points, 25);
    EXPECT_DOUBLE_EQ(cost.each.value().value, 256.0 * kKiB);
}

TEST(ExecutableCost, OfBlocksThatDoNotDivideCoversTheTrueBytes) {
    const auto cost =
        executable_cost(held(256, [](std::int64_t m) { return in_blocks(m * 640 * kKiB, 0); }));
    ASSERT_TRUE(cost.each);
    EXPECT_NEAR(cost.each->value, 640.0 * kKiB, 0.01 * 640.0 * kKiB);
    EXPECT_LT(cost.each->low, cost.each->value);
    EXPECT_GT(cost.each->high, cost.each->value);
    EXPECT_NEAR(cost.each_node.value().value, 2.5 * kKiB, 0.05 * kKiB);
    EXPECT_EQ(cost.served, 0);
}

TEST(ExecutableCost, WithoutAnyMoveIsUnresolvedAndNeverNoMemory) {
    const auto cost = executable_cost(held(64, [](std::int64_t) { return 0; }));
    EXPECT_FALSE(cost.each);
    EXPECT_EQ(cost.served, 256);
    const std::string text = describe(cost, Bytes{2 * kMiB});
    EXPECT_EQ(text, "0 B observed for 256 executables; unresolved below slack 2.0 MiB");
    EXPECT_THAT(describe(cost, std::nullopt), HasSubstr("0 B observed"));
    EXPECT_THAT(describe(cost, std::nullopt), HasSubstr("unresolved"));
}

TEST(ExecutableCost, NeedsThreePointsForALine) {
    const auto cost = executable_cost({{1, 64, Bytes{0}}, {2, 64, Bytes{2 * kMiB}}});
    EXPECT_FALSE(cost.each);
    EXPECT_EQ(cost.points, 2);
    EXPECT_EQ(
        describe(cost, Bytes{kMiB}),
        "2.0 MiB observed for 2 executables; too few points moved for a slope"
    );
}

TEST(ExecutableCost, HasAnIntervalOfStudentsT) {
    // slope 1.5, residual sum of squares 1.5, standard error sqrt(1.5 / 1 / 2), t(1) 12.7062
    const auto cost = executable_cost({{1, 0, Bytes{0}}, {2, 0, Bytes{3}}, {3, 0, Bytes{3}}});
    ASSERT_TRUE(cost.each);
    EXPECT_DOUBLE_EQ(cost.each->value, 1.5);
    EXPECT_NEAR(cost.each->high - 1.5, 12.70620474 * std::sqrt(0.75), 1e-7);
    EXPECT_NEAR(1.5 - cost.each->low, 12.70620474 * std::sqrt(0.75), 1e-7);
    EXPECT_FALSE(cost.each_node) << "a graph without kernel nodes";
}

TEST(ExecutableCost, KeepsStudentsTBeyondItsTable) {
    // 36 points 100 apart, 1 above and below in turn: t(34) is 2.0322.
    std::vector<ExecutablePoint> points;
    for (std::int64_t m = 1; m <= 36; ++m) {
        points.push_back({m, 64, Bytes{100 * m + (m % 2 == 0 ? 1 : -1)}});
    }
    const auto cost = executable_cost(points);
    const double slope = cost.each.value().value;
    double residual = 0.0;
    for (const ExecutablePoint& point : points) {
        const double x = static_cast<double>(point.executables) - 18.5;
        const double y = static_cast<double>(point.taken.count) - 1850.0;
        residual += (y - slope * x) * (y - slope * x);
    }
    const double error = std::sqrt(residual / 34.0 / 3885.0); // 36 (36^2 - 1) / 12
    EXPECT_NEAR((cost.each->high - slope) / error, 2.0322, 1e-3);
}

TEST(ExecutableCost, SaysItsSlopeItsIntervalAndWhatSlackAbsorbed) {
    const auto cost = executable_cost(held(64, [](std::int64_t m) {
        return in_blocks(m * 256 * kKiB, 8 * 256 * kKiB);
    }));
    EXPECT_EQ(
        describe(cost, Bytes{2 * kMiB}),
        "256.0 KiB each (256.0 KiB .. 256.0 KiB), 4.0 KiB a node of 64; the first 8 showed 0 B: "
        "slack absorbed them"
    );
}

TEST(ExecutableCost, OfNoPointsIsNotMeasured) {
    EXPECT_EQ(describe(executable_cost({}), Bytes{kMiB}), "not measured");
    EXPECT_THAT(describe(executable_cost({}), Bytes{kMiB}), Not(HasSubstr("0 B")));
}

} // namespace
} // namespace kvprof::analyzers
