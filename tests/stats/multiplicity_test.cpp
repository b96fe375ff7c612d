#include "stats/multiplicity.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kvprof::stats {
namespace {

using Values = std::vector<double>;

const Values kP{0.0006, 0.0021, 0.0079, 0.0159, 0.0317, 0.0556, 0.1508, 0.3095, 0.5476, 1.0};
const Values kHolm{0.0060, 0.0189, 0.0632, 0.1113, 0.1902, 0.2780, 0.6032, 0.9285, 1.0, 1.0};
const Values kBh{0.0060, 0.0105, 0.0263, 0.0398, 0.0634, 0.0927, 0.2154, 0.3869, 0.6084, 1.0};

void expect_near(const Values& found, const Values& wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], wanted[i], 5.001e-5) << i;
    }
}

std::ptrdiff_t rejected(const Values& adjusted) {
    return std::count_if(adjusted.begin(), adjusted.end(), [](double p) { return p <= 0.05; });
}

TEST(Holm, HasTheWorkedNumbers) {
    expect_near(holm(kP), kHolm);
    EXPECT_EQ(rejected(holm(kP)), 2);
}

TEST(BenjaminiHochberg, HasTheWorkedNumbers) {
    expect_near(benjamini_hochberg(kP), kBh);
    EXPECT_EQ(rejected(benjamini_hochberg(kP)), 4);
}

TEST(Multiplicity, KeepsTheOrderGiven) {
    const Values backwards(kP.rbegin(), kP.rend());
    expect_near(holm(backwards), Values(kHolm.rbegin(), kHolm.rend()));
    expect_near(benjamini_hochberg(backwards), Values(kBh.rbegin(), kBh.rend()));
}

TEST(Multiplicity, LeavesALoneTestAsItIs) {
    EXPECT_EQ(holm(Values{0.03}), Values{0.03});
    EXPECT_EQ(benjamini_hochberg(Values{0.03}), Values{0.03});
    EXPECT_TRUE(holm({}).empty());
    EXPECT_TRUE(benjamini_hochberg({}).empty());
}

TEST(Multiplicity, NeverTurnsTheOrderAround) {
    // 3 * 0.02 is above 2 * 0.021: the second is no better than the first.
    expect_near(holm(Values{0.02, 0.021, 0.9}), {0.06, 0.06, 0.9});
    // 2 * 0.05 / 1 is above 0.06: the first is no worse than the second.
    expect_near(benjamini_hochberg(Values{0.05, 0.06}), {0.06, 0.06});
}

} // namespace
} // namespace kvprof::stats
