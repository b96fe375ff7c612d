#include "capture/workload/index_tuning.h"

#include "capture/model/error.h"
#include "capture/workload/contents.h"
#include "capture/workload/lower.h"
#include "capture/workload/plan_buffers.h"
#include "capture/workload/step_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace {

using namespace kvprof;
using kernels::Split;
using kernels::Tuning;
using testing::HasSubstr;
using workload::tuned;

constexpr Tuning kSome{
    .threads = 256,
    .items = 8,
    .target_blocks = 1000,
    .split = Split::balanced,
    .starts_early = true};

StepSpec small() {
    StepSpec spec;
    spec.preset = "tiny-mla";
    spec.batch = 2;
    spec.max_batch = 4;
    spec.max_context = 256;
    spec.seq_len = 64;
    return spec;
}

MeasureSpec alone(const char* op) {
    MeasureSpec how;
    how.op = op;
    return how;
}

/// The refusal and its hint; empty where the step is planned.
std::string refusal_of(const StepSpec& spec, const MeasureSpec& how = {}) {
    try {
        static_cast<void>(workload::plan_step(spec, how));
    } catch (const UsageError& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return {};
}

/// The tuning of the first launch of this kind, lowered over imagined buffers.
template<typename Call>
std::optional<Tuning> launched(const StepSpec& spec, const MeasureSpec& how = {}) {
    const workload::StepPlan plan = workload::plan_step(spec, how);
    const workload::BufferTable places = workload::imagined_places(plan);
    const workload::Views views{plan, places};
    workload::Commands commands;
    for (const workload::PlannedOp& op : plan.ops) {
        workload::lower_op(views, op, 0, commands);
    }
    for (const workload::Command& command : commands) {
        const auto* const call = std::get_if<kernels::KernelCall>(&command.action);
        if (call != nullptr && std::holds_alternative<Call>(*call)) {
            return std::get<Call>(*call).tuning;
        }
    }
    return std::nullopt;
}

TEST(IndexTuning, WithoutOptionsIsWhatIsShipped) {
    EXPECT_EQ(tuned({}, kSome), kSome);
    EXPECT_FALSE(workload::is_tuned({}));
    EXPECT_EQ(launched<kernels::TokenStreamCall>(small()), kernels::kTokenStreamTuning);
}

TEST(IndexTuning, EachOptionTakesThePlaceOfOneMember) {
    StepSpec spec;
    spec.index_threads = 128;
    EXPECT_EQ(tuned(spec, kSome), (Tuning{128, 8, 1000, Split::balanced, true}));
    spec.index_items = 4;
    EXPECT_EQ(tuned(spec, kSome), (Tuning{128, 4, 1000, Split::balanced, true}));
    spec.index_blocks = 528;
    EXPECT_EQ(tuned(spec, kSome), (Tuning{128, 4, 528, Split::balanced, true}));
    spec.index_split = IndexSplit::flat;
    EXPECT_EQ(tuned(spec, kSome), (Tuning{128, 4, 528, Split::flat, true}));
    EXPECT_TRUE(workload::is_tuned(spec));
    spec.launch_edges = LaunchEdges::full;
    EXPECT_EQ(tuned(spec, kSome), (Tuning{128, 4, 528, Split::flat, false}));
}

TEST(IndexTuning, ReachesTheStreamAndTheTable) {
    StepSpec spec = small();
    spec.index_split = IndexSplit::balanced;
    spec.index_threads = 512;
    spec.index_items = 4;
    spec.index_blocks = 264;
    spec.launch_edges = LaunchEdges::programmatic;
    const Tuning wanted{512, 4, 264, Split::balanced, true};
    EXPECT_EQ(launched<kernels::TokenStreamCall>(spec), wanted);
    EXPECT_EQ(launched<kernels::TokenStreamCall>(spec, alone("token-stream")), wanted);
    EXPECT_EQ(launched<kernels::PageTableCall>(spec, alone("page-table")), wanted);
    spec.index_mode = IndexMode::rectangle;
    EXPECT_EQ(launched<kernels::PageTableCall>(spec), wanted);
}

TEST(IndexTuning, WhatIsNotCompiledIsRefusedWithWhatIs) {
    StepSpec spec = small();
    spec.index_items = 4;
    spec.index_threads = 96;
    EXPECT_THAT(refusal_of(spec), HasSubstr("the token stream is not compiled with 96 threads"));
    EXPECT_THAT(refusal_of(spec), HasSubstr("--index-threads takes 128, 256, 512"));
    spec.index_threads = 128;
    EXPECT_EQ(refusal_of(spec), "");
    spec.index_items = 3;
    EXPECT_THAT(refusal_of(spec), HasSubstr("3 items"));
    spec.index_items = 4;
    spec.index_blocks = 65'536;
    EXPECT_THAT(refusal_of(spec), HasSubstr("65536 blocks"));
    spec.index_blocks = -1;
    EXPECT_THAT(refusal_of(spec), HasSubstr("-1 blocks"));
    spec.index_blocks = std::int64_t{1} << 40;
    EXPECT_THAT(refusal_of(spec), HasSubstr("2147483647 blocks"));
}

TEST(IndexTuning, AStepThatLaunchesNeitherKernelTakesNoChoice) {
    StepSpec spec = small();
    spec.index_threads = 128;
    spec.index_items = 4;
    EXPECT_THAT(refusal_of(spec, alone("indptr")), HasSubstr("have no effect on this step"));
    spec.grid = Grid::ctx;
    EXPECT_THAT(refusal_of(spec), HasSubstr("--grid ctx has a geometry of its own"));
    spec.grid = Grid::automatic;
    spec.index_mode = IndexMode::rectangle;
    spec.table = LaunchForm::eager;
    EXPECT_THAT(refusal_of(spec), HasSubstr("have no effect on this step"));
    spec = small();
    spec.pool = PoolKind::statik;
    spec.index_blocks = 264;
    EXPECT_THAT(refusal_of(spec), HasSubstr("have no effect on this step"));
}

/// Of every captured and fixed launch that has the choice: whether it starts early.
std::vector<bool> early_starts(const StepSpec& spec) {
    const workload::StepPlan plan = workload::plan_step(spec, {});
    workload::StepProgram program(
        plan, workload::imagined_places(plan), workload::make_state(plan)
    );
    workload::Commands commands = program.next_step();
    commands.insert(commands.end(), program.captured().begin(), program.captured().end());
    std::vector<bool> starts;
    const auto look = [&](const auto& call) {
        if constexpr (requires { call.starts_early; }) {
            starts.push_back(call.starts_early);
        }
        if constexpr (requires { call.tuning.starts_early; }) {
            starts.push_back(call.tuning.starts_early);
        }
    };
    for (const workload::Command& command : commands) {
        if (const auto* kernel = std::get_if<kernels::KernelCall>(&command.action)) {
            std::visit(look, *kernel);
        }
    }
    return starts;
}

TEST(LaunchEdges, AreOneChoiceForAllKernelsThatHaveIt) {
    StepSpec spec = small();
    spec.indptr = LaunchForm::fused; // row starts, stream and write locations
    EXPECT_THAT(early_starts(spec), testing::ElementsAre(true, true, true));
    spec.launch_edges = LaunchEdges::full;
    EXPECT_THAT(early_starts(spec), testing::ElementsAre(false, false, false));
    spec.placement = Placement::in;
    EXPECT_THAT(early_starts(spec), testing::ElementsAre(false, false, false));
}

TEST(LongLane, NeedsItsLengthAndItsLaw) {
    StepSpec spec = small();
    spec.length_law = LengthLaw::one_long;
    EXPECT_THAT(refusal_of(spec), HasSubstr("--long-len 0 is below 1"));
    spec.long_len = 300;
    EXPECT_THAT(refusal_of(spec), HasSubstr("(--long-len 300,"));
    EXPECT_THAT(refusal_of(spec), HasSubstr("raise --max-context to 300"));
    spec.long_len = 200;
    EXPECT_EQ(refusal_of(spec), "");
    spec.length_law = LengthLaw::constant;
    EXPECT_THAT(refusal_of(spec), HasSubstr("has no effect under --length-law constant"));
}

} // namespace
