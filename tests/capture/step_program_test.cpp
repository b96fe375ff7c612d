#include "capture/host/host_memory.h"
#include "capture/workload/command.h"
#include "capture/workload/lanes.h"
#include "tests/workload/chain_rig.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;
using workload::BufferId;

std::vector<float> outputs_of(const StepSpec& spec, std::int64_t steps = 1) {
    const StepRig rig(spec);
    rig.run(steps);
    const auto& heads = rig.plan.full.heads;
    const std::int64_t lane = heads.query_heads * heads.dim_v;
    std::vector<float> live;
    for (std::int64_t layer = 0; layer < rig.plan.full.read_layers; ++layer) {
        const auto rows =
            rig.values<float>(BufferId::output, spec.batch * lane, layer * rig.plan.bucket * lane);
        live.insert(live.end(), rows.begin(), rows.end());
    }
    return live;
}

StepSpec with_pool(StepSpec spec, PoolKind pool, IndexMode mode) {
    spec.pool = pool;
    spec.index_mode = mode;
    return spec;
}

class EndUse : public testing::TestWithParam<std::int64_t> {};

TEST_P(EndUse, P21AttentionIsTheSameOnEveryPoolAndIndexMode) {
    StepSpec spec = small_step();
    spec.page_size = GetParam();
    const auto expected = outputs_of(with_pool(spec, PoolKind::statik, IndexMode::stream));
    EXPECT_EQ(outputs_of(with_pool(spec, PoolKind::statik, IndexMode::rectangle)), expected);
    EXPECT_EQ(outputs_of(with_pool(spec, PoolKind::unified, IndexMode::stream)), expected);
    EXPECT_EQ(outputs_of(with_pool(spec, PoolKind::unified, IndexMode::rectangle)), expected);
    spec.fragmentation = Fragmentation::compacted;
    EXPECT_EQ(outputs_of(with_pool(spec, PoolKind::unified, IndexMode::stream)), expected);
}

INSTANTIATE_TEST_SUITE_P(PageSizes, EndUse, testing::Values(1, 2, 3, 4, 16, 64));

TEST(StepProgram, P21AttentionIsTheSameAfterTenStepsOfChurnOnEitherPool) {
    StepSpec spec = small_step();
    spec.churn = 0.25;
    const auto expected = outputs_of(with_pool(spec, PoolKind::statik, IndexMode::stream), 10);
    EXPECT_EQ(outputs_of(with_pool(spec, PoolKind::unified, IndexMode::stream), 10), expected);
    spec.alloc = LaunchForm::eager;
    spec.page_size = 4;
    EXPECT_EQ(outputs_of(with_pool(spec, PoolKind::unified, IndexMode::rectangle), 10), expected);
}

TEST(StepProgram, P7TheWriteLocationOfTheNewestTokenIsItsStreamId) {
    StepSpec spec = small_step();
    spec.page_size = 4;
    const StepRig rig(spec);
    rig.run();
    const auto locations = rig.values<std::int64_t>(BufferId::write_loc, spec.batch);
    const auto ends = rig.values<std::int32_t>(BufferId::indptr, spec.batch + 1);
    for (std::int64_t lane = 0; lane < spec.batch; ++lane) {
        const auto last = ends[static_cast<std::size_t>(lane) + 1] - 1;
        const auto newest = rig.values<std::int32_t>(BufferId::stream, 1, last).front();
        EXPECT_EQ(newest, locations[static_cast<std::size_t>(lane)]);
    }
}

