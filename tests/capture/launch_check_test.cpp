#include "capture/launch_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// Per cycle of 2 steps: 2 copies and 8 launches of write-loc before the replay; a table of one
/// node in the graph.
workload::StepCounts planned() {
    workload::StepCounts counts;
    counts.steps = 2;
    counts.ops = {
        {OpKind::lane_inputs, Stage::inputs, Placement::out, 0, 2},
        {OpKind::write_loc, Stage::write, Placement::out, 8, 0},
        {OpKind::page_table, Stage::metadata, Placement::in, 2, 0}};
    counts.graph_nodes = 1;
    return counts;
}

ApiStat call(OpKind op, ApiKind kind, bool is_captured, std::int64_t calls) {
    ApiStat stat;
    stat.call = "a function";
    stat.kind = kind;
    stat.role = Role::op;
    stat.op = op;
    stat.is_captured = is_captured;
    stat.calls = calls;
    return stat;
}

/// What ten steps of the plan call.
std::vector<ApiStat> calls() {
    return {
        call(OpKind::lane_inputs, ApiKind::memory_copy, false, 10),
        call(OpKind::write_loc, ApiKind::kernel_launch, false, 40),
        call(OpKind::page_table, ApiKind::kernel_launch, true, 1)};
}

TEST(LaunchCheck, CallsThatAreThePlansAgree) {
    EXPECT_THAT(compare_calls(calls(), 10, 1, planned()), IsEmpty());
}

TEST(LaunchCheck, EachGraphIsCapturedOnce) {
    auto seen = calls();
    EXPECT_THAT(compare_calls(seen, 10, 3, planned()), HasSubstr("page-table"));
    seen.back().calls = 3;
    EXPECT_THAT(compare_calls(seen, 10, 3, planned()), IsEmpty());
}

TEST(LaunchCheck, AMissingLaunchNamesItsOpAndBothCounts) {
    auto seen = calls();
    seen[1].calls = 39;
    EXPECT_THAT(
        compare_calls(seen, 10, 1, planned()),
        AllOf(HasSubstr("write-loc"), HasSubstr("39 kernels"), HasSubstr("40 and 0"))
    );
}

TEST(LaunchCheck, AnOpThatThePlanDoesNotHaveIsFound) {
    auto seen = calls();
    seen.push_back(call(OpKind::repack, ApiKind::kernel_launch, false, 10));
    EXPECT_THAT(compare_calls(seen, 10, 1, planned()), HasSubstr("repack"));
}

TEST(LaunchCheck, CallsOfTheReplayItselfAreNoOps) {
    auto seen = calls();
    ApiStat replay = call(OpKind::page_table, ApiKind::graph_launch, false, 10);
    replay.role = Role::replay;
    replay.op.reset();
    seen.push_back(replay);
    EXPECT_THAT(compare_calls(seen, 10, 1, planned()), IsEmpty());
}

TEST(LaunchCheck, RecordsPerOpAreThoseOfThePlan) {
    std::vector<OpSample> samples;
    for (std::int64_t step = 0; step < 4; ++step) {
        samples.push_back({step, OpKind::lane_inputs, Placement::out, 1, {}});
        samples.push_back({step, OpKind::write_loc, Placement::out, 4, {}});
        samples.push_back({step, OpKind::page_table, Placement::in, 1, {}});
    }
    EXPECT_THAT(compare_records(samples, 4, planned()), IsEmpty());
    samples.back().records = 2;
    EXPECT_THAT(
        compare_records(samples, 4, planned()),
        AllOf(HasSubstr("page-table"), HasSubstr("5 pieces"))
    );
    samples.back() = {3, OpKind::page_table, Placement::in, 1, {}};
    samples.push_back({3, OpKind::attention, Placement::in, 1, {}});
    EXPECT_THAT(compare_records(samples, 4, planned()), HasSubstr("attention"));
}

} // namespace
