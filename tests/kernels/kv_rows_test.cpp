#include "kernels/host/kv_rows.h"

#include "kernels/content.h"
#include "kernels/kv_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace kvprof {
namespace {

using kernels::content_bf16;
using kernels::content_key;
using testing::Each;
using testing::ElementsAre;

/// A pool of two-element rows of bf16, untouched rows hold 7s.
class KvRows : public testing::Test {
  protected:
    static constexpr std::int64_t kRowBytes = 4;
    std::vector<std::uint16_t> k = std::vector<std::uint16_t>(2 * 32, 7);
    std::vector<std::uint16_t> v = std::vector<std::uint16_t>(2 * 32, 7);
    kernels::HeadShape heads{.query_heads = 2, .kv_heads = 2, .dim_k = 1, .dim_v = 1};

    kernels::KvLayer layer() {
        return {
            .k = reinterpret_cast<std::uint8_t*>(k.data()),
            .v = reinterpret_cast<std::uint8_t*>(v.data()),
            .row_bytes = kRowBytes,
            .plane = 4};
    }

    [[nodiscard]] static std::vector<std::uint16_t>
    row(const std::vector<std::uint16_t>& pool, std::size_t id) {
        return {
            pool.begin() + static_cast<std::ptrdiff_t>(2 * id),
            pool.begin() + static_cast<std::ptrdiff_t>(2 * id) + 2};
    }

    [[nodiscard]] static std::vector<std::uint16_t> content(std::uint64_t key, std::int64_t plane) {
        return {content_bf16(key, plane, 0), content_bf16(key, plane, 1)};
    }
};

TEST_F(KvRows, WriteGoesToTheWriteLocation) {
    const std::vector<std::int64_t> write_loc{9, 0};
    const std::vector<std::int64_t> owners{3, -1};
    const std::vector<std::int64_t> lens{100, 1};
    kernels::host::run(kernels::KvWriteCall{
        layer(), heads, write_loc.data(), owners.data(), lens.data(), 5, 2});
    EXPECT_EQ(row(k, 9), content(content_key(5, 3, 99), 4));
    EXPECT_EQ(row(v, 9), content(content_key(5, 3, 99), 5));
    EXPECT_EQ(row(k, 0), content(content_key(5, -1, 0), 4)); // the padded lane
    EXPECT_THAT(row(k, 8), Each(7));
    EXPECT_THAT(row(k, 10), Each(7));
}

TEST_F(KvRows, WriteStoresMlaRowsOnce) {
    heads = {.query_heads = 4, .kv_heads = 1, .dim_k = 2, .dim_v = 1};
    auto shared = layer();
    shared.v = shared.k;
    const std::vector<std::int64_t> write_loc{1};
    const std::vector<std::int64_t> owners{3};
    const std::vector<std::int64_t> lens{1};
    kernels::host::run(kernels::KvWriteCall{
        shared, heads, write_loc.data(), owners.data(), lens.data(), 5, 1});
    EXPECT_EQ(row(k, 1), content(content_key(5, 3, 0), 4));
    EXPECT_THAT(v, Each(7));
}

/// One lane of 6 tokens (5 are filled) in pages of 2: virtual pages 1, a hole, 2.
class KvFill : public KvRows {
  protected:
    std::vector<std::int32_t> req_to_token{2, 3, -1, -1, 4, 5};
    std::vector<std::int64_t> rows{0};
    std::vector<std::int64_t> lens{6};
    std::vector<std::int64_t> owners{3};
    std::vector<std::int64_t> v2p{0, 3, 2};

    void fill(bool is_translated) {
        kernels::KvFillCall call;
        call.layer = layer();
        call.heads = heads;
        call.lanes = {req_to_token.data(), 6, rows.data(), {lens.data()}, {}, 4, 2, 1};
        call.lanes.v2p = {is_translated ? v2p.data() : nullptr, kernels::IndexType::i64, 3};
        call.owners = owners.data();
        call.shared_tokens = 1;
        call.shared_owner = 90;
        call.seed = 5;
        kernels::host::run(call);
    }

