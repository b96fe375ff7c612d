#include "capture/verify.h"
#include "tests/capture/window_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace kvprof;
using test::kWindow;
using test::StepRig;
using test::window_ids;
using test::windows;
using testing::Each;
using testing::Ge;
using workload::BufferId;

TEST(WindowStep, P19AStaticPoolsWindowIsItsFullIdsThroughTheMap) {
    for (const auto form : {MetadataForm::plain, MetadataForm::fused}) {
        for (const std::int64_t page_size : {1, 16}) {
            StepSpec spec = windows(PoolKind::statik, page_size);
            spec.metadata = form;
            const StepRig rig(spec);
            rig.run();
            const auto map = rig.values<std::int64_t>(
                BufferId::full_to_swa, rig.plan.full.num_pages * page_size + 1
            );
            const auto lens = rig.values<std::int64_t>(BufferId::lens, spec.batch);
            std::vector<std::int64_t> expected;
            for (std::int64_t lane = 0; lane < spec.batch; ++lane) {
                const auto length = lens[static_cast<std::size_t>(lane)];
                const auto row = rig.values<std::int32_t>(
                    BufferId::req_to_token, length, (lane + 1) * rig.plan.req_columns
                );
                for (auto p = std::max<std::int64_t>(length - kWindow, 0); p < length; ++p) {
                    const auto full = row[static_cast<std::size_t>(p)];
                    expected.push_back(map[static_cast<std::size_t>(full)]);
                }
            }
            expected.push_back(0); // the padded lane's only token
            EXPECT_EQ(window_ids(rig), expected) << page_size;
        }
    }
}

TEST(WindowStep, P15EagerAndFusedWindowLocationsAgreeOnBoundPages) {
    for (const std::int64_t page_size : {1, 3, 16}) {
        StepSpec spec = windows(PoolKind::unified, page_size);
        spec.write = LaunchForm::eager;
        const StepRig eager(spec);
        spec.write = LaunchForm::fused;
        const StepRig fused(spec);
        eager.run();
        fused.run();
        const auto locations = fused.values<std::int64_t>(BufferId::swa_write_loc, 8);
        EXPECT_EQ(eager.values<std::int64_t>(BufferId::swa_write_loc, 8), locations);
        EXPECT_EQ(locations[3], 0); // a padded lane writes the sink
        EXPECT_GT(locations[0], 0);
        EXPECT_EQ(eager.launches(OpKind::swa_write_loc), 8);
        EXPECT_EQ(fused.launches(OpKind::swa_write_loc), 1);
    }
}

TEST(WindowStep, P7TheWindowLocationOfTheNewestTokenIsTheLastIdOfItsWindow) {
    for (const PoolKind pool : {PoolKind::statik, PoolKind::unified}) {
        const StepRig rig(windows(pool, 4));
        rig.run();
        const auto ends = rig.values<std::int32_t>(BufferId::window_indptr, 4);
        const auto ids = window_ids(rig);
        const auto locations = rig.values<std::int64_t>(BufferId::swa_write_loc, 3);
        for (std::size_t lane = 0; lane < 3; ++lane) {
            EXPECT_EQ(ids[static_cast<std::size_t>(ends[lane + 1]) - 1], locations[lane]);
        }
    }
}

TEST(WindowStep, P6HolesAndTombstonesOfEitherPoolGiveNoNegativeId) {
    for (const IndexMode mode : {IndexMode::stream, IndexMode::rectangle, IndexMode::both}) {
        StepSpec spec = windows(PoolKind::unified, 4);
        spec.index_mode = mode;
        spec.holes = 0.3;
        spec.tombstones = 0.3;
        const StepRig rig(spec);
        rig.run();
        const auto ids = window_ids(rig);
        EXPECT_THAT(ids, Each(Ge(0)));
        EXPECT_GT(std::count_if(ids.begin(), ids.end(), [](auto id) { return id < 4; }), 10);
        EXPECT_THAT(rig.values<std::int64_t>(BufferId::swa_write_loc, 8), Each(Ge(0)));
        const auto ends = rig.values<std::int32_t>(BufferId::indptr, 5);
        EXPECT_THAT(rig.values<std::int64_t>(BufferId::stream, ends.back()), Each(Ge(0)));
    }
}

/// The windows' page of a newest token may be a tombstone while the full one is bound.
TEST(WindowStep, P6ATombstoneOfTheWindowsAloneWritesTheSinkInEitherForm) {
    for (const LaunchForm form : {LaunchForm::eager, LaunchForm::fused}) {
        StepSpec spec = windows(PoolKind::unified, 4);
        spec.batch = 32;
        spec.max_batch = 32;
        spec.tombstones = 0.5;
        spec.write = form;
        const StepRig rig(spec);
        rig.run();
        const auto own = rig.values<std::int64_t>(BufferId::swa_write_loc, 32);
        const auto full = rig.values<std::int64_t>(BufferId::write_loc, 32);
        std::int64_t alone = 0;
        for (std::size_t lane = 0; lane < 32; ++lane) {
            EXPECT_GE(own[lane], 0);
            alone += own[lane] == 0 && full[lane] > 0 ? 1 : 0;
        }
        EXPECT_GT(alone, 2);
    }
}

