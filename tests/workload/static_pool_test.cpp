#include "capture/workload/static_pool.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace kvprof::workload {

namespace {

using testing::ElementsAre;

} // namespace

TEST(StaticPool, HandsOutPagesFromOneUpwards) {
    StaticPool pool(4, 16);
    EXPECT_THAT(pool.alloc(3), ElementsAre(PhysicalPage{1}, PhysicalPage{2}, PhysicalPage{3}));
    EXPECT_EQ(pool.available_pages(), 1);
    EXPECT_EQ(pool.rows_pages(), 5);
}

TEST(StaticPool, AppendsFreedPagesToTheFreeList) {
    StaticPool pool(4, 16);
    (void)pool.alloc(3);
    pool.free(std::vector{PhysicalPage{2}, PhysicalPage{1}});
    EXPECT_THAT(pool.free_pages(), ElementsAre(PhysicalPage{4}, PhysicalPage{2}, PhysicalPage{1}));
    EXPECT_THAT(pool.alloc(2), ElementsAre(PhysicalPage{4}, PhysicalPage{2}));
}

TEST(StaticPool, P12AllocatesAllThatIsAvailableAndNotOneMore) {
    StaticPool pool(4, 16);
    EXPECT_THROW((void)pool.alloc(5), UnavailableError);
    EXPECT_EQ(pool.alloc(4).size(), 4U);
    EXPECT_THROW((void)pool.alloc(1), UnavailableError);
}

TEST(StaticPool, RefusesADoubleFreeAndThePaddingPage) {
    StaticPool pool(4, 16);
    EXPECT_THROW(pool.free(std::vector{PhysicalPage{1}}), std::logic_error);
    EXPECT_THROW(pool.free(std::vector{PhysicalPage{0}}), std::logic_error);
}

TEST(StaticPool, RefusesAPoolWithoutPages) {
    EXPECT_THROW(StaticPool(0, 1), UsageError);
}

} // namespace kvprof::workload
