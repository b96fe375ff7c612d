#include "kernels/backend_rules.h"
#include "kernels/cuda/backend_metadata.h"
#include "kernels/cuda/block_scan.cuh"
#include "kernels/cuda/dispatch.cuh"
#include "kernels/narrow_ids.h"

#include <algorithm>

namespace kvprof::kernels::cuda {
namespace {

/// The most columns of each table; the host derives them once.
struct Caps {
    std::int64_t table = 0;
    std::int64_t window_table = 0;

    explicit Caps(const FaMetadataCall& call)
        : table(std::max<std::int64_t>(column_cap(call, call.table), 0)),
          window_table(std::max<std::int64_t>(column_cap(call, call.window_table), 0)) {}

    [[nodiscard]] __host__ __device__ std::int64_t most() const {
        return table < window_table ? window_table : table;
    }
};

/// One lane of a metadata kernel's two tables. PageSize 0: known at run time only.
template<int PageSize>
class LaneTables {
  public:
    __device__ LaneTables(const FaMetadataCall& call, const Caps& caps, std::int64_t lane)
        : call_(call),
          lane_(lane),
          tokens_(nullptr) {
        const std::int64_t length = cache_length(call, lane);
        const std::int64_t page_size = PageSize > 0 ? PageSize : call.page_size;
        columns_ = live_columns(length, page_size, caps.table);
        window_columns_ = live_columns(length, page_size, caps.window_table);
        if (call.source == TableSource::req_to_token && caps.most() > 0) {
            tokens_ = call.req_to_token + __ldg(call.rows + lane) * call.req_columns;
        }
    }

    [[nodiscard]] __device__ std::int64_t columns() const {
        return columns_ < window_columns_ ? window_columns_ : columns_;
    }

    /// The token that a column's entries come from; none when they are copied.
    [[nodiscard]] __device__ std::int32_t token(std::int64_t column) const {
        const std::int64_t page_size = PageSize > 0 ? PageSize : call_.page_size;
        return tokens_ == nullptr ? 0 : __ldg(tokens_ + column * page_size);
    }

    __device__ void store(std::int64_t column, std::int32_t token) const {
        store(call_.table, columns_, column, token);
        store(call_.window_table, window_columns_, column, token);
    }

  private:
    __device__ void store(
        const MetadataTable& table, std::int64_t columns, std::int64_t column, std::int32_t token
    ) const {
        if (column >= columns) {
            return;
        }
        const auto page_size =
            static_cast<std::uint32_t>(PageSize > 0 ? PageSize : call_.page_size);
        std::int32_t entry = 0;
        if (tokens_ == nullptr) {
            entry = __ldg(table.rectangle + lane_ * table.rectangle_stride + column);
        } else if (table.full_to_swa.data == nullptr) {
            entry = static_cast<std::int32_t>(narrow_virtual_page(token, page_size));
        } else {
            entry = static_cast<std::int32_t>(
                static_page(table.full_to_swa, table.map_rows, token, page_size)
            );
        }
        table.out[lane_ * call_.stride + column] = entry;
    }