    [[nodiscard]] std::vector<std::size_t> written() const {
        std::vector<std::size_t> ids;
        for (std::size_t id = 0; id < 32; ++id) {
            if (row(k, id) != std::vector<std::uint16_t>{7, 7}) {
                ids.push_back(id);
            }
        }
        return ids;
    }
};

TEST_F(KvFill, WritesAllButTheNewestTokenThroughV2p) {
    fill(true);
    EXPECT_THAT(written(), ElementsAre(16, 24, 25)); // pages 3 and 2, 4 blocks of 2 rows a page
    EXPECT_EQ(row(k, 25), content(content_key(5, 3, 1), 4));
    EXPECT_EQ(row(v, 16), content(content_key(5, 3, 4), 5));
}

TEST_F(KvFill, GivesTheSharedPrefixItsOwner) {
    fill(true);
    EXPECT_EQ(row(k, 24), content(content_key(5, 90, 0), 4));
}

TEST_F(KvFill, SkipsTombstonesAndPagesWithoutARow) {
    v2p = {0, -1, 2};
    req_to_token[4] = 6;
    fill(true);
    EXPECT_THAT(written(), testing::IsEmpty());
}

TEST_F(KvRows, P14ARowOfAStridedPageLiesBehindTheOtherLayersRows) {
    auto strided = layer();
    strided.page_rows = 2;
    strided.page_pitch = 6 * kRowBytes;
    const std::vector<std::int64_t> write_loc{5}; // row 1 of page 2
    const std::vector<std::int64_t> owners{3};
    const std::vector<std::int64_t> lens{1};
    kernels::host::run(kernels::KvWriteCall{
        strided, heads, write_loc.data(), owners.data(), lens.data(), 5, 1});
    EXPECT_EQ(row(k, 13), content(content_key(5, 3, 0), 4));
    EXPECT_EQ(row(v, 13), content(content_key(5, 3, 0), 5));
    EXPECT_THAT(row(k, 5), Each(7));
}

TEST_F(KvRows, P14APageOfOneRowStridesToo) {
    auto strided = layer();
    strided.page_pitch = 3 * kRowBytes;
    EXPECT_EQ(kernels::row_offset(strided, 4), 48);
    strided.page_pitch = 0;
    EXPECT_EQ(kernels::row_offset(strided, 4), 16);
}

TEST_F(KvFill, P17WritesItsRanksPositionsAtTheirLocalIds) {
    // Pages of 2 tokens on each of 2 ranks: positions 0 .. 3 are widened ids 4 .. 7 of page 1.
    req_to_token = {4, 5, 6, 7, 8, 9};
    const auto fill_rank = [&](std::int64_t rank) {
        std::fill(k.begin(), k.end(), 7);
        kernels::KvFillCall call;
        call.layer = layer();
        call.heads = heads;
        call.lanes = {req_to_token.data(), 6, rows.data(), {lens.data()}, {}, 4, 2, 1};
        call.lanes.v2p = {v2p.data(), kernels::IndexType::i64, 3};
        call.owners = owners.data();
        call.seed = 5;
        call.dcp = 2;
        call.rank = rank;
        kernels::host::run(call);
    };
    fill_rank(0); // positions 0, 2 and 4 of page 3 and page 2; 4 blocks of 2 rows a page
    EXPECT_THAT(written(), ElementsAre(16, 24, 25));
    EXPECT_EQ(row(k, 25), content(content_key(5, 3, 2), 4));
    EXPECT_EQ(row(k, 16), content(content_key(5, 3, 4), 4));
    fill_rank(1); // positions 1 and 3; 5 is the newest token
    EXPECT_THAT(written(), ElementsAre(24, 25));
    EXPECT_EQ(row(k, 24), content(content_key(5, 3, 1), 4));
}

TEST_F(KvFill, P15WritesASlidingWindowsRowsThroughTheMap) {
    const std::vector<std::int64_t> map{0, 0, 9, 0, 6, -1};
    kernels::KvFillCall call;
    call.layer = layer();
    call.heads = heads;
    call.lanes = {req_to_token.data(), 6, rows.data(), {lens.data()}, {}, 1, 2, 1};
    call.owners = owners.data();
    call.seed = 5;
    call.full_to_swa = {map.data(), kernels::IndexType::i64};
    call.map_rows = 6;
    kernels::host::run(call);
    EXPECT_THAT(written(), ElementsAre(6, 9)); // tokens 4 and 2; 3 has no place
    EXPECT_EQ(row(k, 9), content(content_key(5, 3, 0), 4));
}

TEST_F(KvFill, TakesStaticIdsVerbatim) {
    fill(false);
    EXPECT_THAT(written(), ElementsAre(2, 3, 4));
}

} // namespace
} // namespace kvprof
