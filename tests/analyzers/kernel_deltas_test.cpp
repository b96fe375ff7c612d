#include "analyzers/kernel_deltas.h"

#include "analyzers/compare.h"
#include "analyzers/comparison_sections.h"
#include "analyzers/json_rows.h"
#include "analyzers/json_traces.h"
#include "capture/model/error.h"
#include "capture/model/params.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace kvprof::analyzers {
namespace {

using test::step_run;
using testing::ElementsAre;

constexpr std::int64_t kSteps = 10;

KernelStat kernel(const char* name, std::int64_t ns_a_step, std::int64_t blocks = 1) {
    KernelStat stat;
    stat.op = OpKind::token_stream;
    stat.placement = Placement::in;
    stat.name = name;
    stat.grid = {blocks, 1, 1};
    stat.block = {128, 1, 1};
    stat.launches = kSteps;
    stat.time = std::chrono::nanoseconds(ns_a_step * kSteps);
    return stat;
}

/// A run of one traced batch of ten steps of 100 us each.
kvprof::Run traced(std::vector<KernelStat> kernels, std::int64_t step_us = 100) {
    kvprof::Run run = step_run(IndexMode::stream, {step_us});
    PassResult nodes;
    nodes.pass = Pass::nodes;
    nodes.steps = kSteps;
    nodes.batches = {{0, kSteps, std::chrono::microseconds(100 * kSteps), {}, {}}};
    run.passes = {nodes};
    run.environment.binary = "one program";
    run.kernels = std::move(kernels);
    return run;
}

std::vector<KernelDelta>
deltas(const std::vector<kvprof::Run>& base, const std::vector<kvprof::Run>& candidate) {
    return kernel_deltas(side_of("a", base), side_of("b", candidate), 0.05);
}

TEST(KernelDeltas, AreOfOneStepAndInOrderOfTheirChange) {
    const std::vector<KernelDelta> rows = deltas(
        {traced({kernel("small", 1000), kernel("large", 9000)})},
        {traced({kernel("small", 1500), kernel("large", 5000)})}
    );
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].name, "large");
    EXPECT_EQ(rows[0].change_ns, -4000.0);
    EXPECT_EQ(rows[0].base_launches, 1.0);
    EXPECT_NEAR(rows[0].of_step, 0.09, 1e-12);
    EXPECT_EQ(rows[1].change_ns, 500.0);
    EXPECT_EQ(rows[1].reason, "one traced run a side");
    EXPECT_FALSE(rows[1].test.has_value());
}

TEST(KernelDeltas, AddUpTheGeometriesOfAKernel) {
    const std::vector<KernelDelta> rows = deltas(
        {traced({kernel("k", 1000, 1), kernel("k", 2000, 2)})}, {traced({kernel("k", 5000)})}
    );
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].base_median, 3000.0);
    EXPECT_EQ(rows[0].base_launches, 2.0);
}

TEST(KernelDeltas, KeepOpsAndPlacementsApart) {
    KernelStat outside = kernel("k", 1000);
    outside.placement = Placement::out;
    KernelStat other = kernel("k", 1000);
    other.op = OpKind::repack;
    EXPECT_EQ(
        deltas({traced({kernel("k", 1000), outside, other})}, {traced({kernel("k", 1000)})}).size(),
        3U
    );
}

TEST(KernelDeltas, ListWhatOneSideAloneHas) {
    const std::vector<KernelDelta> rows =
        deltas({traced({kernel("old", 8000)})}, {traced({kernel("new", 3000)})});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].reason, "gone");
    EXPECT_EQ(rows[0].candidate_launches, 0.0);
    EXPECT_EQ(rows[1].reason, "new");
    EXPECT_EQ(rows[1].change_ns, 3000.0);
}

