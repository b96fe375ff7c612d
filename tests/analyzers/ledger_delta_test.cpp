#include "analyzers/ledger_delta.h"

#include "tests/analyzers/traced_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace kvprof::analyzers {
namespace {

using test::traced_like;
using test::TracedShape;
using testing::ElementsAre;

Side side(const std::vector<TracedShape>& shapes) {
    std::vector<kvprof::Run> runs;
    for (const TracedShape& shape : shapes) {
        runs.push_back(traced_like(shape));
    }
    return side_of("side", runs);
}

/// page-table 3,000 ns and attention 5,000 ns, or what is given.
TracedShape shape(std::int64_t attention, std::int64_t untraced = 8000) {
    TracedShape shape;
    shape.ops = {{OpKind::page_table, 3000}, {OpKind::attention, attention}};
    shape.untraced = untraced;
    return shape;
}

std::vector<std::string> names(const LedgerDelta& delta) {
    std::vector<std::string> names;
    for (const LedgerLine& line : delta.lines) {
        names.push_back(line.name);
    }
    return names;
}

double sum_of(const LedgerDelta& delta) {
    return std::accumulate(
        delta.lines.begin(),
        delta.lines.end(),
        0.0,
        [](double sum, const LedgerLine& line) { return sum + line.change.value; }
    );
}

TEST(LedgerDelta, PutsAnInjectedDelayWhereItWas) {
    const auto delta = ledger_delta(side({shape(5000)}), side({shape(5700)}));
    ASSERT_TRUE(delta.has_value());
    EXPECT_THAT(
        names(*delta),
        ElementsAre(
            "attention",
            "page-table",
            "overlap",
            "gaps between records",
            "tail to the next step",
            "unexplained"
        )
    );
    EXPECT_NEAR(delta->lines[0].change.value, 700.0, 1e-6);
    EXPECT_NEAR(delta->lines[1].change.value, 0.0, 1e-6);
    EXPECT_NEAR(delta->kernels.value, 700.0, 1e-6);
    EXPECT_NEAR(delta->traced.value, 700.0, 1e-6);
}

TEST(LedgerDelta, AddsUpExactly) {
    TracedShape other = shape(5333);
    other.overlap = 777;
    other.gap = 1234;
    other.tail = 99;
    other.edges = {17, 23, 5};
    const auto delta =
        ledger_delta(side({shape(5000), shape(5011)}), side({other, shape(6001), shape(6100)}));
    ASSERT_TRUE(delta.has_value());
    EXPECT_DOUBLE_EQ(delta->traced.value, sum_of(*delta));
    const double ops = delta->lines[0].change.value + delta->lines[1].change.value;
    EXPECT_DOUBLE_EQ(delta->kernels.value, ops);
    EXPECT_EQ(delta->base_runs, 2U);
    EXPECT_EQ(delta->candidate_runs, 3U);
}

TEST(LedgerDelta, CountsAnOpThatASideDoesNotHaveAsNothing) {
    TracedShape other = shape(5000);
    other.ops[0].op = OpKind::token_stream;
    const auto delta = ledger_delta(side({shape(5000)}), side({other}));
    const auto line = [&](const std::string& name) {
        return *std::find_if(delta->lines.begin(), delta->lines.end(), [&](const LedgerLine& each) {
            return each.name == name;
        });
    };
    EXPECT_NEAR(line("page-table").change.value, -3000.0, 1e-6);
    EXPECT_EQ(line("page-table").candidate, 0.0);
    EXPECT_NEAR(line("token-stream").change.value, 3000.0, 1e-6);
}

TEST(LedgerDelta, HasWelchsIntervalOverRuns) {
    const auto delta =
        ledger_delta(side({shape(5000), shape(5020)}), side({shape(5700), shape(5720)}));
    // Means 700 apart; each has a variance of 200/2, and Welch two degrees: 4.3027 sqrt(200).
    ASSERT_TRUE(delta->lines[0].change.interval.has_value());
    EXPECT_NEAR(delta->lines[0].change.value, 700.0, 1e-6);
    EXPECT_NEAR(margin_of(delta->lines[0].change), 4.302653 * std::sqrt(200.0), 1e-3);
}

TEST(LedgerDelta, ResamplesSumsOverKernelsFromFiveRunsOn) {
    const auto base = side({shape(5000), shape(5000), shape(5000), shape(5000), shape(5100)});
    const auto candidate = side({shape(5700), shape(5700), shape(5700), shape(5700), shape(5700)});
    const auto delta = ledger_delta(base, candidate);
    EXPECT_NEAR(delta->kernels.value, 680.0, 1e-6);
    // The mean of five drawn of 5000 (four times) and 5100: 0 to 3 of the latter in 95 %.
    EXPECT_NEAR(delta->kernels.interval->low, 640.0, 1e-6);
    EXPECT_NEAR(delta->kernels.interval->high, 700.0, 1e-6);
    EXPECT_EQ(ledger_delta(base, candidate)->kernels, delta->kernels);
}

TEST(LedgerDelta, CombinesTheRunsOwnIntervalsWhereASideHasOneRun) {
    const auto delta = ledger_delta(side({shape(5000)}), side({shape(5700)}));
    ASSERT_TRUE(delta->lines[0].change.interval.has_value()); // every step alike: of no width
    EXPECT_NEAR(margin_of(delta->lines[0].change), 0.0, 1e-6);
}

TEST(LedgerDelta, LeavesWhatKernelsDoNotExplain) {
    const auto delta = ledger_delta(side({shape(5000, 8000)}), side({shape(5700, 8715)}));
    EXPECT_NEAR(delta->untraced->value, 715.0, 1e-6);
    EXPECT_NEAR(delta->rest->value, 15.0, 1e-6);
    EXPECT_FALSE(delta->is_finding); // under a quarter of the change
}

TEST(LedgerDelta, FindsAStepThatItsKernelsDoNotExplain) {
    const auto more = ledger_delta(side({shape(5000, 8000)}), side({shape(5700, 9000)}));
    EXPECT_NEAR(more->rest->value, 300.0, 1e-6);
    EXPECT_TRUE(more->is_finding);
    // The same with runs that differ by more than that.
    const auto noisy = ledger_delta(
        side({shape(5000, 8000), shape(5000, 8900)}), side({shape(5700, 9000), shape(5700, 9900)})
    );
    EXPECT_NEAR(noisy->rest->value, 300.0, 1e-6);
    EXPECT_FALSE(noisy->is_finding);
}

TEST(LedgerDelta, NeedsATracedRunOnBothSides) {
    Side untraced = side({shape(5000)});
    untraced.runs[0].passes.clear();
    EXPECT_FALSE(ledger_delta(side({shape(5000)}), untraced).has_value());
    EXPECT_FALSE(ledger_delta(untraced, side({shape(5000)})).has_value());
}

} // namespace
} // namespace kvprof::analyzers
