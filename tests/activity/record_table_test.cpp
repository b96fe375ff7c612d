#include "capture/activity/records.h"

#include <gtest/gtest.h>

namespace kvprof::activity {

namespace {

TEST(RecordTable, KeepsRecordsInOrderAcrossItsChunks) {
    RecordTable table;
    constexpr std::uint32_t kRecords = 3 * 65'536 + 1;
    for (std::uint32_t index = 0; index < kRecords; ++index) {
        table.append({.start = index, .correlation = index});
    }
    const Record* first = &table[0];
    ASSERT_EQ(table.size(), kRecords);
    for (const std::uint32_t index : {0U, 65'535U, 65'536U, kRecords - 1}) {
        EXPECT_EQ(table[index].correlation, index);
    }
    table.append({});
    EXPECT_EQ(&table[0], first);
}

} // namespace

} // namespace kvprof::activity