TEST(StepProgram, P18PaddedLanesReadTheSinkAndLeaveLiveLanesAlone) {
    StepSpec spec = small_step(); // 3 lanes run in a bucket of 4
    const StepRig padded(spec);
    spec.max_batch = 3; // the largest bucket is the batch itself
    const StepRig exact(spec);
    ASSERT_EQ(padded.plan.bucket, 4);
    ASSERT_EQ(exact.plan.bucket, 3);
    padded.run();
    exact.run();
    EXPECT_EQ(
        padded.values<std::int32_t>(BufferId::stream, 60),
        exact.values<std::int32_t>(BufferId::stream, 60)
    );
    EXPECT_THAT(
        padded.values<std::int32_t>(BufferId::indptr, 5), testing::ElementsAre(0, 20, 40, 60, 61)
    );
    EXPECT_EQ(padded.values<std::int32_t>(BufferId::stream, 1, 60).front(), 0);
    EXPECT_EQ(padded.values<std::int64_t>(BufferId::write_loc, 1, 3).front(), 0);
}

/// Whether [address, address + bytes) lies in one of the plan's buffers.
bool is_inside(const StepRig& rig, const workload::BufferTable& table, const void* address) {
    for (const workload::BufferSpec& buffer : rig.plan.buffers) {
        const auto* const start = table.at<std::byte>(buffer.id);
        if (address >= start && address < start + buffer.bytes()) {
            return true;
        }
    }
    return false;
}

TEST(StepProgram, P20EveryCopyOfAStepStaysInTheExecutorsMemory) {
    StepSpec spec = small_step();
    spec.churn = 0.5;
    const StepRig rig(spec);
    host::HostMemory memory(rig.plan.buffers);
    workload::StepProgram program(rig.plan, memory.table(), rig.state);
    int copies = 0;
    for (int step = 0; step < 4; ++step) {
        for (const workload::Command& command : program.next_step()) {
            if (const auto* copy = std::get_if<workload::CopyMemory>(&command.action)) {
                ++copies;
                EXPECT_TRUE(is_inside(rig, memory.table(), copy->to)) << to_string(command.op);
                EXPECT_TRUE(is_inside(rig, memory.table(), copy->from)) << to_string(command.op);
            }
        }
    }
    EXPECT_GE(copies, 4);
}

/// The allocator model and the step's scheduler, driven alike, must hold the same pages: holes
/// first, oldest first, then a run past the watermark.
TEST(StepProgram, P9TheSchedulerAllocatesAsThePoolChainDoes) {
    for (const std::int64_t page_size : {1, 4}) {
        StepSpec spec = small_step();
        spec.churn = 0.2;
        spec.page_size = page_size;
        spec.fragmentation = Fragmentation::identity;
        const StepRig rig(spec);
        test::ChainRig chain(rig.plan);
        const auto expect_equal = [&](std::int64_t step) {
            const std::int64_t pages = rig.plan.full.num_pages + 1;
            EXPECT_EQ(rig.values<std::int64_t>(BufferId::full_v2p, pages), chain.v2p()) << step;
            EXPECT_EQ(rig.values<std::int64_t>(BufferId::full_p2v, pages), chain.p2v()) << step;
        };
        expect_equal(0);
        for (std::int64_t step = 1; step <= 23; ++step) {
            rig.run();
            chain.advance(step);
            expect_equal(step);
        }
        chain.check_invariants();
    }
}

TEST(StepProgram, ChurnGrowsEveryLaneByATokenAndReplacesOneInTurn) {
    StepSpec spec = small_step();
    spec.churn = 0.25; // a request lives 4 steps
    const auto plan = workload::plan_step(spec, {});
    EXPECT_EQ(plan.phases, 4);
    EXPECT_EQ(workload::length_in_phase(plan, 0, 0), 20);
    EXPECT_EQ(workload::length_in_phase(plan, 0, 3), 23);
    EXPECT_EQ(workload::length_in_phase(plan, 2, 2), 20);
    EXPECT_TRUE(workload::is_replaced(plan, 2, 2));
    EXPECT_FALSE(workload::is_replaced(plan, 0, 2));
}

