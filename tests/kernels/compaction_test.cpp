#include "kernels/host/compaction.h"

#include "tests/kernels/move_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using kvprof::kernels::IndexType;
using kvprof::test::MoveCase;
namespace host = kvprof::kernels::host;

/// Bound pages point at each other, free ones at nothing.
void expect_tables_agree(const MoveCase& pool) {
    const auto v2p = pool.v2p.values();
    std::size_t bound = 0;
    for (std::size_t page = 0; page < pool.p2v.size(); ++page) {
        if (pool.p2v[page] >= 0) {
            EXPECT_EQ(v2p[static_cast<std::size_t>(pool.p2v[page])], page);
            ++bound;
        }
    }
    EXPECT_EQ(bound, 21U); // the sink and half of 40 pages
}

TEST(CompactMove, P11KeepsTheContentsOfEveryVirtualPage) {
    for (const auto type : {IndexType::i32, IndexType::i64}) {
        MoveCase pool(40, 24, 12, type);
        const MoveCase before = pool;
        host::run(pool.move());
        expect_tables_agree(pool);
        for (std::int64_t vpage = 1; vpage <= 20; ++vpage) {
            EXPECT_EQ(pool.contents(vpage), before.contents(vpage)) << "page " << vpage;
        }
        for (std::size_t i = 0; i < pool.from.size(); ++i) {
            EXPECT_EQ(pool.p2v[static_cast<std::size_t>(pool.from[i])], -1);
            EXPECT_EQ(
                pool.p2v[static_cast<std::size_t>(pool.to[i])],
                before.p2v[static_cast<std::size_t>(pool.from[i])]
            );
        }
    }
}

TEST(CompactMove, P11TheWayBackRestoresBothTables) {
    MoveCase pool(40, 24, 12, IndexType::i64);
    const MoveCase before = pool;
    host::run(pool.move());
    host::run(pool.move_back());
    EXPECT_EQ(pool.p2v, before.p2v);
    EXPECT_EQ(pool.v2p.bytes, before.v2p.bytes);
    for (std::int64_t vpage = 1; vpage <= 20; ++vpage) {
        EXPECT_EQ(pool.contents(vpage), before.contents(vpage));
    }
}

TEST(CompactMove, P10SkipsAFreePageATakenTargetAndANegativeOne) {
    MoveCase pool(40, 24, 4, IndexType::i64);
    const auto taken = pool.from[2];
    pool.from = {pool.to[0], pool.from[1], -1, pool.from[3]};
    pool.to = {pool.to[1], taken, pool.to[2], -1};
    const MoveCase before = pool;
    host::run(pool.move());
    EXPECT_EQ(pool.pool, before.pool);
    EXPECT_EQ(pool.p2v, before.p2v);
    EXPECT_EQ(pool.v2p.bytes, before.v2p.bytes);
}

TEST(CompactMove, P10AVirtualPageThatV2pLacksStaysWhereItIs) {
    MoveCase pool(40, 24, 1, IndexType::i64);
    auto call = pool.move();
    call.v2p.rows = pool.p2v[static_cast<std::size_t>(pool.from[0])];
    const MoveCase before = pool;
    host::run(call);
    EXPECT_EQ(pool.pool, before.pool);
    EXPECT_EQ(pool.p2v, before.p2v);
}

TEST(EnvelopeCopy, P11GatherAndScatterMoveWhatTheFusedMoveMoves) {
    MoveCase unfused(40, 40, 12, IndexType::i64);
    MoveCase fused = unfused;
    host::run(unfused.gather());
    host::run(unfused.scatter());
    host::run(fused.move());
    EXPECT_EQ(unfused.pool, fused.pool);
}

TEST(EnvelopeCopy, SkipsANegativePage) {
    MoveCase pool(40, 24, 2, IndexType::i64);
    pool.from[0] = -1;
    host::run(pool.gather());
    EXPECT_EQ(pool.staging[0], 0x5a);
    EXPECT_EQ(pool.staging[24], pool.pool[static_cast<std::size_t>(pool.from[1] * 24)]);
}

} // namespace
