#include "tests/capture/read_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace kvprof;
using test::Ids;
using test::StepRig;
using workload::BufferId;

StepSpec compacting(LaunchForm form, std::int64_t page_size, std::int64_t pages) {
    StepSpec spec = test::small_step();
    spec.alloc = form;
    spec.page_size = page_size;
    spec.compact_pages = pages;
    return spec;
}

Ids table(const StepRig& rig, BufferId id) {
    return rig.values<std::int64_t>(id, rig.plan.full.num_pages + 1);
}

class MovingPages : public testing::TestWithParam<LaunchForm> {};

TEST_P(MovingPages, P11KeepTheTablesInverseOfEachOtherAndVacateWhatTheyLeft) {
    const StepRig rig(compacting(GetParam(), 4, 4));
    for (int step = 0; step < 3; ++step) {
        rig.run();
        const Ids v2p = table(rig, BufferId::full_v2p);
        const Ids p2v = table(rig, BufferId::full_p2v);
        std::int64_t bound = 0;
        for (std::size_t page = 1; page + 1 < v2p.size(); ++page) {
            if (v2p[page] >= 0) {
                ++bound;
                const auto home = static_cast<std::size_t>(v2p[page]);
                EXPECT_EQ(p2v[home], static_cast<std::int64_t>(page));
            }
        }
        EXPECT_EQ(std::ranges::count_if(p2v, [](std::int64_t page) { return page > 0; }), bound);
    }
}

TEST_P(MovingPages, P21LeaveAttentionAsItIsOnAStaticPool) {
    for (const std::int64_t page_size : {1, 4, 16}) {
        StepSpec still = compacting(GetParam(), page_size, 0);
        still.pool = PoolKind::statik;
        const auto expected = test::outputs_of(still);
        const StepSpec moving = compacting(GetParam(), page_size, 2);
        for (const std::int64_t steps : {1, 2, 5}) {
            EXPECT_EQ(test::outputs_of(moving, steps), expected) << page_size << ", " << steps;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, MovingPages, testing::Values(LaunchForm::eager, LaunchForm::fused));

TEST(MovingPagesAlone, GoBackWhetherAGraphHoldsAnOddOrAnEvenNumberOfMoves) {
    for (const std::int64_t launches : {1, 2, 3}) {
        MeasureSpec how;
        how.op = "compaction-move";
        how.op_launches = launches;
        const StepRig rig(compacting(LaunchForm::fused, 4, 4), how);
        const Ids start = table(rig, BufferId::full_v2p);
        rig.run(3);
        EXPECT_EQ(table(rig, BufferId::full_v2p), start) << launches;
        EXPECT_EQ(rig.launches(OpKind::compaction_move), launches);
    }
}

} // namespace