TEST(KernelDeltas, HaveOneValueForEachTracedRun) {
    const std::vector<KernelDelta> rows = deltas(
        {traced({kernel("k", 8000)}),
         step_run(IndexMode::stream, {100}),
         traced({kernel("k", 8200)})},
        {traced({kernel("k", 9000)}), traced({})}
    );
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_THAT(rows[0].base_ns, ElementsAre(8000.0, 8200.0));
    EXPECT_THAT(rows[0].candidate_ns, ElementsAre(9000.0, 0.0)); // a step without it spends none
}

TEST(KernelDeltas, TakeTheirShareOfTheUntracedStepsChange) {
    const std::vector<KernelDelta> rows =
        deltas({traced({kernel("k", 8000)}, 100)}, {traced({kernel("k", 12000)}, 105)});
    EXPECT_NEAR(*rows[0].of_step_change, 0.8, 1e-12);
    const std::vector<KernelDelta> still =
        deltas({traced({kernel("k", 8000)}, 100)}, {traced({kernel("k", 12000)}, 100)});
    EXPECT_FALSE(still[0].of_step_change.has_value());
}

TEST(KernelDeltas, KnowFieldsByTheirNames) {
    const std::vector<Param> params = to_params(StepSpec{});
    for (const std::string_view field : fields_that_keep_work()) {
        EXPECT_TRUE(std::any_of(params.begin(), params.end(), [&](const Param& param) {
            return param.name == field;
        })) << field;
    }
}

TEST(KernelDeltas, HaveNoShareOfAChangeThatIsNoise) {
    const auto share = [](std::size_t runs, std::int64_t candidate_us) {
        const std::vector<kvprof::Run> base(runs, traced({kernel("k", 8000)}, 100));
        const std::vector<kvprof::Run> candidate(runs, traced({kernel("k", 12000)}, candidate_us));
        return compare(side_of("a", base), side_of("b", candidate)).kernels[0].of_step_change;
    };
    EXPECT_NEAR(*share(6, 105), 0.8, 1e-12);
    EXPECT_FALSE(share(1, 105).has_value()); // one run has no interval
    EXPECT_FALSE(share(6, 100).has_value());
}

TEST(KernelDeltas, TestByRanksWhatTakesAThousandthOfTheStep) {
    std::vector<kvprof::Run> base;
    std::vector<kvprof::Run> candidate;
    for (std::int64_t i = 0; i < 5; ++i) {
        base.push_back(traced({kernel("k", 8000 + i), kernel("tiny", 99)}));
        candidate.push_back(traced({kernel("k", 9000 + i), kernel("tiny", 50)}));
    }
    const std::vector<KernelDelta> rows = deltas(base, candidate);
    ASSERT_TRUE(rows[0].test.has_value());
    EXPECT_EQ(rows[0].test->method, RankMethod::rank_sum);
    EXPECT_NEAR(rows[0].test->p, 2.0 / 252.0, 1e-12);
    EXPECT_EQ(rows[1].reason, "below 0.1 % of the step");
    EXPECT_FALSE(rows[1].test.has_value());
}

TEST(KernelDeltas, KnowKernelsThatCanNotHaveChanged) {
    EXPECT_TRUE(deltas({traced({kernel("k", 1)})}, {traced({kernel("k", 2)})})[0].has_same_code);
    EXPECT_FALSE(deltas({traced({kernel("k", 1)})}, {traced({kernel("k", 2, 7)})})[0].has_same_code
    );
    kvprof::Run other = traced({kernel("k", 2)});
    other.environment.binary = "another program";
    EXPECT_FALSE(deltas({traced({kernel("k", 1)})}, {other})[0].has_same_code);
    kvprof::Run unknown = traced({kernel("k", 1)});
    unknown.environment.binary.clear();
    EXPECT_FALSE(deltas({unknown}, {unknown})[0].has_same_code);
}

