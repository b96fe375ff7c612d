#include "capture/verify.h"
#include "tests/capture/read_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using test::gqa_step;
using test::Ids;
using test::StepRig;
using workload::BufferId;

/// Three consumers of streams.
StepSpec shared_step(IndexMode mode, Share share, PoolKind pool = PoolKind::unified) {
    StepSpec spec = test::small_step();
    spec.pool = pool;
    spec.index_mode = mode;
    spec.page_size = 4;
    spec.consumers = 3;
    spec.share = share;
    return spec;
}

/// Stream of a consumer; the later ones' lie one after another.
Ids stream_of(const StepRig& rig, std::int64_t reader) {
    constexpr std::int64_t kIds = 61; // 3 lanes of 20, and a padded one of 1
    if (reader == 0) {
        return test::stream_ids(rig, BufferId::stream, kIds);
    }
    const std::int64_t first = (reader - 1) * rig.plan.stream_capacity();
    return test::stream_ids(rig, BufferId::more_streams, kIds, first);
}

struct SharedCase {
    friend void PrintTo(const SharedCase& one, std::ostream* out) {
        *out << to_string(one.mode) << ", share " << to_string(one.share);
    }

    IndexMode mode;
    Share share;
    OpKind later; ///< what serves the second consumer
};

class Consumers : public testing::TestWithParam<SharedCase> {};

TEST_P(Consumers, P2EveryConsumersStreamIsTheFirstOnes) {
    const SharedCase& one = GetParam();
    const StepRig rig(shared_step(one.mode, one.share));
    rig.run();
    const Ids expected = reference::token_stream(test::read_inputs(rig), {});
    for (std::int64_t reader = 0; reader < 3; ++reader) {
        Ids ids = stream_of(rig, reader);
        EXPECT_EQ(ids.back(), 0) << reader; // the padded lane reads the sink
        ids.pop_back();
        EXPECT_EQ(ids, expected) << reader;
    }
}

TEST_P(Consumers, EachTakesAnOpOfItsOwn) {
    const SharedCase& one = GetParam();
    const StepRig rig(shared_step(one.mode, one.share));
    std::int64_t later = 0;
    for (const workload::PlannedOp& op : rig.plan.ops) {
        later += op.op == one.later && op.reader > 0 ? 1 : 0;
    }
    EXPECT_EQ(later, 2);
}

TEST_P(Consumers, AreProvenByVerification) {
    const SharedCase& one = GetParam();
    const StepRig rig(shared_step(one.mode, one.share));
    StepSpec one_reader = shared_step(one.mode, one.share);
    one_reader.consumers = 1;
    const StepRig alone(one_reader);
    const Check shared = verify(*rig.step, rig.plan, rig.state);
    EXPECT_GT(shared.ids_compared, verify(*alone.step, alone.plan, alone.state).ids_compared);
}

INSTANTIATE_TEST_SUITE_P(
    Forms,
    Consumers,
    testing::Values(
        SharedCase{IndexMode::stream, Share::none, OpKind::token_stream},
        SharedCase{IndexMode::stream, Share::plan, OpKind::stream_copy},
        SharedCase{IndexMode::rectangle, Share::none, OpKind::repack},
        SharedCase{IndexMode::both, Share::none, OpKind::repack}
    )
);

TEST(SharedReads, P19AStaticPoolsConsumersGatherTheirOwn) {
    const StepRig rig(shared_step(IndexMode::stream, Share::none, PoolKind::statik));
    rig.run();
    EXPECT_EQ(rig.launches(OpKind::static_gather), 3);
    EXPECT_EQ(stream_of(rig, 1), stream_of(rig, 0));
    EXPECT_EQ(stream_of(rig, 2), stream_of(rig, 0));
}

TEST(SharedReads, ACopyIsNoLaunch) {
    const StepRig rig(shared_step(IndexMode::stream, Share::plan));
    EXPECT_EQ(rig.launches(OpKind::token_stream), 1);
    EXPECT_EQ(rig.launches(OpKind::stream_copy), 0);
    std::int64_t copies = 0;
    for (const OpStat& stat : rig.counts.ops) {
        copies += stat.op == OpKind::stream_copy ? stat.copies : 0;
    }
    EXPECT_EQ(copies, 2);
}

