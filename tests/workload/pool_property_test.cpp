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

/// Second END, page size, compaction.
using Case = std::tuple<StateKind, std::int64_t, Compaction>;

std::vector<SubPool> pools_of(const Case& c) {
    const auto [second, page_size, compaction] = c;
    return second == StateKind::swa ? swa_and_full(page_size) : state_and_full(page_size);
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
    const auto [second, page_size, compaction] = info.param;
    return std::string(to_string(second)) + "_page" + std::to_string(page_size)
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

void check_ids(const PoolChain& chain, const EndAllocator& end) {
    const PoolGrid& grid = end.grid();
    const SubPool& pool = grid.pool;
    const std::int64_t limit = grid.num_pages * pool.mult * pool.page_size;
    const std::int64_t buffer_end = chain.layout().total.count + chain.layout().tail_pad.count;
    const std::int64_t last_view = view_origin_bytes(pool, pool.mult - 1);
    for (const std::int64_t home : end.v2p()) {
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
            check_ids(rig.chain(), rig.chain().member(grid.pool.kind));
        }
    });
}

INSTANTIATE_TEST_SUITE_P(
    Chains,
    PoolProperty,
    testing::Combine(
        testing::Values(StateKind::state, StateKind::swa),
        testing::Values(1, 4),
        testing::Values(Compaction::eager, Compaction::lazy)
    ),
    case_name
);

} // namespace kvprof::workload::test