TEST(KernelDeltas, TakeNoKernelWithOtherWorkForAControl) {
    kvprof::Run longer = traced({kernel("k", 2)});
    longer.step.seq_len = 16'000;
    EXPECT_FALSE(deltas({traced({kernel("k", 1)})}, {longer})[0].has_same_code);
    kvprof::Run other_mode = traced({kernel("k", 2)});
    other_mode.step.index_mode = IndexMode::rectangle;
    EXPECT_TRUE(deltas({traced({kernel("k", 1)})}, {other_mode})[0].has_same_code);
}

TEST(KernelDeltas, NameCopiesByTheirDirection) {
    KernelStat copy = kernel("", 500);
    copy.kind = ActivityKind::memory_copy;
    copy.copy = CopyKind::host_to_device;
    const std::vector<KernelDelta> rows = deltas({traced({copy})}, {traced({copy})});
    EXPECT_EQ(rows[0].name, "(copy host-to-device)");
    EXPECT_FALSE(rows[0].has_same_code); // it has none
}

/// A capture of kSteps steps that nobody timed.
kvprof::Run imported(std::vector<KernelStat> kernels) {
    kvprof::Run run = step_run(IndexMode::stream, {});
    run.profile.emplace();
    PassResult nodes;
    nodes.pass = Pass::nodes;
    nodes.steps = kSteps;
    run.passes = {nodes};
    for (KernelStat& kernel : kernels) {
        kernel.op.reset();
        kernel.placement = Placement::out;
    }
    run.kernels = std::move(kernels);
    return run;
}

