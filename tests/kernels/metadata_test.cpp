#include "kernels/host/metadata.h"

#include "tests/reference/reference_ids.h"
#include "tests/support/index_buffer.h"

#include <gmock/gmock.h>

namespace {

using kvprof::kernels::IndexType;
using kvprof::test::IndexBuffer;
using testing::ElementsAre;
namespace host = kvprof::kernels::host;
namespace kernels = kvprof::kernels;

TEST(Indptr, IsTheExclusiveSumAndLeavesLaterEntriesAlone) {
    for (const auto type : {IndexType::i32, IndexType::i64}) {
        const IndexBuffer lens({3, 0, 5}, type);
        std::vector<std::int32_t> out(6, -77);
        host::run(kernels::IndptrCall{.lens = lens.view(), .out = out.data(), .batch = 3});
        EXPECT_THAT(out, ElementsAre(0, 3, 3, 8, -77, -77));
    }
    EXPECT_EQ(kvprof::reference::indptr({3, 0, 5}), (kvprof::reference::Ids{0, 3, 3, 8}));
}

TEST(Indptr, AnEmptyBatchWritesNothing) {
    std::vector<std::int32_t> out(1, -77);
    host::run(kernels::IndptrCall{.lens = {}, .out = out.data(), .batch = 0});
    EXPECT_THAT(out, ElementsAre(-77));
}

TEST(Append, WritesTheNewTokenAtTheEndOfItsRow) {
    std::vector<std::int32_t> matrix(3 * 4, -1);
    const std::vector<std::int64_t> rows{2, 1};
    const std::vector<std::int64_t> lens{1, 4};
    const std::vector<std::int64_t> ids{70, 80};
    host::run(kernels::AppendCall{
        .req_to_token = matrix.data(),
        .req_columns = 4,
        .rows = rows.data(),
        .lens = lens.data(),
        .ids = ids.data(),
        .batch = 2,
    });
    EXPECT_THAT(matrix, ElementsAre(-1, -1, -1, -1, -1, -1, -1, 80, 70, -1, -1, -1));
}

TEST(Append, SkipsALengthOutsideTheRow) {
    std::vector<std::int32_t> matrix(3 * 2, -1);
    const std::vector<std::int64_t> rows{1, 1};
    const std::vector<std::int64_t> lens{0, 3};
    const std::vector<std::int64_t> ids{70, 80};
    host::run(kernels::AppendCall{
        .req_to_token = matrix.data(),
        .req_columns = 2,
        .rows = rows.data(),
        .lens = lens.data(),
        .ids = ids.data(),
        .batch = 2,
    });
    EXPECT_THAT(matrix, testing::Each(-1));
}

TEST(KvSplits, RoundsUpBetweenOneAndTheMost) {
    const IndexBuffer lens({0, 1, 100, 101, 5000}, IndexType::i64);
    std::vector<std::int32_t> out(6, -77);
    host::run(kernels::KvSplitsCall{
        .lens = lens.view(),
        .batch = 5,
        .tokens_per_split = 100,
        .max_splits = 8,
        .out = out.data(),
    });
    EXPECT_THAT(out, ElementsAre(1, 1, 1, 2, 8, -77));
}

} // namespace
