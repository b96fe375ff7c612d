#include "analyzers/metric.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace kvprof::analyzers {
namespace {

std::string row_of(const MetricDef& metric) {
    return fmt::format(
        "| `{}` | {} | {} | {} | {} |",
        metric.id,
        to_string(metric.unit),
        to_string(metric.better),
        to_string(metric.kind),
        metric.doc
    );
}

TEST(MetricDoc, HasOneRowForEachMetricAndNoOther) {
    std::ifstream file(std::filesystem::path(KVPROF_TESTS_DIR) / ".." / "docs" / "metrics.md");
    std::vector<std::string> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("| `")) {
            rows.push_back(line);
        }
    }
    std::vector<std::string> wanted;
    for (const MetricDef& metric : metric_catalogue()) {
        wanted.push_back(row_of(metric));
    }
    EXPECT_THAT(rows, testing::ElementsAreArray(wanted));
}

TEST(MetricCatalogue, HasNoIdTwice) {
    std::set<std::string_view> ids;
    for (const MetricDef& metric : metric_catalogue()) {
        EXPECT_TRUE(ids.insert(metric.id).second) << metric.id;
    }
}

TEST(MetricCatalogue, RefusesAnUnknownId) {
    EXPECT_THROW(std::ignore = metric("step.tpu_time"), std::logic_error);
}

TEST(FormatValue, FollowsTheUnit) {
    EXPECT_EQ(format_value(Unit::nanoseconds, 2660.4), "2.66 us");
    EXPECT_EQ(format_value(Unit::bytes, 1073741824.0), "1.00 GiB");
    EXPECT_EQ(format_value(Unit::count, 1024.0), "1,024");
}

} // namespace
} // namespace kvprof::analyzers
