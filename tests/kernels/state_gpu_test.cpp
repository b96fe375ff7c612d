#include "kernels/cuda/state.h"

#include "kernels/cuda/compaction.h"
#include "kernels/cuda/write_loc.h"
#include "kernels/host/compaction.h"
#include "kernels/host/state.h"
#include "kernels/host/write_loc.h"
#include "tests/kernels/device_calls.h"

#include <gtest/gtest.h>

namespace {

using kvprof::kernels::IndexType;
using kvprof::test::CapturedGraph;
using kvprof::test::DeviceMirror;
using kvprof::test::kPoison;
using kvprof::test::mirror_of;
using kvprof::test::MoveCase;
using kvprof::test::on_device;
using kvprof::test::require_cuda;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;
namespace kernels = kvprof::kernels;

/// 300 lanes over 280 slots, of which some are tombstones and some unknown.
struct StateCase {
    static constexpr std::int64_t kLanes = 300;
    static constexpr std::int64_t kSlotBytes = 40;
    std::vector<std::int32_t> req_to_state;
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> v2p;
    std::vector<std::int64_t> owners;
    std::vector<std::int32_t> slots = std::vector<std::int32_t>(kLanes + 1, kPoison);
    std::vector<std::int64_t> words = std::vector<std::int64_t>(kLanes + 1, kPoison);
    std::vector<std::uint8_t> states = std::vector<std::uint8_t>(300 * kSlotBytes, 0xab);
    DeviceMirror mirror;

    StateCase() {
        for (std::int64_t i = 0; i < kLanes; ++i) {
            req_to_state.push_back(static_cast<std::int32_t>(i));
            rows.push_back((i * 7) % kLanes);
            owners.push_back(i + 10);
        }
        for (std::int64_t slot = 0; slot < 280; ++slot) {
            v2p.push_back(slot % 11 == 3 ? -1 : (slot * 3) % 280);
        }
        mirror.add(req_to_state);
        mirror.add(rows);
        mirror.add(v2p);
        mirror.add(owners);
        mirror.add(slots);
        mirror.add(words);
        mirror.add(states);
    }

    void slots_by_both(bool is_unified) {
        kernels::StateSlotsCall call{
            .req_to_state = req_to_state.data(),
            .rows = rows.data(),
            .v2p = {is_unified ? v2p.data() : nullptr, IndexType::i64, 280},
            .out = slots.data(),
            .batch = kLanes};
        host::run(call);
        mirror.move_all(call.req_to_state, call.rows, call.v2p, call.out);
        require_cuda(cuda::launch(call, nullptr), "launch the state slots");
    }

