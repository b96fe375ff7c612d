#include "stats/bootstrap.h"

#include "stats/median.h"
#include "tests/stats/reference_values.h"

#include <gtest/gtest.h>

namespace kvprof::stats {
namespace {

using namespace reference;

double ratio_of_medians(std::span<const double> a, std::span<const double> b) {
    return median({b.begin(), b.end()}) / median({a.begin(), a.end()});
}

TEST(Bootstrap, HasTheReferenceCase) {
    const BootstrapInterval found = bootstrap(kV3.a, kV3.b, ratio_of_medians, 42);
    EXPECT_NEAR(found.low, 1.012989, 5e-7);
    EXPECT_NEAR(found.high, 1.016698, 5e-7);
}

TEST(Bootstrap, RepeatsWithItsSeed) {
    const BootstrapInterval first = bootstrap(kV6.a, kV6.b, ratio_of_medians, 1);
    const BootstrapInterval again = bootstrap(kV6.a, kV6.b, ratio_of_medians, 1);
    EXPECT_EQ(first.low, again.low);
    EXPECT_EQ(first.high, again.high);
}

TEST(Bootstrap, TakesSidesOfUnequalSize) {
    const BootstrapInterval found = bootstrap(Values{1.0}, kV2.b, ratio_of_medians, 1);
    EXPECT_EQ(found.low, 1.014);
    EXPECT_EQ(found.high, 1.018);
}

} // namespace
} // namespace kvprof::stats
