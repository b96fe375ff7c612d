#include "capture/verify.h"
#include "tests/capture/read_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace kvprof;
using test::Ids;
using test::StepRig;
using workload::BufferId;

constexpr std::array kPools{PoolKind::statik, PoolKind::unified};

StepSpec rank_of(PoolKind pool, std::int64_t dcp, std::int64_t rank, std::int64_t page_size) {
    StepSpec spec = test::small_step();
    spec.pool = pool;
    spec.length_law = LengthLaw::ragged; // lanes of fewer tokens than ranks among them
    spec.batch = 7;
    spec.seq_len = 37;
    spec.page_size = page_size;
    spec.dcp = dcp;
    spec.dcp_rank = rank;
    return spec;
}

/// The scheduler's ids that a rank's stream of a lane stands for: through p2v on a unified pool,
/// and widened again.
Ids widened(const StepRig& rig, std::int64_t lane) {
    const auto ends = rig.values<std::int32_t>(BufferId::indptr, rig.plan.spec.batch + 1);
    const auto begin = ends[static_cast<std::size_t>(lane)];
    const auto count = ends[static_cast<std::size_t>(lane) + 1] - begin;
    Ids ids = test::stream_ids(rig, BufferId::stream, count, begin);
    const std::int64_t ps = rig.plan.spec.page_size;
    for (std::int64_t& id : ids) {
        if (rig.plan.is_unified()) {
            const std::int64_t envelope = ps * rig.plan.full.mult;
            const auto vpage =
                rig.values<std::int64_t>(BufferId::full_p2v, 1, id / envelope).front();
            id = vpage * ps + id % envelope;
        }
        id = id * rig.plan.spec.dcp + rig.plan.spec.dcp_rank;
    }
    return ids;
}

class RankStreams : public testing::TestWithParam<std::int64_t> {};

TEST_P(RankStreams, P17TheUnionOverRanksIsTheFullStream) {
    const std::int64_t dcp = GetParam();
    for (const PoolKind pool : kPools) {
        for (const std::int64_t page_size : {1, 3, 16}) {
            std::vector<Ids> positions(7); // by lane, in the order of the positions
            for (std::int64_t rank = 0; rank < dcp; ++rank) {
                const StepRig rig(rank_of(pool, dcp, rank, page_size));
                rig.run();
                for (std::int64_t lane = 0; lane < 7; ++lane) {
                    const Ids own = widened(rig, lane);
                    const Ids row = test::request_row(rig, lane + 1);
                    auto& all = positions[static_cast<std::size_t>(lane)];
                    const auto length = static_cast<std::size_t>(
                        rig.values<std::int64_t>(BufferId::lens, 1, lane).front()
                    );
                    all.resize(length, -1);
                    for (std::size_t k = 0; k < own.size(); ++k) {
                        const auto at =
                            k * static_cast<std::size_t>(dcp) + static_cast<std::size_t>(rank);
                        ASSERT_LT(at, length);
                        ASSERT_EQ(all[at], -1) << "two ranks read position " << at;
                        all[at] = own[k];
                        ASSERT_EQ(own[k], row[at]) << "lane " << lane << " position " << at;
                    }
                }
            }
            for (const Ids& all : positions) {
                EXPECT_EQ(std::ranges::count(all, -1), 0) << "no rank read a position";
            }
        }
    }
}

TEST_P(RankStreams, P8ExactlyOneRankWritesALanesNewTokenAndReadsItBack) {
    const std::int64_t dcp = GetParam();
    for (const PoolKind pool : kPools) {
        for (const LaunchForm form : {LaunchForm::eager, LaunchForm::fused}) {
            std::vector<int> writers(7, 0);
            for (std::int64_t rank = 0; rank < dcp; ++rank) {
                StepSpec spec = rank_of(pool, dcp, rank, 4);
                spec.write = form;
                const StepRig rig(spec);
                rig.run();
                const auto loc = rig.values<std::int64_t>(BufferId::write_loc, 7);
                const auto ends = rig.values<std::int32_t>(BufferId::indptr, 8);
                for (std::size_t lane = 0; lane < 7; ++lane) {
                    if (loc[lane] != 0) {
                        ++writers[lane];
                        const Ids newest =
                            test::stream_ids(rig, BufferId::stream, 1, ends[lane + 1] - 1);
                        EXPECT_EQ(newest.front(), loc[lane]) << "lane " << lane;
                    }
                }
            }
            EXPECT_THAT(writers, testing::Each(1));
        }
    }
}

