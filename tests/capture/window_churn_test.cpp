#include "tests/capture/window_rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace {

using namespace kvprof;
using test::kWindow;
using test::StepRig;
using test::windows;
using workload::BufferId;

/// What the lanes' windows cover by lengths alone: (lane, page of the lane).
std::vector<std::pair<std::int64_t, std::int64_t>> covered_pages(const StepRig& rig) {
    std::vector<std::pair<std::int64_t, std::int64_t>> covered;
    const auto lens = rig.values<std::int64_t>(BufferId::lens, rig.plan.spec.batch);
    for (std::int64_t lane = 0; lane < rig.plan.spec.batch; ++lane) {
        const auto length = lens[static_cast<std::size_t>(lane)];
        std::set<std::int64_t> pages;
        for (auto p = std::max<std::int64_t>(length - kWindow, 0); p < length; ++p) {
            pages.insert(p / rig.plan.spec.page_size);
        }
        for (const auto page : pages) {
            covered.emplace_back(lane, page);
        }
    }
    return covered;
}

/// Page ids that the lanes' windows cover.
std::set<std::int64_t> covered_ids(const StepRig& rig) {
    std::set<std::int64_t> ids;
    const std::int64_t ps = rig.plan.spec.page_size;
    for (const auto& [lane, page] : covered_pages(rig)) {
        const std::int64_t cell = (lane + 1) * rig.plan.req_columns + page * ps;
        ids.insert(rig.values<std::int32_t>(BufferId::req_to_token, 1, cell).front() / ps);
    }
    return ids;
}

/// The map holds the covered pages token by token, each behind a page of its own.
void expect_mapped_windows(const StepRig& rig, int step) {
    const std::int64_t ps = rig.plan.spec.page_size;
    const std::int64_t rows = rig.plan.full.num_pages * ps + 1;
    const auto map = rig.values<std::int64_t>(BufferId::full_to_swa, rows);
    std::set<std::int64_t> full_pages;
    std::set<std::int64_t> own_pages;
    for (std::int64_t token = 0; token + 1 < rows; ++token) {
        const auto swa = map[static_cast<std::size_t>(token)];
        ASSERT_GE(swa, 0);
        if (swa > 0) {
            ASSERT_EQ(swa % ps, token % ps);
            full_pages.insert(token / ps);
            own_pages.insert(swa / ps);
        }
    }
    ASSERT_EQ(full_pages, covered_ids(rig)) << step;
    ASSERT_EQ(own_pages.size(), full_pages.size()) << step;
    ASSERT_EQ(map.back(), -1);
}

class ChurnedWindows : public testing::TestWithParam<std::int64_t> {};

/// One lane that has outgrown its window, all of them at once, and all of them on the way there.
std::vector<StepSpec> churned_windows(PoolKind pool, std::int64_t page_size) {
    StepSpec spec = windows(pool, page_size);
    spec.churn = 1.0 / 12;
    std::vector<StepSpec> specs{spec};
    spec.length_law = LengthLaw::constant;
    specs.push_back(spec);
    spec.seq_len = kWindow - 4;
    specs.push_back(spec);
    return specs;
}

/// After each of 26 steps the windows' pages, and they alone, are bound: P9 and P15 in the step.
TEST_P(ChurnedWindows, P15AUnifiedPoolHoldsExactlyTheWindowsPages) {
    for (StepSpec spec : churned_windows(PoolKind::unified, GetParam())) {
        spec.alloc = spec.length_law == LengthLaw::ragged ? LaunchForm::eager : LaunchForm::fused;
        const StepRig rig(spec);
        const std::int64_t rows = rig.plan.full.num_pages + 1;
        for (int step = 0; step < 26; ++step) {
            rig.run();
            const auto v2p = rig.values<std::int64_t>(BufferId::swa_v2p, rows);
            const auto p2v =
                rig.values<std::int64_t>(BufferId::swa_p2v, rig.plan.swa->num_pages + 1);
            const auto full = rig.values<std::int64_t>(BufferId::full_v2p, rows);
            std::set<std::int64_t> bound;
            for (std::int64_t page = 1; page + 1 < rows; ++page) {
                const auto home = v2p[static_cast<std::size_t>(page)];
                if (home >= 0) {
                    bound.insert(page);
                    ASSERT_EQ(p2v[static_cast<std::size_t>(home)], page) << step;
                    ASSERT_GT(full[static_cast<std::size_t>(page)], 0) << step;
                }
            }
            ASSERT_EQ(bound, covered_ids(rig)) << step;
            ASSERT_EQ(v2p.front(), 0);
            ASSERT_EQ(v2p.back(), -1);
        }
    }
}

TEST_P(ChurnedWindows, P9AStaticPoolMapsExactlyTheWindowsPages) {
    for (const StepSpec& spec : churned_windows(PoolKind::statik, GetParam())) {
        const StepRig rig(spec);
        for (int step = 0; step < 26; ++step) {
            rig.run();
            expect_mapped_windows(rig, step);
        }
    }
}

/// Pages come and go in the windows' pool alone: full attention reads what it always read.
TEST_P(ChurnedWindows, P15LeavingAWindowLeavesFullReadsIntact) {
    StepSpec spec = windows(PoolKind::unified, GetParam());
    spec.churn = 1.0 / 12;
    const StepRig rig(spec);
    for (int step = 0; step < 26; ++step) {
        rig.run();
        const auto ends = rig.values<std::int32_t>(BufferId::indptr, spec.batch + 1);
        const auto ids = rig.values<std::int64_t>(BufferId::stream, ends.back());
        const std::set<std::int64_t> unique(ids.begin(), ids.end());
        ASSERT_EQ(unique.size(), ids.size()) << step; // a token of each lane, none in the sink
        ASSERT_GE(*unique.begin(), rig.plan.full.min_page * spec.page_size * rig.plan.full.mult);
    }
}

INSTANTIATE_TEST_SUITE_P(PageSizes, ChurnedWindows, testing::Values(1, 3, 16));

} // namespace
