#include "kernels/cuda/launch.h"
#include "kernels/host/run.h"
#include "tests/support/device_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace kvprof {
namespace {

using kernels::HeadShape;
using kernels::KvLayer;
using test::DeviceVector;
using test::require_cuda;

struct RowShape {
    HeadShape heads;
    std::int64_t row_bytes;
    bool is_mla;
};

/// 16-byte stores, the same for MLA, and heads that only fit element by element.
std::vector<RowShape> row_shapes() {
    return {
        {{.query_heads = 8, .kv_heads = 2, .dim_k = 64, .dim_v = 64}, 256, false},
        {{.query_heads = 4, .kv_heads = 1, .dim_k = 576, .dim_v = 512}, 1152, true},
        {{.query_heads = 1, .kv_heads = 1, .dim_k = 5, .dim_v = 3}, 10, false},
    };
}

/// One allocation for K and V, so that a stray store shows in the comparison.
KvLayer layer_of(std::uint8_t* pool, const RowShape& shape, std::int64_t rows) {
    return {
        .k = pool,
        .v = shape.is_mla ? pool : pool + rows * shape.row_bytes,
        .row_bytes = shape.row_bytes,
        .plane = 4};
}

TEST(KvWriteOnDevice, EqualsTheHostTwin) {
    for (const auto& shape : row_shapes()) {
        const std::int64_t rows = 40;
        std::vector<std::uint8_t> pool(static_cast<std::size_t>(2 * rows * shape.row_bytes), 0xab);
        const std::vector<std::int64_t> write_loc{7, 3, 39, 11, 22, 5, 30, 1, 2, 0};
        const std::vector<std::int64_t> owners{4, 1, 9, 2, 2, 7, 8, 3, 6, -1};
        const std::vector<std::int64_t> lens{10, 1, 5000, 7, 8, 9, 3, 2, 2, 1};
        const DeviceVector device_pool(pool);
        const DeviceVector device_loc(write_loc);
        const DeviceVector device_owners(owners);
        const DeviceVector device_lens(lens);
        kernels::KvWriteCall call;
        call.layer = layer_of(pool.data(), shape, rows);
        call.heads = shape.heads;
        call.seed = 5;
        call.bucket = 10;
        call.write_loc = write_loc.data();
        call.owners = owners.data();
        call.lens = lens.data();
        kernels::host::run(call);
        call.layer = layer_of(device_pool.data(), shape, rows);
        call.write_loc = device_loc.data();
        call.owners = device_owners.data();
        call.lens = device_lens.data();
        require_cuda(kernels::cuda::launch(call, nullptr), "launch kv_write");
        EXPECT_EQ(device_pool.host(), pool);
    }
}

/// Two lanes of 7 and 12 tokens in pages of 4, with a hole and a tombstone.
class FillOnDevice : public testing::Test {
  protected:
    std::vector<std::int32_t> req_to_token{4,  5,  6,  7,  -1, -1, -1, -1, -1, -1, -1, -1,
                                           12, 13, 14, 15, -1, 17, 18, 19, 20, 21, 22, 23};
    std::vector<std::int64_t> rows{1, 0};
    std::vector<std::int64_t> lens{12, 7};
    std::vector<std::int64_t> owners{3, 4};
    std::vector<std::int64_t> v2p{0, 5, 2, 3, 4, 1};
    std::int64_t columns = 12;
    std::int64_t page_size = 4;
    std::int64_t pool_rows = 64;

    std::int64_t dcp = 1;
    std::int64_t rank = 0;
    std::vector<std::int64_t> map; ///< of static sliding windows; empty: none
    std::int64_t page_rows = 1;    ///< more: rows of a page are followed by as many others

    void expect_equal_fills(bool is_translated, const RowShape& shape) {
        std::vector<std::uint8_t> pool(static_cast<std::size_t>(2 * pool_rows * shape.row_bytes));
        const DeviceVector device_pool(pool);
        const DeviceVector device_req(req_to_token);
        const DeviceVector device_rows(rows);
        const DeviceVector device_lens(lens);
        const DeviceVector device_owners(owners);
        const DeviceVector device_v2p(v2p);
        const DeviceVector device_map(map);
        kernels::KvFillCall call;
        const auto strided = [&](KvLayer layer) {
            layer.page_rows = page_rows;
            layer.page_pitch = page_rows == 1 ? 0 : 2 * page_rows * shape.row_bytes;
            return layer;
        };
        call.dcp = dcp;
        call.rank = rank;
        call.full_to_swa.data = map.empty() ? nullptr : map.data();
        call.map_rows = static_cast<std::int64_t>(map.size());
        call.heads = shape.heads;
        call.shared_tokens = 4;
        call.shared_owner = 90;
        call.layer = strided(layer_of(pool.data(), shape, pool_rows));
        const auto batch = static_cast<std::int64_t>(lens.size());
        call.lanes = {
            req_to_token.data(), columns, rows.data(), {lens.data()}, {}, 2, page_size, batch};
        call.lanes.v2p = {is_translated ? v2p.data() : nullptr, kernels::IndexType::i64, 6};
        call.owners = owners.data();
        kernels::host::run(call);
        call.layer = strided(layer_of(device_pool.data(), shape, pool_rows));
        call.full_to_swa.data = map.empty() ? nullptr : device_map.data();
        call.lanes.req_to_token = device_req.data();
        call.lanes.rows = device_rows.data();
        call.lanes.lens.data = device_lens.data();
        call.lanes.v2p.data = is_translated ? device_v2p.data() : nullptr;
        call.owners = device_owners.data();
        require_cuda(kernels::cuda::launch(call, nullptr), "launch kv_fill");
        EXPECT_TRUE(device_pool.host() == pool);
    }
};

TEST_F(FillOnDevice, EqualsTheHostTwinThroughV2p) {
    v2p[5] = -1;
    for (const auto& shape : row_shapes()) {
        expect_equal_fills(true, shape);
    }
}

TEST_F(FillOnDevice, P17EqualsTheHostTwinOnEveryRank) {
    // Pages of 2 tokens on each of 2 ranks.
    page_size = 2;
    dcp = 2;
    for (rank = 0; rank < 2; ++rank) {
        for (const auto& shape : row_shapes()) {
            expect_equal_fills(true, shape);
            expect_equal_fills(false, shape);
        }
    }
}

TEST_F(FillOnDevice, P15EqualsTheHostTwinThroughAMap) {
    map.assign(24, 0);
    std::iota(map.begin() + 6, map.end(), 20);
    map.back() = -1;
    for (const auto& shape : row_shapes()) {
        expect_equal_fills(false, shape);
    }
}

TEST_F(FillOnDevice, P14EqualsTheHostTwinOverStridedPages) {
    page_rows = 4;
    pool_rows = 128;
    for (const auto& shape : row_shapes()) {
        expect_equal_fills(false, shape);
    }
}

TEST_F(FillOnDevice, EqualsTheHostTwinWithIdsVerbatim) {
    for (const auto& shape : row_shapes()) {
        expect_equal_fills(false, shape);
    }
}

TEST_F(FillOnDevice, EqualsTheHostTwinOverManyTokens) {
    lens = {7000, 0, 5001};
    rows = {0, 1, 2};
    owners = {1, 2, 3};
    columns = 7000;
    page_size = 1;
    pool_rows = 3 * 7000;
    req_to_token.resize(3 * 7000);
    std::iota(req_to_token.rbegin(), req_to_token.rend(), 0);
    expect_equal_fills(false, row_shapes().front());
}

} // namespace
} // namespace kvprof