/// Tables of a step must stay inverse of each other whatever the scheduler did (invariants 1, 2).
TEST(StepProgram, ChurnKeepsTheTablesInverseOfEachOther) {
    for (const std::int64_t page_size : {1, 4}) {
        StepSpec spec = small_step();
        spec.churn = 0.2;
        spec.page_size = page_size;
        const StepRig rig(spec);
        rig.run(23);
        const std::int64_t pages = rig.plan.full.num_pages;
        const auto v2p = rig.values<std::int64_t>(BufferId::full_v2p, pages + 1);
        const auto p2v = rig.values<std::int64_t>(BufferId::full_p2v, pages + 1);
        std::int64_t bound = 0;
        for (std::int64_t page = 1; page < pages; ++page) {
            const std::int64_t home = v2p[static_cast<std::size_t>(page)];
            if (home >= 0) {
                ++bound;
                EXPECT_EQ(p2v[static_cast<std::size_t>(home)], page);
            }
        }
        const auto lens = rig.values<std::int64_t>(BufferId::lens, spec.batch);
        std::int64_t held = 0;
        for (const std::int64_t length : lens) {
            held += (length + page_size - 1) / page_size;
        }
        EXPECT_EQ(bound, held);
        EXPECT_EQ(v2p[0], 0);
        EXPECT_EQ(v2p.back(), -1);
    }
}

TEST(StepProgram, AnOpAloneProducesWhatItDoesInTheStep) {
    const StepRig whole(small_step());
    whole.run();
    const auto expected = whole.values<std::int32_t>(BufferId::stream, 60);
    for (const char* op : {"token-stream", "repack"}) {
        MeasureSpec how;
        how.op = op;
        const StepRig alone(small_step(), how);
        alone.run();
        EXPECT_EQ(alone.values<std::int32_t>(BufferId::stream, 60), expected) << op;
    }
}

TEST(StepProgram, FormsOfAllocationLeaveTheSameTables) {
    StepSpec spec = small_step();
    spec.churn = 0.25;
    spec.alloc = LaunchForm::fused;
    const StepRig fused(spec);
    spec.alloc = LaunchForm::eager;
    const StepRig eager(spec);
    fused.run(9);
    eager.run(9);
    const std::int64_t rows = fused.plan.full.num_pages + 1;
    EXPECT_EQ(
        fused.values<std::int64_t>(BufferId::full_v2p, rows),
        eager.values<std::int64_t>(BufferId::full_v2p, rows)
    );
    EXPECT_EQ(
        fused.values<std::int64_t>(BufferId::full_p2v, rows),
        eager.values<std::int64_t>(BufferId::full_p2v, rows)
    );
}

TEST(StepProgram, FormsOfThePageTableWriteTheSameEntries) {
    for (const std::int64_t page_size : {1, 3, 16}) {
        StepSpec spec = small_step();
        spec.index_mode = IndexMode::rectangle;
        spec.length_law = LengthLaw::ragged;
        spec.holes = 0.2;
        spec.tombstones = 0.2;
        spec.page_size = page_size;
        const StepRig fused(spec);
        spec.table = LaunchForm::eager;
        const StepRig eager(spec);
        fused.run();
        eager.run();
        const std::int64_t cells = fused.plan.table_width * spec.batch;
        EXPECT_EQ(
            fused.values<std::int32_t>(BufferId::table, cells),
            eager.values<std::int32_t>(BufferId::table, cells)
        );
    }
}

TEST(StepProgram, WindowsReadTheLastTokensThroughTheirOwnTable) {
    StepSpec spec = small_step();
    spec.preset = "tiny-swa";
    spec.attention_backend = "triton";
    spec.seq_len = 200;
    const auto stream = outputs_of(spec);
    spec.index_mode = IndexMode::rectangle;
    EXPECT_EQ(outputs_of(spec), stream);
    const StepRig rig(spec);
    rig.run();
    const std::int64_t window = rig.plan.swa->window;
    EXPECT_EQ(rig.values<std::int32_t>(BufferId::window_lens, 1).front(), window);
    EXPECT_EQ(rig.values<std::int32_t>(BufferId::window_starts, 1).front(), 200 - window);
}

} // namespace