TEST(WindowStep, P18PaddedLanesAddASinkTokenAndMoveNoLiveId) {
    for (const PoolKind pool : {PoolKind::statik, PoolKind::unified}) {
        StepSpec spec = windows(pool, 4);
        const StepRig padded(spec); // 3 lanes in a bucket of 4
        spec.max_batch = 3;
        const StepRig exact(spec);
        padded.run();
        exact.run();
        auto expected = window_ids(exact);
        expected.push_back(0);
        EXPECT_EQ(window_ids(padded), expected);
    }
}

TEST(WindowStep, TheFormsOfAWindowListTheSameIds) {
    StepSpec spec = windows(PoolKind::unified, 16);
    const StepRig stream(spec);
    stream.run();
    for (const IndexMode mode : {IndexMode::rectangle, IndexMode::both}) {
        spec.index_mode = mode;
        const StepRig other(spec);
        other.run();
        EXPECT_EQ(window_ids(other), window_ids(stream));
    }
}

/// Some readers take int32 locations: the cast is a launch, and changes no id.
TEST(WindowStep, ACastOfTheWindowLocationsIsASecondLaunchOfTheSameIds) {
    const StepSpec spec = windows(PoolKind::statik, 4);
    const StepRig plain(spec);
    plain.run();
    auto plan = workload::plan_step(spec, {});
    plan.backend.casts_swa_write_loc = true;
    const auto state = workload::make_state(plan);
    const auto step = host::prepare_host_step(plan, state, host::KvPool::held);
    static_cast<void>(step->replay(1));
    const auto got = step->read(BufferId::swa_write_loc, {1, 64, 0, 0}, 0);
    EXPECT_EQ(got, plain.step->read(BufferId::swa_write_loc, {1, 64, 0, 0}, 0));
    for (const OpStat& stat : workload::count_steps(plan, state).ops) {
        if (stat.op == OpKind::swa_write_loc) {
            EXPECT_EQ(stat.launches, 2);
        }
    }
}

/// Lanes whose cells lie evenly far apart are named together.
TEST(WindowStep, NamesThePagesThatLeaveInOneLaunchWhereLanesGrowAlike) {
    StepSpec spec = windows(PoolKind::unified);
    spec.length_law = LengthLaw::constant;
    spec.churn = 1.0 / 12;
    const StepRig rig(spec); // 3 lanes, 4 steps apart: a name, an unbind and a list a step
    const std::int64_t names = rig.launches(OpKind::swa_free) - 2 * (24 + 6);
    EXPECT_GE(names, 24);
    EXPECT_LE(names, 2 * 24);
}

struct LaunchCase {
    PoolKind pool;
    MetadataForm form;
    std::int64_t launches;
};

/// Catalogue, 4 and 4s: min, scan, copy, sub and the stream; a static pool maps it in two launches.
TEST(WindowStep, AWindowsStreamTakesTheLaunchesOfTheCatalogue) {
    for (const LaunchCase& each :
         {LaunchCase{PoolKind::unified, MetadataForm::plain, 5},
          LaunchCase{PoolKind::statik, MetadataForm::plain, 7},
          LaunchCase{PoolKind::statik, MetadataForm::fused, 5}}) {
        StepSpec spec = windows(each.pool);
        spec.metadata = each.form;
        EXPECT_EQ(StepRig(spec).launches(OpKind::window_stream), each.launches);
    }
    EXPECT_EQ(StepRig(windows(PoolKind::statik)).launches(OpKind::swa_write_loc), 1);
}

class VerifiedWindows : public testing::TestWithParam<StepSpec> {};

TEST_P(VerifiedWindows, HoldAgainstTheFp64Attention) {
    const StepRig rig(GetParam());
    const Check check = verify(*rig.step, rig.plan, rig.state);
    EXPECT_GT(check.attention_rows, 0);
}

std::vector<StepSpec> verified() {
    std::vector<StepSpec> specs;
    for (const PoolKind pool : {PoolKind::statik, PoolKind::unified}) {
        for (const std::int64_t page_size : {1, 3, 16}) {
            StepSpec spec = windows(pool, page_size);
            specs.push_back(spec);
            spec.stage = HistoryStage::before;
            specs.push_back(spec);
            spec.churn = 0.125;
            specs.push_back(spec);
            spec.stage = HistoryStage::after_fused_write;
            specs.push_back(spec);
            spec.metadata = MetadataForm::fused;
            specs.push_back(spec);
            spec.churn = 0.0;
            spec.delta = 2;
            specs.push_back(spec);
            spec.delta = 0;
            spec.length_law = LengthLaw::constant;
            spec.churn = 1.0 / 12;
            specs.push_back(spec);
            spec.churn = 0.0;
            spec.prefix_share = 0.5;
            specs.push_back(spec);
        }
    }
    return specs;
}

INSTANTIATE_TEST_SUITE_P(Variants, VerifiedWindows, testing::ValuesIn(verified()));

} // namespace
