#include "stats/rank_test.h"
#include "stats/shift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace kvprof::stats {
namespace {

/// One line of the file: see make_rank_cases.py.
struct RankCase {
    std::string test;
    double p = 0.0;
    double estimate = 0.0;
    std::vector<double> a;
    std::vector<double> b;
};

std::vector<RankCase> read_cases() {
    std::ifstream file(KVPROF_TESTS_DIR "/data/stats/rank_cases.txt");
    std::vector<RankCase> cases;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        RankCase& one = cases.emplace_back();
        std::size_t in_a = 0;
        std::size_t in_b = 0;
        words >> one.test >> one.p >> one.estimate >> in_a >> in_b;
        one.a.resize(in_a);
        one.b.resize(in_b);
        for (double& value : one.a) {
            words >> value;
        }
        for (double& value : one.b) {
            words >> value;
        }
        EXPECT_TRUE(words) << line;
    }
    return cases;
}

TEST(RankCases, AgreeWithScipy) {
    const std::vector<RankCase> cases = read_cases();
    ASSERT_EQ(cases.size(), 300U);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const RankCase& one = cases[i];
        const bool is_paired = one.test == "signed_rank";
        const RankTest test = is_paired ? signed_rank(one.a) : rank_sum(one.a, one.b);
        const Shift shift = is_paired ? shift_of_pairs(one.a) : shift_between(one.a, one.b);
        EXPECT_NEAR(test.p, one.p, 1e-12) << "line " << i + 1;
        EXPECT_NEAR(shift.estimate, one.estimate, 1e-12) << "line " << i + 1;
        EXPECT_TRUE(test.is_exact);
    }
}

bool has_ties(const RankCase& one) {
    std::vector<double> all = one.a;
    all.insert(all.end(), one.b.begin(), one.b.end());
    if (one.b.empty()) {
        std::transform(all.begin(), all.end(), all.begin(), [](double d) { return std::abs(d); });
    }
    return std::set<double>(all.begin(), all.end()).size() != all.size();
}

// The interval inverts the test: it excludes no shift exactly when the test is significant.
TEST(RankCases, HaveAnIntervalThatAgreesWithTheTest) {
    std::size_t significant = 0;
    for (const RankCase& one : read_cases()) {
        if (has_ties(one)) {
            continue; // then the test is conditional on them, and the interval is not
        }
        const bool is_paired = one.b.empty();
        const double p = is_paired ? signed_rank(one.a).p : rank_sum(one.a, one.b).p;
        const Shift shift = is_paired ? shift_of_pairs(one.a) : shift_between(one.a, one.b);
        EXPECT_EQ(p <= 0.05, shift.low > 0.0 || shift.high < 0.0) << one.p << ' ' << shift.low;
        EXPECT_LE(shift.low, shift.estimate);
        EXPECT_LE(shift.estimate, shift.high);
        significant += p <= 0.05 ? 1 : 0;
    }
    EXPECT_GT(significant, 20U); // else the promise would be an empty one
}

} // namespace
} // namespace kvprof::stats
