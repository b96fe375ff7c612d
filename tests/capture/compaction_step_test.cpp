#include "capture/verify.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;
using workload::BufferId;

StepSpec compacted(LaunchForm form, std::int64_t page_size) {
    StepSpec spec = small_step();
    spec.page_size = page_size;
    spec.alloc = form;
    spec.compact_pages = 3;
    return spec;
}

std::vector<float> outputs(const StepRig& rig) {
    const auto& heads = rig.plan.full.heads;
    return rig.values<float>(
        BufferId::output, rig.plan.spec.batch * heads.query_heads * heads.dim_v
    );
}

std::vector<std::int64_t> homes(const StepRig& rig) {
    return rig.values<std::int64_t>(BufferId::full_v2p, rig.plan.full.num_pages + 1);
}

TEST(CompactionStep, P11MovesEveryPageWithItsContentsAndEverySecondStepBack) {
    for (const LaunchForm form : {LaunchForm::eager, LaunchForm::fused}) {
        for (const std::int64_t page_size : {1, 4}) {
            const StepSpec spec = compacted(form, page_size);
            const StepRig rig(spec);
            const auto before = homes(rig);
            rig.run();
            const auto packed = homes(rig);
            const auto first = outputs(rig);
            std::int64_t moved = 0;
            for (std::size_t page = 0; page < before.size(); ++page) {
                moved += before[page] != packed[page] ? 1 : 0;
            }
            EXPECT_EQ(moved, 3);
            rig.run();
            EXPECT_EQ(homes(rig), before);
            EXPECT_EQ(outputs(rig), first);
            rig.run();
            EXPECT_EQ(homes(rig), packed);
            EXPECT_EQ(outputs(rig), first);
        }
    }
}

TEST(CompactionStep, P11LeavesTheFarthestPagesFree) {
    const StepSpec spec = compacted(LaunchForm::fused, 4);
    const StepRig rig(spec); // 3 lanes of 5 pages; full grows down
    rig.run();
    const auto p2v = rig.values<std::int64_t>(BufferId::full_p2v, rig.plan.full.num_pages + 1);
    const auto edge = p2v.begin() + rig.plan.full.num_pages - 15;
    EXPECT_THAT(std::vector(edge, edge + 15), testing::Each(testing::Gt(0)));
    EXPECT_TRUE(std::all_of(p2v.begin() + 1, edge, [](auto page) { return page == -1; }));
}

TEST(CompactionStep, P21AttentionIsThatOfAStepWithoutCompaction) {
    StepSpec spec = compacted(LaunchForm::fused, 4);
    const StepRig with(spec);
    with.run(3);
    spec.compact_pages = 0;
    const StepRig without(spec);
    without.run(3);
    EXPECT_EQ(outputs(with), outputs(without));
}

/// Catalogue, 23: two lists come in; then p2v, envelopes out and in, v2p, p2v, and the vacated
/// rows.
TEST(CompactionStep, TakesTwoCopiesAndSixLaunchesEagerAndOneFused) {
    const auto stat = [](LaunchForm form) {
        for (const OpStat& each : StepRig(compacted(form, 4)).counts.ops) {
            if (each.op == OpKind::compaction_move) {
                return std::pair(each.copies, each.launches);
            }
        }
        return std::pair<std::int64_t, std::int64_t>(-1, -1);
    };
    EXPECT_EQ(stat(LaunchForm::eager), std::pair(std::int64_t{2}, std::int64_t{6}));
    EXPECT_EQ(stat(LaunchForm::fused), std::pair(std::int64_t{0}, std::int64_t{1}));
}

TEST(CompactionStep, P11NeitherFormTouchesTheSentinelRowOrTheSink) {
    for (const LaunchForm form : {LaunchForm::eager, LaunchForm::fused}) {
        StepSpec spec = compacted(form, 1);
        spec.tombstones = 0.5;
        const StepRig rig(spec);
        rig.run(3);
        const auto v2p = homes(rig);
        EXPECT_EQ(v2p.front(), 0);
        EXPECT_EQ(v2p.back(), -1);
    }
}

TEST(CompactionStep, VerifiesInBothForms) {
    for (const LaunchForm form : {LaunchForm::eager, LaunchForm::fused}) {
        const StepRig rig(compacted(form, 4));
        EXPECT_GT(verify(*rig.step, rig.plan, rig.state).attention_rows, 0);
    }
}

} // namespace