TEST_P(RankStreams, P21ARanksAttentionIsThatOfItsOwnPositions) {
    const std::int64_t dcp = GetParam();
    for (const PoolKind pool : kPools) {
        for (std::int64_t rank = 0; rank < dcp; ++rank) {
            const StepRig rig(rank_of(pool, dcp, rank, 4));
            const Check check = verify(*rig.step, rig.plan, rig.state);
            EXPECT_LT(check.attention_error.value_or(1.0), 1e-4) << rank;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, RankStreams, testing::Values(2, 3, 4));

TEST(DcpStep, DraftsWidenTheGlobalLengthBeforeItIsDealt) {
    StepSpec spec = rank_of(PoolKind::unified, 2, 1, 1);
    spec.length_law = LengthLaw::constant;
    spec.seq_len = 20;
    spec.delta = 3; // 23 tokens: 12 on rank 0, 11 on rank 1
    const StepRig rig(spec);
    EXPECT_NO_THROW(static_cast<void>(verify(*rig.step, rig.plan, rig.state)));
    EXPECT_EQ(rig.values<std::int32_t>(BufferId::lens32, 1).front(), 11);
    spec.dcp_rank = 0;
    const StepRig first(spec);
    first.run();
    EXPECT_EQ(first.values<std::int32_t>(BufferId::lens32, 1).front(), 12);
}

// The catalogue: a gather and a translate for reads; 6 launches around the translate for writes.
TEST(DcpStep, TakesTheLaunchesOfTheCatalogue) {
    const auto launches = [](PoolKind pool, LaunchForm form, OpKind op) {
        StepSpec spec = rank_of(pool, 2, 0, 4);
        spec.write = form;
        return StepRig(spec).launches(op);
    };
    EXPECT_EQ(launches(PoolKind::unified, LaunchForm::fused, OpKind::dcp_stream), 2);
    EXPECT_EQ(launches(PoolKind::statik, LaunchForm::fused, OpKind::dcp_stream), 1);
    EXPECT_EQ(launches(PoolKind::unified, LaunchForm::fused, OpKind::write_loc_dcp), 1);
    EXPECT_EQ(launches(PoolKind::statik, LaunchForm::fused, OpKind::write_loc_dcp), 1);
    EXPECT_EQ(launches(PoolKind::unified, LaunchForm::eager, OpKind::write_loc_dcp), 12);
    EXPECT_EQ(launches(PoolKind::statik, LaunchForm::eager, OpKind::write_loc_dcp), 6);
}

TEST(DcpStep, P17ARectangleOfTheStageBeforeIsHeldAndFilledByNobody) {
    StepSpec spec = rank_of(PoolKind::unified, 2, 0, 1);
    spec.stage = HistoryStage::before;
    const StepRig rig(spec);
    const std::int64_t cells = spec.max_batch * rig.plan.table_width;
    const auto before = rig.values<std::int32_t>(BufferId::table, cells);
    rig.run();
    EXPECT_EQ(rig.values<std::int32_t>(BufferId::table, cells), before);
    EXPECT_EQ(rig.launches(OpKind::page_table), -1);
    EXPECT_EQ(rig.launches(OpKind::repack), -1);
    EXPECT_EQ(rig.launches(OpKind::dcp_stream), 2);
}

TEST(DcpStep, AnOpAloneProducesWhatItDoesInTheStep) {
    const StepSpec spec = rank_of(PoolKind::unified, 3, 2, 4);
    const StepRig whole(spec);
    whole.run();
    MeasureSpec how;
    how.op = "dcp-stream";
    const StepRig alone(spec, how);
    alone.run();
    const auto ends = whole.values<std::int32_t>(BufferId::indptr, 8);
    EXPECT_EQ(
        test::stream_ids(alone, BufferId::stream, ends.back()),
        test::stream_ids(whole, BufferId::stream, ends.back())
    );
}

} // namespace
