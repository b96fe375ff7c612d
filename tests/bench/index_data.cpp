#include "tests/bench/index_data.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

namespace kvprof::bench {
namespace {

using kernels::IndexType;
using test::DeviceVector;
using test::require_cuda;

constexpr std::int64_t kMult = 7;
constexpr std::int64_t kMostTokens = kMostBatch * kMostLength;

std::vector<std::int64_t> lens_of(const IndexShape& shape) {
    std::vector<std::int64_t> lens(static_cast<std::size_t>(shape.batch), shape.length);
    if (shape.long_length > 0) {
        lens.push_back(shape.long_length);
    }
    return lens;
}

template<typename T>
std::vector<T> zeros(std::int64_t count) {
    return std::vector<T>(static_cast<std::size_t>(count));
}

template<typename T>
std::vector<T> one_to(std::int64_t count, bool in_order, std::mt19937& random) {
    std::vector<T> values = zeros<T>(count);
    std::iota(values.begin(), values.end(), T{1});
    if (!in_order) {
        std::shuffle(values.begin(), values.end(), random);
    }
    return values;
}

std::size_t bytes_of(std::int64_t elements) {
    return static_cast<std::size_t>(elements) * sizeof(std::int32_t);
}

template<typename T>
void upload_front(const DeviceVector<T>& device, const std::vector<T>& values) {
    require_cuda(
        cudaMemcpy(device.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
        "upload an input"
    );
}

std::vector<std::int64_t> row_of_each_lane(std::int64_t batch) {
    std::vector<std::int64_t> rows = zeros<std::int64_t>(batch);
    std::iota(rows.begin(), rows.end(), std::int64_t{1}); // row 0 belongs to padding lanes
    return rows;
}

std::vector<std::int32_t> indptr_of(const IndexShape& shape) {
    std::vector<std::int32_t> indptr{0};
    for (const std::int64_t length : lens_of(shape)) {
        indptr.push_back(indptr.back() + static_cast<std::int32_t>(length));
    }
    return indptr;
}

} // namespace

IndexData::IndexData()
    : req_to_token_(zeros<std::int32_t>((kMostBatch + 1) * kTableColumns)),
      table_(zeros<std::int32_t>(kMostBatch * kTableColumns)),
      stream_(zeros<std::int32_t>(kMostTokens)),
      v2p_wide_(zeros<std::int64_t>(kMostTokens + 2)),
      v2p_narrow_(zeros<std::int32_t>(kMostTokens + 2)),
      rows_(row_of_each_lane(kMostBatch)),
      lens_(zeros<std::int64_t>(kMostBatch)),
      indptr_(zeros<std::int32_t>(kMostBatch + 1)) {}

void IndexData::fill(const IndexShape& shape) {
    shape_ = shape;
    std::mt19937 random(7);
    const auto tokens = shape.tokens();
    const auto ids = one_to<std::int32_t>(tokens, shape.in_order, random);
    auto v2p = one_to<std::int64_t>(tokens, shape.in_order, random);
    v2p.insert(v2p.begin(), 0);
    v2p.push_back(-1);
    upload(ids, v2p);
    expect(ids, v2p);
}

void IndexData::upload(
    const std::vector<std::int32_t>& tokens, const std::vector<std::int64_t>& v2p
) {
    const auto indptr = indptr_of(shape_);
    const auto lens = lens_of(shape_);
    for (std::size_t lane = 0; lane < lens.size(); ++lane) {
        require_cuda(
            cudaMemcpy(
                req_to_token_.data() + static_cast<std::int64_t>(lane + 1) * kTableColumns,
                tokens.data() + indptr[lane],
                bytes_of(lens[lane]),
                cudaMemcpyHostToDevice
            ),
            "upload req_to_token"
        );
    }
    upload_front(v2p_wide_, v2p);
    std::vector<std::int32_t> narrow(v2p.size());
    std::transform(v2p.begin(), v2p.end(), narrow.begin(), [](std::int64_t page) {
        return static_cast<std::int32_t>(page);
    });
    upload_front(v2p_narrow_, narrow);
    upload_front(lens_, lens);
    upload_front(indptr_, indptr);
}

/// Page size 1 and no hole: the table of a lane is its part of the stream.
void IndexData::expect(
    const std::vector<std::int32_t>& tokens, const std::vector<std::int64_t>& v2p
) {
    expected_.resize(tokens.size());
    std::transform(tokens.begin(), tokens.end(), expected_.begin(), [&](std::int32_t token) {
        return static_cast<std::int32_t>(v2p[static_cast<std::size_t>(token)] * kMult);
    });
}

kernels::ReadLanes IndexData::lanes(IndexType v2p) const {
    void* pages = v2p == IndexType::i64 ? static_cast<void*>(v2p_wide_.data())
                                        : static_cast<void*>(v2p_narrow_.data());
    return {
        .req_to_token = req_to_token_.data(),
        .req_columns = kTableColumns,
        .rows = rows_.data(),
        .lens = {lens_.data(), IndexType::i64},
        .v2p = {pages, v2p, shape_.tokens() + 2},
        .mult = kMult,
        .page_size = 1,
        .batch = shape_.lanes(),
    };
}

kernels::PageTableCall IndexData::table_call(kernels::GridRule grid, IndexType v2p) const {
    return {
        .lanes = lanes(v2p),
        .out = table_.data(),
        .stride = kTableColumns,
        .width = kTableColumns,
        .grid = grid,
        .context_columns = kTableColumns,
    };
}

kernels::TokenStreamCall IndexData::stream_call(IndexType v2p) const {
    return {
        .lanes = lanes(v2p),
        .starts = {},
        .indptr = indptr_.data(),
        .out = {stream_.data(), IndexType::i32},
        .capacity = kMostTokens,
    };
}

kernels::RepackCall IndexData::repack_call() const {
    return {
        .table = table_.data(),
        .stride = kTableColumns,
        .lens = {lens_.data(), IndexType::i64},
        .starts = {},
        .indptr = indptr_.data(),
        .out = {stream_.data(), IndexType::i32},
        .capacity = kMostTokens,
        .page_size = 1,
        .batch = shape_.lanes(),
    };
}

void IndexData::check_table() const {
    const auto indptr = indptr_of(shape_);
    const auto lens = lens_of(shape_);
    std::vector<std::int32_t> actual(expected_.size());
    require_cuda(cudaDeviceSynchronize(), "finish the kernel under test");
    for (std::size_t lane = 0; lane < lens.size(); ++lane) {
        require_cuda(
            cudaMemcpy(
                actual.data() + indptr[lane],
                table_.data() + static_cast<std::int64_t>(lane) * kTableColumns,
                bytes_of(lens[lane]),
                cudaMemcpyDeviceToHost
            ),
            "fetch the table"
        );
    }
    if (actual != expected_) {
        throw std::runtime_error("the page table is not the reference's");
    }
}

void IndexData::check_stream() const {
    std::vector<std::int32_t> actual(expected_.size());
    require_cuda(cudaDeviceSynchronize(), "finish the kernel under test");
    require_cuda(
        cudaMemcpy(actual.data(), stream_.data(), bytes_of(shape_.tokens()), cudaMemcpyDefault),
        "fetch the stream"
    );
    if (actual != expected_) {
        throw std::runtime_error("the token stream is not the reference's");
    }
}

void IndexData::clear_outputs() {
    const auto lens = lens_of(shape_);
    for (std::size_t lane = 0; lane < lens.size(); ++lane) {
        auto* row = table_.data() + static_cast<std::int64_t>(lane) * kTableColumns;
        require_cuda(cudaMemset(row, 0xff, bytes_of(lens[lane])), "clear the table");
    }
    require_cuda(cudaMemset(stream_.data(), 0xff, bytes_of(shape_.tokens())), "clear the stream");
}

} // namespace kvprof::bench
