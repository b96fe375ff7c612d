#include "tests/bench/index_data.h"

#include "kernels/host/read_index.h"

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

std::vector<std::int32_t> even_indptr(const IndexShape& shape) {
    std::vector<std::int32_t> indptr = zeros<std::int32_t>(shape.batch + 1);
    for (std::size_t b = 0; b < indptr.size(); ++b) {
        indptr[b] = static_cast<std::int32_t>(static_cast<std::int64_t>(b) * shape.length);
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
    const auto tokens = shape.batch * shape.length;
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
    require_cuda(
        cudaMemcpy2D(
            req_to_token_.data() + kTableColumns,
            bytes_of(kTableColumns),
            tokens.data(),
            bytes_of(shape_.length),
            bytes_of(shape_.length),
            static_cast<std::size_t>(shape_.batch),
            cudaMemcpyHostToDevice
        ),
        "upload req_to_token"
    );
    upload_front(v2p_wide_, v2p);
    std::vector<std::int32_t> narrow(v2p.size());
    std::transform(v2p.begin(), v2p.end(), narrow.begin(), [](std::int64_t page) {
        return static_cast<std::int32_t>(page);
    });
    upload_front(v2p_narrow_, narrow);
    upload_front(
        lens_, std::vector<std::int64_t>(static_cast<std::size_t>(shape_.batch), shape_.length)
    );
    upload_front(indptr_, even_indptr(shape_));
}

void IndexData::expect(const std::vector<std::int32_t>& tokens, std::vector<std::int64_t>& v2p) {
    const auto count = shape_.batch * shape_.length;
    std::vector<std::int64_t> rows = zeros<std::int64_t>(shape_.batch);
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    const std::vector<std::int64_t> lens(static_cast<std::size_t>(shape_.batch), shape_.length);
    const auto indptr = even_indptr(shape_);
    expected_table_ = zeros<std::int32_t>(count);
    expected_stream_ = zeros<std::int32_t>(count);
    const kernels::ReadLanes host_lanes{
        .req_to_token = tokens.data(),
        .req_columns = shape_.length,
        .rows = rows.data(),
        .lens = {lens.data(), IndexType::i64},
        .v2p = {v2p.data(), IndexType::i64, count + 2},
        .mult = kMult,
        .page_size = 1,
        .batch = shape_.batch,
    };
    kernels::host::run(kernels::PageTableCall{
        .lanes = host_lanes,
        .out = expected_table_.data(),
        .stride = shape_.length,
        .width = shape_.length,
    });
    kernels::host::run(kernels::TokenStreamCall{
        .lanes = host_lanes,
        .starts = {},
        .indptr = indptr.data(),
        .out = {expected_stream_.data(), IndexType::i32},
        .capacity = count,
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
        .v2p = {pages, v2p, shape_.batch * shape_.length + 2},
        .mult = kMult,
        .page_size = 1,
        .batch = shape_.batch,
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
        .batch = shape_.batch,
    };
}

void IndexData::check_table() const {
    std::vector<std::int32_t> actual(expected_table_.size());
    require_cuda(cudaDeviceSynchronize(), "finish the kernel under test");
    require_cuda(
        cudaMemcpy2D(
            actual.data(),
            bytes_of(shape_.length),
            table_.data(),
            bytes_of(kTableColumns),
            bytes_of(shape_.length),
            static_cast<std::size_t>(shape_.batch),
            cudaMemcpyDeviceToHost
        ),
        "fetch the table"
    );
    if (actual != expected_table_) {
        throw std::runtime_error("the page table differs from the host twin's");
    }
}

void IndexData::check_stream() const {
    std::vector<std::int32_t> actual(expected_stream_.size());
    require_cuda(cudaDeviceSynchronize(), "finish the kernel under test");
    require_cuda(
        cudaMemcpy(
            actual.data(), stream_.data(), bytes_of(shape_.batch * shape_.length), cudaMemcpyDefault
        ),
        "fetch the stream"
    );
    if (actual != expected_stream_) {
        throw std::runtime_error("the token stream differs from the host twin's");
    }
}

void IndexData::clear_outputs() {
    require_cuda(
        cudaMemset2D(
            table_.data(),
            bytes_of(kTableColumns),
            0xff,
            bytes_of(shape_.length),
            static_cast<std::size_t>(shape_.batch)
        ),
        "clear the table"
    );
    require_cuda(
        cudaMemset(stream_.data(), 0xff, bytes_of(shape_.batch * shape_.length)), "clear the stream"
    );
}

} // namespace kvprof::bench
