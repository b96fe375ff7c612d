#include "capture/model/error.h"
#include "kernels/id_math.h"
#include "tests/workload/pool_rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

namespace kvprof::workload::test {

namespace {

constexpr int kSteps = 400;
constexpr Bytes kTotal{3000};

enum class Chain : std::uint8_t { state, swa, floating };

/// What full shares the buffer with, page size, compaction.
using Case = std::tuple<Chain, std::int64_t, Compaction>;

std::vector<SubPool> pools_of(const Case& c) {
    const auto [chain, page_size, compaction] = c;
    switch (chain) {
    case Chain::state: return state_and_full(page_size);
    case Chain::swa: return swa_and_full(page_size);
    case Chain::floating: return all_three(page_size);
    }
    return {};
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
    const auto [chain, page_size, compaction] = info.param;
    const char* const name = chain == Chain::state ? "state"
                             : chain == Chain::swa ? "swa"
                                                   : "float";
    return std::string(name) + "_page" + std::to_string(page_size)
           + (compaction == Compaction::eager ? "_eager" : "_lazy");
}

bool can_alloc(PoolChain chain, StateKind kind, std::int64_t pages) {
    try {
        return std::ssize(chain.alloc(kind, pages)) == pages;
    } catch (const UnavailableError&) {
        return false;
    }
}

bool moves_on_alloc(PoolChain chain, StateKind kind, std::int64_t pages) {
    const auto taken = chain.alloc(kind, pages);
    return !chain.take_moves().empty();
}

class PoolProperty : public testing::TestWithParam<Case> {
  protected:
    template<typename Check>
    void walk(Check check) {
        PoolRig rig(pools_of(GetParam()), kTotal, std::get<Compaction>(GetParam()));
        for (int step = 0; step < kSteps && !HasFatalFailure(); ++step) {
            SCOPED_TRACE(step);
            rig.step();
            check(rig);
        }
    }
};

void check_capacity(const PoolChain& chain, StateKind kind) {
    const std::int64_t available = chain.available_pages(kind);
    const std::int64_t schedulable = chain.schedulable_pages(kind);
    ASSERT_LE(available, schedulable);
    ASSERT_FALSE(moves_on_alloc(chain, kind, available));
    ASSERT_TRUE(can_alloc(chain, kind, schedulable));
    ASSERT_FALSE(can_alloc(chain, kind, schedulable + 1));
}

void check_ids(const PoolChain& chain, const PoolGrid& grid) {
    const SubPool& pool = grid.pool;
    const std::int64_t limit = grid.num_pages * pool.mult * pool.page_size;
    const std::int64_t buffer_end = chain.layout().total.count + chain.layout().tail_pad.count;
    const std::int64_t last_view = view_origin_bytes(pool, pool.mult - 1);
    for (const std::int64_t home : chain.tables(pool.kind).v2p()) {
        const std::int64_t entry = kernels::page_entry(home, pool.mult);
        const std::int64_t last =
            kernels::token_id_in_page(entry, pool.page_size - 1, pool.page_size);
        ASSERT_GE(entry, 0);
        ASSERT_LT(last, limit);
        ASSERT_LE(last_view + (last + 1) * row_bytes(pool), buffer_end);
    }
}

} // namespace

TEST_P(PoolProperty, P11CompactionKeepsTheContentsOfEveryLivePage) {
    walk([](const PoolRig& rig) {
        rig.chain().check_invariants();
        ASSERT_TRUE(rig.contents_are_intact());
    });
}

TEST_P(PoolProperty, P11CompactionUnderLoadKeepsEveryLiveToken) {
    PoolRig rig(pools_of(GetParam()), kTotal, std::get<Compaction>(GetParam()));
    for (int round = 0; round < 12; ++round) {
        SCOPED_TRACE(round);
        rig.alloc(StateKind::full, rig.chain().schedulable_pages(StateKind::full));
        ASSERT_TRUE(rig.contents_are_intact());
        std::vector<VirtualPage> finished;
        const std::vector<VirtualPage>& live = rig.live(StateKind::full);
        for (std::size_t i = 0; i < live.size(); i += 2 + static_cast<std::size_t>(round) % 3) {
            finished.push_back(live[i]);
        }
        rig.free(StateKind::full, finished);
        rig.flush_beside_reader();
        ASSERT_TRUE(rig.contents_are_intact());
        if (rig.chain().has(StateKind::state) && round % 3 == 0) {
            // The other END grows into what full gave back, and a FLOAT has to go out of its way.
            rig.alloc(StateKind::state, rig.chain().schedulable_pages(StateKind::state) / 2);
            ASSERT_TRUE(rig.contents_are_intact());
            rig.free(StateKind::state, rig.live(StateKind::state));
        }
        rig.release_readers();
        rig.chain().check_invariants();
        rig.chain().audit_bytes();
    }
}

TEST_P(PoolProperty, P12CapacityNeverOverPromises) {
    walk([](const PoolRig& rig) {
        for (const PoolGrid& grid : rig.chain().layout().grids) {
            if (grid.pool.kind != StateKind::swa) {
                check_capacity(rig.chain(), grid.pool.kind);
            }
        }
    });
}

TEST_P(PoolProperty, P13SubPoolsNeverShareAByte) {
    walk([](const PoolRig& rig) { ASSERT_NO_THROW(rig.chain().audit_bytes()); });
}

TEST_P(PoolProperty, P14EveryIdStaysInsideTheBufferAndItsTailPad) {
    walk([](const PoolRig& rig) {
        for (const PoolGrid& grid : rig.chain().layout().grids) {
            check_ids(rig.chain(), grid);
        }
    });
}

TEST_P(PoolProperty, P12EveryCapacityEqualsCountingUp) {
    // Capacities come from formulas and from a binary search; a copy of the chain just tries.
    int step = 0;
    walk([&step](const PoolRig& rig) {
        if (++step % 40 != 0) {
            return;
        }
        const PoolChain& chain = rig.chain();
        std::int64_t fits = 0;
        while (can_alloc(chain, StateKind::full, fits + 1)) {
            ++fits;
        }
        ASSERT_EQ(chain.schedulable_pages(StateKind::full), fits);
    });
}

INSTANTIATE_TEST_SUITE_P(
    Chains,
    PoolProperty,
    testing::Combine(
        testing::Values(Chain::state, Chain::swa, Chain::floating),
        testing::Values(1, 4),
        testing::Values(Compaction::eager, Compaction::lazy)
    ),
    case_name
);

} // namespace kvprof::workload::test
