#include "capture/workload/lanes.h"
#include "kernels/backend_calls.h"
#include "kernels/content.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;
using workload::BufferId;

/// tiny-mla has state layers: 3 lanes in a bucket of 4.
StepSpec with_states(PoolKind pool, MetadataForm form) {
    StepSpec spec = small_step();
    spec.pool = pool;
    spec.metadata = form;
    return spec;
}

constexpr std::array kPools{PoolKind::statik, PoolKind::unified};

TEST(StateStep, P6ALanesSlotIsItsRowsThroughTheTableAndAPaddedLanesIsTheSink) {
    for (const MetadataForm form : {MetadataForm::plain, MetadataForm::fused}) {
        const StepRig rig(with_states(PoolKind::unified, form));
        rig.run();
        const auto slots = rig.values<std::int32_t>(BufferId::state_slots, 4);
        const auto rows = rig.values<std::int32_t>(BufferId::req_to_state, 9);
        const auto v2p =
            rig.values<std::int64_t>(BufferId::state_v2p, rig.plan.state->num_slots + 1);
        for (std::size_t lane = 0; lane < 3; ++lane) {
            EXPECT_EQ(slots[lane], v2p[static_cast<std::size_t>(rows[lane + 1])]);
            EXPECT_GE(slots[lane], rig.plan.state->min_slot);
        }
        EXPECT_EQ(slots[3], 0);
    }
}

TEST(StateStep, P19AStaticPoolsSlotIsItsRowsVerbatim) {
    for (const MetadataForm form : {MetadataForm::plain, MetadataForm::fused}) {
        const StepRig rig(with_states(PoolKind::statik, form));
        rig.run();
        EXPECT_THAT(
            rig.values<std::int32_t>(BufferId::state_slots, 4), testing::ElementsAre(1, 2, 3, 0)
        );
    }
}

TEST(StateStep, ALookupTakesTheLaunchesOfTheCatalogue) {
    const auto launches = [](PoolKind pool, MetadataForm form) {
        return StepRig(with_states(pool, form)).launches(OpKind::state_slots);
    };
    EXPECT_EQ(launches(PoolKind::statik, MetadataForm::plain), 1);
    EXPECT_EQ(launches(PoolKind::unified, MetadataForm::plain), 3);
    EXPECT_EQ(launches(PoolKind::unified, MetadataForm::fused), 1);
}

/// A lane reads the word that its own request left, through whatever slot it has by then.
void expect_own_words(const StepRig& rig, std::int64_t step) {
    const auto words = rig.values<std::int64_t>(BufferId::state_words, rig.plan.spec.batch);
    for (std::int64_t lane = 0; lane < rig.plan.spec.batch; ++lane) {
        const auto owner = workload::owner_in_step(rig.plan, lane, step);
        const auto seed = static_cast<std::uint64_t>(rig.plan.spec.seed);
        const auto word = kernels::content_key(seed, owner, kernels::kStateWord);
        ASSERT_EQ(words[static_cast<std::size_t>(lane)], static_cast<std::int64_t>(word)) << step;
    }
}

TEST(StateStep, P21EveryLaneReadsTheStateThatItsRequestLeft) {
    for (const PoolKind pool : kPools) {
        const StepRig rig(with_states(pool, MetadataForm::plain));
        rig.run();
        expect_own_words(rig, 0);
    }
}

TEST(StateStep, P21ANewRequestReadsItsOwnStateFromASlotThatWasAnothers) {
    for (const PoolKind pool : kPools) {
        for (const LaunchForm form : {LaunchForm::eager, LaunchForm::fused}) {
            StepSpec spec = with_states(pool, MetadataForm::plain);
            spec.churn = 0.25;
            spec.alloc = form;
            const StepRig rig(spec);
            for (std::int64_t step = 1; step <= 20; ++step) {
                rig.run();
                expect_own_words(rig, step);
            }
        }
    }
}

TEST(StateStep, P9ChurnKeepsOneSlotALane) {
    StepSpec spec = with_states(PoolKind::unified, MetadataForm::plain);
    spec.churn = 0.25;
    const StepRig rig(spec);
    rig.run(19);
    const std::int64_t slots = rig.plan.state->num_slots;
    const auto v2p = rig.values<std::int64_t>(BufferId::state_v2p, slots + 1);
    const auto p2v = rig.values<std::int64_t>(BufferId::state_p2v, slots + 1);
    std::int64_t bound = 0;
    for (std::int64_t slot = 1; slot < slots; ++slot) {
        const auto home = v2p[static_cast<std::size_t>(slot)];
        if (home >= 0) {
            ++bound;
            EXPECT_EQ(p2v[static_cast<std::size_t>(home)], slot);
        }
    }
    EXPECT_EQ(bound, spec.batch);
}

} // namespace
