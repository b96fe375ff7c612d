#include "kernels/read_rules.h"

#include <gtest/gtest.h>

namespace {

namespace kernels = kvprof::kernels;

TEST(ReadRules, OnlyRowsOfV2pAreRead) {
    EXPECT_TRUE(kernels::has_row(0, 3));
    EXPECT_TRUE(kernels::has_row(2, 3));
    EXPECT_FALSE(kernels::has_row(3, 3));
    EXPECT_FALSE(kernels::has_row(-1, 3));
}

TEST(ReadRules, TheTableIsCutByTheNarrowestOfItsBounds) {
    kernels::PageTableCall call{.width = 10};
    call.lanes.req_columns = 17;
    call.lanes.page_size = 2;
    EXPECT_EQ(kernels::column_cap(call), 9); // the row's last page has one column
    call.width = 5;
    EXPECT_EQ(kernels::column_cap(call), 5);
    call.context_columns = 3;
    EXPECT_EQ(kernels::column_cap(call), 5);
    call.grid = kernels::GridRule::ctx;
    EXPECT_EQ(kernels::column_cap(call), 3);
}

TEST(ReadRules, AWindowIsCutByLengthRoomAndColumns) {
    EXPECT_EQ(kernels::live_tokens(5, 0, 100, 100), 5);
    EXPECT_EQ(kernels::live_tokens(50, 0, 100, 20), 20);
    EXPECT_EQ(kernels::live_tokens(50, 70, 100, 90), 30);
    EXPECT_EQ(kernels::live_tokens(50, -1, 100, 90), 0);
    EXPECT_LE(kernels::live_tokens(50, 0, 100, -2), 0);
    EXPECT_LE(kernels::live_tokens(50, 120, 100, 90), 0);
}

} // namespace