TEST(KernelDeltas, OfImportedSidesAreSharesOfTheirKernelTime) {
    KernelStat copy = kernel("copy", 90'000); // no kernel
    copy.kind = ActivityKind::memory_copy;
    const std::vector<kvprof::Run> base(
        3, imported({kernel("large", 9'000), kernel("small", 991), kernel("tiny", 9), copy})
    );
    const std::vector<kvprof::Run> candidate(
        3, imported({kernel("large", 4'000), kernel("small", 991), kernel("tiny", 4), copy})
    );
    EXPECT_EQ(step_of_kernels(side_of("a", base)), 10'000.0);
    const std::vector<KernelDelta> rows = deltas(base, candidate);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].name, "large");
    EXPECT_NEAR(rows[0].of_step, 0.9, 1e-12);
    EXPECT_TRUE(rows[0].test.has_value());
    EXPECT_EQ(rows[1].name, "tiny");
    EXPECT_EQ(rows[1].reason, "below 0.1 % of the kernel time");
}

TEST(KernelDeltas, OfOneCaptureASideAreListedAndNotTested) {
    const std::vector<kvprof::Run> base{imported({kernel("k", 9'000)})};
    const std::vector<kvprof::Run> candidate{imported({kernel("k", 8'000)})};
    const std::vector<KernelDelta> rows = deltas(base, candidate);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].reason, "one capture a side");
    const Comparison comparison = compare(side_of("a", base), side_of("b", candidate));
    const Section section = kernel_deltas_section(comparison, Policy{});
    ASSERT_EQ(section.table->rows().size(), 1U);
    EXPECT_EQ(section.table->rows()[0].back().text, "one capture a side");
}

TEST(KernelDeltas, OfSeveralCapturesAreJudgedByTheirKernelTime) {
    const auto captures = [](std::int64_t ns) {
        std::vector<kvprof::Run> runs;
        for (std::int64_t i = 0; i < 5; ++i) {
            // One launch a step of a step of a second: 0.1 % of it is 1 ms.
            runs.push_back(imported({kernel("rest", 1'000'000'000), kernel("k", ns + i)}));
        }
        return runs;
    };
    const auto judged = [&](std::int64_t ns) {
        const Comparison comparison =
            compare(side_of("a", captures(2'000'000)), side_of("b", captures(ns)));
        EXPECT_EQ(comparison.kernels.at(0).name, "k");
        return comparison.kernels.at(0).verdict;
    };
    EXPECT_EQ(judged(2'500'000), Verdict::same); // 25 % of the kernel, 0.05 % of the step
    EXPECT_EQ(judged(3'500'000), Verdict::regressed);
}

TEST(KernelDeltas, KnowNoPlacementWithoutAnOp) {
    const std::vector<KernelDelta> rows =
        deltas({imported({kernel("k", 9'000)})}, {imported({kernel("k", 8'000)})});
    EXPECT_TRUE(kernel_object(rows.at(0))["placement"].is_null());
    EXPECT_EQ(
        kernel_object(deltas({traced({kernel("k", 1)})}, {traced({kernel("k", 1)})}).at(0)
        )["placement"],
        "in"
    );
    EXPECT_TRUE(traces(imported({kernel("k", 9'000)}))["kernels"][0]["placement"].is_null());
}

TEST(KernelDeltas, RefuseANeighbourThatTheRunDoesNotHave) {
    for (const std::int64_t other : {1, -1}) {
        for (const KernelNeighbours& wrong :
             {KernelNeighbours{other, {}, 0},
              KernelNeighbours{0, other, {}},
              KernelNeighbours{0, {}, other}}) {
            kvprof::Run run = imported({kernel("k", 9'000)});
            run.profile->neighbours = {wrong};
            try {
                std::ignore = deltas({run}, {run});
                FAIL() << other;
            } catch (const BadDataError& error) {
                EXPECT_THAT(error.what(), testing::HasSubstr(run.uuid));
                EXPECT_THAT(
                    error.what(), testing::HasSubstr("kernel " + std::to_string(other) + " of 1")
                );
            }
        }
    }
}

/// Five traced runs a side whose one kernel takes these times, launched ten times a step.
KernelDelta judged(std::int64_t base_ns, std::int64_t candidate_ns, CompareOptions how = {}) {
    std::vector<kvprof::Run> base;
    std::vector<kvprof::Run> candidate;
    for (std::int64_t i = 0; i < 5; ++i) {
        for (const auto& [runs, ns] :
             {std::pair{&base, base_ns}, std::pair{&candidate, candidate_ns}}) {
            KernelStat stat = kernel("k", ns + i);
            stat.launches = kSteps * 10;
            runs->push_back(traced({stat}));
            runs->back().environment.binary.clear(); // no control of itself
        }
    }
    return compare(side_of("a", base), side_of("b", candidate), how).kernels.at(0);
}

TEST(JudgedKernels, RegressBeyondAllThreeLimits) {
    EXPECT_EQ(judged(20'000, 24'000).verdict, Verdict::regressed);
    EXPECT_EQ(judged(24'000, 20'000).verdict, Verdict::improved);
}

TEST(JudgedKernels, AreTheSameInsideAnyOneLimit) {
    EXPECT_EQ(judged(20'000, 20'500).verdict, Verdict::same); // 2.5 %
    EXPECT_EQ(judged(20'000, 21'500).verdict, Verdict::same); // 150 ns a launch
    EXPECT_EQ(judged(20'000, 22'500).verdict, Verdict::regressed);
}

TEST(JudgedKernels, JoinThePrimaryRowsWhenThePolicySaysSo) {
    CompareOptions how;
    how.policy.primary = {"step_time", "kernels"};
    EXPECT_EQ(judged(20'000, 24'000, how).test->tests, 2U);
}

TEST(JudgedKernels, DecideTheWholeOnlyAsPrimaryOnes) {
    const auto whole = [](const std::vector<std::string>& primary) {
        std::vector<kvprof::Run> base;
        std::vector<kvprof::Run> candidate;
        for (std::int64_t i = 0; i < 5; ++i) {
            base.push_back(traced({kernel("k", 20'000 + i)}));
            candidate.push_back(traced({kernel("k", 24'000 + i)}));
        }
        CompareOptions how;
        how.policy.primary = primary;
        return compare(side_of("a", base), side_of("b", candidate), how).verdict;
    };
    EXPECT_EQ(whole({"step_time"}), Verdict::same);
    EXPECT_EQ(whole({"step_time", "kernels"}), Verdict::regressed);
}

} // namespace
} // namespace kvprof::analyzers
