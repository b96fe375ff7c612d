#include "capture/workload/window_math.h"

#include <gtest/gtest.h>

#include <set>

namespace kvprof::workload {
namespace {

/// A plan that has what window arithmetic reads, and nothing else.
StepPlan window_of(std::int64_t window, std::int64_t page_size) {
    StepPlan plan;
    plan.spec.page_size = page_size;
    plan.swa = TokenPool{};
    plan.swa->window = window;
    return plan;
}

TEST(WindowMath, APageLeavesWhenNoneOfItsTokensIsCovered) {
    for (const std::int64_t page_size : {1, 3, 4, 16}) {
        for (const std::int64_t window : {1, 2, 5, 16, 64}) {
            const StepPlan plan = window_of(window, page_size);
            std::set<std::int64_t> held;
            for (std::int64_t length = 1; length < 200; ++length) {
                held.insert((length - 1) / page_size);
                if (leaves_window_page(plan, length)) {
                    EXPECT_EQ(held.erase(first_window_page(plan, length) - 1), 1U);
                }
                std::set<std::int64_t> covered;
                for (std::int64_t p = std::max<std::int64_t>(length - window, 0); p < length; ++p) {
                    covered.insert(p / page_size);
                }
                ASSERT_EQ(held, covered) << page_size << ' ' << window << ' ' << length;
                EXPECT_LE(static_cast<std::int64_t>(held.size()), most_window_pages(plan));
            }
        }
    }
}

TEST(WindowMath, AStaticPoolListsTokensBehindItsPages) {
    StepPlan plan = window_of(64, 16);
    plan.spec.batch = 2;
    EXPECT_EQ(most_window_pages(plan), 5); // 64 tokens that start inside a page
    plan.spec.pool = PoolKind::unified;
    EXPECT_EQ(window_list_items(plan), 5);
    plan.spec.pool = PoolKind::statik;
    EXPECT_EQ(window_list_items(plan), 5 + 5 * 16);
    plan.spec.page_size = 1; // pages are their tokens
    EXPECT_EQ(window_list_items(plan), 64);
}

} // namespace
} // namespace kvprof::workload
