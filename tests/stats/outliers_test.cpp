#include "stats/outliers.h"

#include <gtest/gtest.h>

namespace kvprof::stats {
namespace {

using Places = std::vector<std::size_t>;

TEST(Outliers, AreFarFromTheMedianInDeviations) {
    const std::vector<double> values{10.1, 10.2, 10.0, 10.3, 10.1, 10.2, 13.9};
    EXPECT_NEAR(modified_z(values)[6], 24.957, 5e-4);
    EXPECT_NEAR(modified_z(values)[2], -1.349, 5e-4);
    EXPECT_EQ(outliers(values), Places{6});
}

TEST(Outliers, AreFoundAmongEqualValuesToo) {
    const std::vector<double> values{7, 7, 7, 7, 7, 9};
    EXPECT_NEAR(modified_z(values)[5], 4.787, 5e-4);
    EXPECT_EQ(outliers(values), Places{5});
}

TEST(Outliers, AreNotWhereAllIsEqual) {
    EXPECT_EQ(modified_z(std::vector<double>{7, 7, 7}), (std::vector<double>{0, 0, 0}));
    EXPECT_TRUE(outliers(std::vector<double>{7, 7, 7}).empty());
    EXPECT_TRUE(outliers({}).empty());
}

TEST(Outliers, AreFlaggedOnBothSides) {
    EXPECT_EQ(outliers(std::vector<double>{0.0, 10.1, 10.2, 10.3, 10.4, 20.0}), (Places{0, 5}));
}

} // namespace
} // namespace kvprof::stats