    const FaMetadataCall& call_;
    std::int64_t lane_;
    const std::int32_t* tokens_;
    std::int64_t columns_ = 0;
    std::int64_t window_columns_ = 0;
};

/// Grid (column blocks, lanes), a column a thread; block (0, 0) also scans the lengths.
template<int PageSize>
__global__ void __launch_bounds__(kFaThreads) fa_metadata_kernel(
    const __grid_constant__ FaMetadataCall call, const __grid_constant__ Caps caps
) {
    if (blockIdx.x == 0 && blockIdx.y == 0) {
        scan_lengths(call.batch, call.cu_seqlens_k, [&](std::int64_t lane) {
            const auto length = cache_length(call, lane);
            call.cache_seqlens[lane] = length;
            return length;
        });
    }
    if (caps.most() == 0) {
        return;
    }
    const LaneTables<PageSize> lane(call, caps, blockIdx.y);
    const auto column = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (column < lane.columns()) {
        lane.store(column, lane.token(column));
    }
}

constexpr int kRowItems = 4;

/// A row program: one block walks a lane.
template<int PageSize>
__device__ void write_lane(const FaMetadataCall& call, const Caps& caps, std::int64_t lane_index) {
    if (threadIdx.x == 0) {
        call.cache_seqlens[lane_index] = cache_length(call, lane_index);
    }
    if (caps.most() == 0) {
        return;
    }
    const LaneTables<PageSize> lane(call, caps, lane_index);
    const auto columns = lane.columns();
    for (std::int64_t base = threadIdx.x; base < columns; base += kTrtllmThreads * kRowItems) {
        std::int32_t tokens[kRowItems];
#pragma unroll
        for (int i = 0; i < kRowItems; ++i) {
            tokens[i] = lane.token(smaller(base + i * kTrtllmThreads, columns - 1));
        }
#pragma unroll
        for (int i = 0; i < kRowItems; ++i) {
            lane.store(base + i * kTrtllmThreads, tokens[i]); // nothing past the lane's columns
        }
    }
}

/// Row programs, then the scan, then the window locations.
template<int PageSize>
__global__ void __launch_bounds__(kTrtllmThreads) trtllm_metadata_kernel(
    const __grid_constant__ TrtllmMetadataCall call, const __grid_constant__ Caps caps
) {
    const FaMetadataCall& lanes = call.lanes;
    const std::int64_t batch = lanes.batch < 0 ? 0 : lanes.batch;
    const auto block = static_cast<std::int64_t>(blockIdx.x);
    if (block < batch) {
        write_lane<PageSize>(lanes, caps, block);
    } else if (block > batch) {
        const auto first = (block - batch - 1) * kTrtllmLocations;
        const auto end = smaller(first + kTrtllmLocations, window_locations(call));
        for (auto i = first + threadIdx.x; i < end; i += kTrtllmThreads) {
            call.swa_write_loc[i] = window_location(call, i);
        }
    } else if (batch > 0) {
        scan_lengths(batch, lanes.cu_seqlens_k, [&](std::int64_t lane) {
            return cache_length(lanes, lane);
        });
        for (std::int64_t i = threadIdx.x; call.cu_seqlens_q != nullptr && i <= batch;
             i += kTrtllmThreads) {
            call.cu_seqlens_q[i] = static_cast<std::int32_t>(i * call.q_len);
        }
    }
}

} // namespace

cudaError_t launch(const FaMetadataCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    if (call.page_size < 1 || call.page_size > kMostColumns) {
        return cudaErrorInvalidValue;
    }
    const Caps caps(call);
    const auto each = fa_columns(call.page_size, call.window_table.out != nullptr);
    const auto shape = fa_metadata_shape(call.batch, caps.most(), each);
    return with_page_size(call.page_size, [&](auto page_size) {
        fa_metadata_kernel<decltype(page_size)::value>
            <<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call, caps);
        return cudaGetLastError();
    });
}

cudaError_t launch(const TrtllmMetadataCall& call, cudaStream_t cuda_stream) {
    const std::int64_t batch = std::max<std::int64_t>(call.lanes.batch, 0);
    if (batch == 0 && window_locations(call) <= 0) {
        return cudaSuccess;
    }
    if (call.lanes.page_size < 1 || call.lanes.page_size > kMostColumns) {
        return cudaErrorInvalidValue;
    }
    const Caps caps(call.lanes);
    const auto shape = trtllm_metadata_shape(batch, window_locations(call));
    return with_page_size(call.lanes.page_size, [&](auto page_size) {
        trtllm_metadata_kernel<decltype(page_size)::value>
            <<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call, caps);
        return cudaGetLastError();
    });
}

} // namespace kvprof::kernels::cuda
