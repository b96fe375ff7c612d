#include "capture/workload/contents.h"

#include "capture/workload/checked_region.h"
#include "capture/workload/lanes.h"
#include "tests/workload/initial_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace kvprof::workload {
namespace {

using test::Initial;
using testing::Each;
using testing::ElementsAre;

StepSpec three_lanes(const char* preset) {
    StepSpec spec;
    spec.preset = preset;
    spec.attention_backend = "triton";
    spec.batch = 3;
    spec.max_batch = 8;
    spec.max_context = 512;
    spec.seq_len = 100;
    spec.v2p = IndexWidth::i64;
    return spec;
}

TEST(Contents, UnderContextParallelismALanesPageHoldsTokensOfEveryRank) {
    StepSpec spec = three_lanes("tiny-mla");
    spec.page_size = 4;
    spec.dcp = 2;
    spec.seq_len = 20;
    const Initial initial(spec);
    const auto lanes = draw_pages(initial.plan);
    ASSERT_EQ(lanes.vpages[1].size(), 3U); // 8 tokens a page
    const auto row = initial.row(1, 20);
    for (std::int64_t position = 0; position < 20; ++position) {
        const auto page = lanes.vpages[1][static_cast<std::size_t>(position / 8)];
        EXPECT_EQ(row[static_cast<std::size_t>(position)], page * 8 + position % 8) << position;
    }
    EXPECT_EQ(initial.values<std::int64_t>(BufferId::loc)[1], row[19]);
    EXPECT_EQ(peak_pages(initial.plan), 9);
}

TEST(Contents, P15AWindowsTableHasARowForEveryPageOfTheOwner) {
    StepSpec spec = three_lanes("tiny-swa"); // windows of 64
    spec.pool_tokens = 4096;
    const Initial initial(spec);
    const auto v2p = initial.values<std::int64_t>(BufferId::swa_v2p);
    EXPECT_EQ(v2p.size(), static_cast<std::size_t>(initial.plan.full.num_pages + 1));
    EXPECT_EQ(v2p.front(), 0);
    EXPECT_EQ(v2p.back(), -1);
}

TEST(Contents, BindsExactlyTheWindowsPagesAndEachToAPageOfItsOwn) {
    for (const std::int64_t page_size : {1, 3, 16}) {
        StepSpec spec = three_lanes("tiny-swa");
        spec.page_size = page_size;
        const Initial initial(spec);
        const auto v2p = initial.values<std::int64_t>(BufferId::swa_v2p);
        const auto p2v = initial.values<std::int64_t>(BufferId::swa_p2v);
        std::set<std::int64_t> homes;
        for (std::int64_t lane = 0; lane < spec.batch; ++lane) {
            const auto row = initial.row(lane, 100);
            for (std::int64_t position = 0; position < 100; ++position) {
                const auto vpage = row[static_cast<std::size_t>(position)] / page_size;
                const auto home = v2p[static_cast<std::size_t>(vpage)];
                const bool is_covered = position / page_size >= (100 - 64) / page_size;
                EXPECT_EQ(home >= 0, is_covered) << position;
                if (is_covered) {
                    EXPECT_EQ(p2v[static_cast<std::size_t>(home)], vpage);
                    homes.insert(home);
                }
            }
        }
        const auto pages = (100 + page_size - 1) / page_size - (100 - 64) / page_size;
        EXPECT_EQ(homes.size(), static_cast<std::size_t>(3 * pages));
        EXPECT_GE(*homes.begin(), initial.plan.swa->min_page);
        EXPECT_LT(*homes.rbegin(), initial.plan.swa->num_pages);
    }
}

TEST(Contents, AStaticPoolMapsTheWindowsTokensAndNoOthers) {
    for (const std::int64_t page_size : {1, 3, 16}) {
        StepSpec spec = three_lanes("tiny-swa");
        spec.page_size = page_size;
        spec.pool = PoolKind::statik;
        const Initial initial(spec);
        const auto map = initial.values<std::int64_t>(BufferId::full_to_swa);
        ASSERT_EQ(
            static_cast<std::int64_t>(map.size()), initial.plan.full.num_pages * page_size + 1
        );
        EXPECT_EQ(map.back(), -1);
        std::set<std::int64_t> tokens;
        std::size_t mapped = 0;
        for (std::int64_t lane = 0; lane < spec.batch; ++lane) {
            const auto row = initial.row(lane, 100);
            for (std::int64_t position = 0; position < 100; ++position) {
                const auto full = row[static_cast<std::size_t>(position)];
                const auto swa = map[static_cast<std::size_t>(full)];
                if (position / page_size < (100 - 64) / page_size) {
                    EXPECT_EQ(swa, 0) << position;
                    continue;
                }
                EXPECT_EQ(swa % page_size, position % page_size);
                EXPECT_GE(swa, page_size); // page 0 is the sink
                tokens.insert(swa);
                ++mapped;
            }
        }
        EXPECT_EQ(tokens.size(), mapped);
        EXPECT_LT(*tokens.rbegin(), initial.plan.swa->num_pages * page_size);
    }
}

TEST(Contents, AStaticPoolsWindowPagesAreEitherMappedOrFree) {
    StepSpec spec = three_lanes("tiny-swa");
    spec.page_size = 4;
    spec.pool = PoolKind::statik;
    spec.churn = 0.25;
    const Initial initial(spec);
    std::set<std::int64_t> pages;
    for (const auto token : initial.values<std::int64_t>(BufferId::full_to_swa)) {
        if (token > 0) {
            pages.insert(token / 4);
        }
    }
    const auto free = initial.values<std::int64_t>(BufferId::swa_free);
    EXPECT_EQ(initial.state.swa_free, static_cast<std::int64_t>(free.size()));
    for (const auto page : free) {
        EXPECT_TRUE(pages.insert(page).second) << page;
    }
    EXPECT_EQ(static_cast<std::int64_t>(pages.size()), initial.plan.swa->num_pages - 1);
    EXPECT_EQ(*pages.begin(), 1);
}

TEST(Contents, GivesEachRowASlotAndThePaddedLanesTheSink) {
    StepSpec spec = three_lanes("tiny-mla");
    for (const PoolKind pool : {PoolKind::statik, PoolKind::unified}) {
        spec.pool = pool;
        const Initial initial(spec);
        const auto first = static_cast<std::int32_t>(initial.plan.state->min_slot);
        EXPECT_THAT(
            initial.values<std::int32_t>(BufferId::req_to_state),
            ElementsAre(0, first, first + 1, first + 2, 0, 0, 0, 0, 0)
        );
    }
    const Initial unified(spec);
    const auto v2p = unified.values<std::int64_t>(BufferId::state_v2p);
    const auto p2v = unified.values<std::int64_t>(BufferId::state_p2v);
    for (std::int64_t lane = 0; lane < 3; ++lane) {
        const auto slot = unified.plan.state->min_slot + lane;
        const auto home = v2p[static_cast<std::size_t>(slot)];
        EXPECT_EQ(p2v[static_cast<std::size_t>(home)], slot);
    }
}

TEST(Contents, P16ReadersLengthsAreTheLanesAndTheirDrafts) {
    StepSpec spec = three_lanes("tiny-mla");
    spec.delta = 3;
    EXPECT_THAT(
        Initial(spec).values<std::int64_t>(BufferId::kv_lens), ElementsAre(103, 103, 103, 4)
    );
    spec.verify = VerifyMode::ragged;
    spec.delta = 5;
    const Initial ragged(spec);
    const auto drafts = ragged.values<std::int64_t>(BufferId::draft_lens);
    ASSERT_EQ(drafts.size(), 4U);
    EXPECT_THAT(drafts, Each(testing::AllOf(testing::Ge(1), testing::Le(5))));
    EXPECT_EQ(drafts[3], 1); // of the padded lane
    const auto lens = ragged.values<std::int64_t>(BufferId::kv_lens);
    for (std::size_t lane = 0; lane < 3; ++lane) {
        EXPECT_EQ(lens[lane], 100 + drafts[lane]);
        EXPECT_EQ(drafts[lane], ragged.plan.drafts[lane]);
    }
}

TEST(Contents, DrawsRaggedDraftsBySeed) {
    StepSpec spec = three_lanes("tiny-mla");
    spec.batch = 64;
    spec.max_batch = 64;
    spec.delta = 4;
    EXPECT_THAT(lane_drafts(spec), Each(4));
    spec.verify = VerifyMode::ragged;
    const auto drafts = lane_drafts(spec);
    EXPECT_EQ(lane_drafts(spec), drafts);
    EXPECT_EQ(std::set<std::int64_t>(drafts.begin(), drafts.end()).size(), 4U); // 1 to 4
    spec.seed += 1;
    EXPECT_NE(lane_drafts(spec), drafts);
}

TEST(Contents, P11ACompactionMovesTheOutermostPagesIntoHolesFurtherIn) {
    for (const auto& [how, name] : EnumNames<Fragmentation>::values) {
        StepSpec spec = three_lanes("tiny-mla");
        spec.page_size = 4;
        spec.fragmentation = how;
        spec.compact_pages = 5;
        const Initial initial(spec);
        const auto from = initial.values<std::int64_t>(BufferId::compact_from);
        const auto to = initial.values<std::int64_t>(BufferId::compact_to);
        const auto p2v = initial.values<std::int64_t>(BufferId::full_p2v);
        ASSERT_EQ(from.size(), 10U) << name;
        for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_GT(p2v[static_cast<std::size_t>(from[i])], 0) << name;
            EXPECT_EQ(p2v[static_cast<std::size_t>(to[i])], -1) << name;
            EXPECT_EQ(from[5 + i], to[i]);
            EXPECT_EQ(to[5 + i], from[i]);
        }
        // Full grows down: what lies farthest out has the lowest pages, and no page lies beyond.
        const std::set<std::int64_t> outermost(from.begin(), from.begin() + 5);
        const std::int64_t used = 3 * 25 + 5;
        std::set<std::int64_t> expected;
        for (std::int64_t i = 0; i < 5; ++i) {
            expected.insert(initial.plan.full.num_pages - used + i);
        }
        EXPECT_EQ(outermost, expected) << name;
        const auto held = std::count_if(p2v.begin(), p2v.end(), [](auto page) { return page > 0; });
        EXPECT_EQ(held, 75) << name;
    }
}