    void words_by_both(bool writes) {
        kernels::StateWordsCall call{
            .states = states.data(),
            .slot_bytes = kSlotBytes,
            .slots = slots.data(),
            .owners = owners.data(),
            .seed = 5,
            .writes = writes,
            .out = words.data(),
            .batch = kLanes};
        host::run(call);
        mirror.move_all(call.states, call.slots, call.owners, call.out);
        require_cuda(cuda::launch(call, nullptr), "launch the state words");
    }
};

TEST(StateGpu, P21SlotsAndTheWordsInThemEqualTheHostTwins) {
    for (const bool is_unified : {true, false}) {
        StateCase state;
        state.slots_by_both(is_unified);
        EXPECT_EQ(state.mirror.fetched(state.slots), state.slots);
        state.words_by_both(true);
        EXPECT_EQ(state.mirror.fetched(state.states), state.states);
        EXPECT_EQ(state.words[0], kPoison);
        state.words_by_both(false);
        EXPECT_EQ(state.mirror.fetched(state.words), state.words);
        EXPECT_NE(state.words[0], kPoison);
    }
}

TEST(StateGpu, RefusesSlotsThatAreNotAlignedToWords) {
    EXPECT_EQ(
        cuda::launch(kernels::StateWordsCall{.slot_bytes = 12, .batch = 1}, nullptr),
        cudaErrorInvalidValue
    );
}

void expect_same_pools(const MoveCase& pool, const DeviceMirror& mirror) {
    EXPECT_TRUE(mirror.fetched(pool.pool) == pool.pool);
    EXPECT_EQ(mirror.fetched(pool.p2v), pool.p2v);
    EXPECT_EQ(mirror.fetched(pool.v2p.bytes), pool.v2p.bytes);
    EXPECT_TRUE(mirror.fetched(pool.staging) == pool.staging);
}

TEST(CompactMoveGpu, P11EqualsTheHostTwinThereAndBackWhateverTheEnvelope) {
    // One block a page, several of them, and a last one that is not full.
    for (const std::int64_t bytes : {8, 24, 16384, 16392, 8064 * 32}) {
        for (const auto type : {IndexType::i32, IndexType::i64}) {
            MoveCase pool(60, bytes, 25, type);
            const auto mirror = mirror_of(pool);
            for (const auto& call : {pool.move(), pool.move_back(), pool.move()}) {
                require_cuda(cuda::launch(on_device(mirror, call), nullptr), "launch the move");
                host::run(call);
                expect_same_pools(pool, mirror);
            }
        }
    }
}

TEST(CompactMoveGpu, P10SkipsAFreePageATakenTargetAndANegativeOne) {
    MoveCase pool(60, 16392, 4, IndexType::i64);
    const auto taken = pool.from[2];
    pool.from = {pool.to[0], pool.from[1], -1, pool.from[3]};
    pool.to = {pool.to[1], taken, pool.to[2], -1};
    const MoveCase before = pool;
    const auto mirror = mirror_of(pool);
    require_cuda(cuda::launch(on_device(mirror, pool.move()), nullptr), "launch the move");
    EXPECT_TRUE(mirror.fetched(pool.pool) == before.pool);
    EXPECT_EQ(mirror.fetched(pool.p2v), before.p2v);
}

TEST(ReplayGpu, P5AMoveAndItsWayBackReplayManyTimes) {
    MoveCase pool(60, 50000 / 8 * 8, 25, IndexType::i64);
    const MoveCase before = pool;
    const auto mirror = mirror_of(pool);
    const CapturedGraph graph([&](cudaStream_t stream) {
        const auto there = cuda::launch(on_device(mirror, pool.move()), stream);
        const auto back = cuda::launch(on_device(mirror, pool.move_back()), stream);
        return there == cudaSuccess ? back : there;
    });
    EXPECT_EQ(graph.node_count(), 2U);
    for (int i = 0; i < 50; ++i) {
        graph.replay();
    }
    EXPECT_EQ(mirror.fetched(pool.p2v), before.p2v);
    EXPECT_EQ(mirror.fetched(pool.v2p.bytes), before.v2p.bytes);
}

TEST(EnvelopeCopyGpu, P11GatherAndScatterEqualTheHostTwins) {
    for (const std::int64_t bytes : {24, 16392}) {
        MoveCase pool(60, bytes, 25, IndexType::i64);
        pool.from[3] = -1;
        const auto mirror = mirror_of(pool);
        for (const auto& call : {pool.gather(), pool.scatter()}) {
            require_cuda(cuda::launch(on_device(mirror, call), nullptr), "launch the copy");
            host::run(call);
            expect_same_pools(pool, mirror);
        }
    }
}

TEST(CompactionGpu, RefusesEnvelopesThatAreNotWholeWords) {
    const kernels::CompactMoveCall move{.count = 1, .page_bytes = 12};
    const kernels::EnvelopeCopyCall copy{.count = 1, .page_bytes = 12};
    EXPECT_EQ(cuda::launch(move, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cuda::launch(copy, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cuda::launch(kernels::CompactMoveCall{}, nullptr), cudaSuccess);
}

TEST(WriteLocGpu, P8AStaticPoolKeepsTheLocalIdsOfItsRank) {
    std::vector<std::int64_t> loc;
    for (std::int64_t i = 0; i < 700; ++i) {
        loc.push_back(i * 5 - 9);
    }
    std::vector<std::int64_t> out(720, kPoison);
    DeviceMirror mirror;
    mirror.add(loc);
    mirror.add(out);
    kernels::WriteLocCall call{
        .loc = loc.data(), .count = 700, .out = out.data(), .out_count = 710, .dcp = 3, .rank = 1};
    host::run(call);
    mirror.move_all(call.loc, call.out);
    require_cuda(cuda::launch(call, nullptr), "launch the write locations");
    EXPECT_EQ(mirror.fetched(out), out);
}

} // namespace