TEST(SharedReads, EveryConsumersTableIsTheFirstOnes) {
    for (const Share share : {Share::none, Share::plan}) {
        StepSpec spec = gqa_step("fa3", 4);
        spec.consumers = 3;
        spec.share = share;
        const StepRig rig(spec);
        rig.run();
        const std::int64_t width = rig.plan.own_width;
        for (std::int64_t lane = 0; lane < 3; ++lane) {
            const Ids first = test::table_row(rig, BufferId::block_table, width, lane);
            for (const std::int64_t reader : {0, 1}) {
                const std::int64_t row = reader * spec.max_batch + lane;
                const Ids later = test::table_row(rig, BufferId::more_tables, width, row);
                EXPECT_TRUE(std::equal(first.begin(), first.begin() + 5, later.begin()));
            }
        }
    }
}

// One kernel for the table and the first stream gives what the two gave.
TEST(SharedReads, P2OneLaunchWritesTheTableAndTheStreamOfTwo) {
    for (const std::int64_t page_size : {1, 3, 16}) {
        StepSpec spec = test::small_step();
        spec.page_size = page_size;
        spec.length_law = LengthLaw::ragged;
        spec.holes = 0.2;
        spec.tombstones = 0.2;
        spec.index_mode = IndexMode::rectangle;
        const StepRig two(spec);
        spec.index_mode = IndexMode::both;
        const StepRig one(spec);
        two.run();
        one.run();
        const auto total = one.values<std::int32_t>(BufferId::indptr, 5).back();
        EXPECT_EQ(
            test::stream_ids(one, BufferId::stream, total),
            test::stream_ids(two, BufferId::stream, total)
        );
        const std::int64_t cells = one.plan.table_width * 3;
        EXPECT_EQ(
            one.values<std::int32_t>(BufferId::table, cells),
            two.values<std::int32_t>(BufferId::table, cells)
        );
        EXPECT_EQ(one.launches(OpKind::table_and_stream), 1);
        EXPECT_EQ(two.launches(OpKind::page_table) + two.launches(OpKind::repack), 2);
    }
}

class StreamForms : public testing::TestWithParam<const char*> {};

TEST_P(StreamForms, P21AttentionOverAStreamIsTheSameInEveryForm) {
    for (const std::int64_t page_size : {1, 3, 16}) {
        StepSpec spec = gqa_step(GetParam(), page_size);
        spec.pool = PoolKind::statik;
        const auto expected = test::outputs_of(spec);
        spec.pool = PoolKind::unified;
        for (const IndexMode mode : {IndexMode::stream, IndexMode::rectangle, IndexMode::both}) {
            for (const IdSpace space : {IdSpace::blocks, IdSpace::physical}) {
                spec.index_mode = mode;
                spec.id_space = space;
                EXPECT_EQ(test::outputs_of(spec), expected) << testing::PrintToString(spec);
            }
        }
        spec.compact_pages = 2;
        EXPECT_EQ(test::outputs_of(spec), expected) << testing::PrintToString(spec);
    }
}

INSTANTIATE_TEST_SUITE_P(Backends, StreamForms, testing::Values("flashinfer", "triton"));

TEST(SharedReads, AnIdThatCountsTokensIsThePhysicalPageAndItsOffset) {
    StepSpec spec = test::small_step();
    spec.page_size = 4;
    spec.id_space = IdSpace::physical;
    const StepRig rig(spec);
    EXPECT_NO_THROW(static_cast<void>(verify(*rig.step, rig.plan, rig.state)));
    const auto in = test::read_inputs(rig);
    const Ids ids = test::stream_ids(rig, BufferId::stream, 20);
    for (std::size_t position = 0; position < 20; ++position) {
        const auto token = in.req_to_token[1][position];
        EXPECT_EQ(ids[position], in.v2p[static_cast<std::size_t>(token / 4)] * 4 + token % 4);
    }
}

} // namespace