TEST(Contents, P11LeavesNoTombstoneAmongThePagesThatACompactionMoves) {
    StepSpec spec = three_lanes("tiny-mla");
    spec.compact_pages = 20;
    spec.tombstones = 0.9;
    const Initial initial(spec);
    const auto from = initial.values<std::int64_t>(BufferId::compact_from);
    const auto p2v = initial.values<std::int64_t>(BufferId::full_p2v);
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_GT(p2v[static_cast<std::size_t>(from[i])], 0);
    }
}

TEST(Contents, ABackendsOwnTableStartsWithItsFill) {
    StepSpec spec = three_lanes("tiny-mla");
    spec.attention_backend = "flashmla";
    spec.page_size = 64;
    const Initial initial(spec);
    EXPECT_THAT(initial.values<std::int32_t>(BufferId::block_table), Each(1));
    const auto table = std::find_if(
        initial.plan.buffers.begin(),
        initial.plan.buffers.end(),
        [](const BufferSpec& buffer) { return buffer.id == BufferId::block_table; }
    );
    ASSERT_NE(table, initial.plan.buffers.end());
    EXPECT_FALSE(is_poisoned(initial.state, *table));
    spec.attention_backend = "trtllm_mla";
    EXPECT_THAT(Initial(spec).values<std::int32_t>(BufferId::block_table), Each(-1));
}

} // namespace
} // namespace kvprof::workload
