#pragma once

#include "kernels/attention_math.h"
#include "kernels/calls.h"
#include "kernels/content.h"
#include "kernels/cuda/tensor_core.cuh"

#include <cstdint>
#include <limits>

/// What the ways of attention have in common: which rows they read, and the query.
/// Rows in shared memory are padded by 16 bytes, which keeps matrix loads free of bank conflicts.
namespace kvprof::kernels::cuda {

inline constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffffU;
inline constexpr int kHeadTile = 16; // rows of a tensor-core tile
inline constexpr int kPack = 8;      // bf16 elements in a 16-byte copy
inline constexpr float kLog2E = 1.4426950408889634F;
inline constexpr float kLn2 = 0.6931471805599453F;
inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// Which row of the buffer an id stands for, when a page's rows are followed by other layers' rows.
struct RowGrid {
    int page_rows = 1;
    int pitch_rows = 1; ///< rows from one page's first to the next's

    [[nodiscard]] __device__ std::int32_t row_of(std::int32_t id) const {
        return page_rows == pitch_rows ? id : id / page_rows * pitch_rows + id % page_rows;
    }
};

/// Which heads a warp or a block serves.
struct HeadTile {
    int kv_head = 0;
    int first_head = 0;
    int heads = 0;
};

__device__ inline HeadTile head_tile(const HeadShape& shape, int most_heads, int tile) {
    const int group = static_cast<int>(shape.query_heads / shape.kv_heads);
    const int tiles_per_kv_head = (group + most_heads - 1) / most_heads;
    const int kv_head = tile / tiles_per_kv_head;
    const int first = tile % tiles_per_kv_head * most_heads;
    return {kv_head, kv_head * group + first, min(most_heads, group - first)};
}

/// The entries from which a lane's rows follow, each as its low 32 bits: pages of a table, or ids
/// of a stream (pages of one).
struct EntryArray {
    const std::int32_t* entries;
    int page_size;
    int words; ///< 32-bit words of an entry

    __device__ EntryArray(const AttentionCall& call, unsigned lane) {
        if (call.table != nullptr) {
            entries = call.table + lane * call.stride;
            page_size = static_cast<int>(call.page_size);
            words = 1;
        } else {
            page_size = 1;
            words = call.stream.type == IndexType::i32 ? 1 : 2;
            entries = static_cast<const std::int32_t*>(call.stream.data)
                      + static_cast<std::int64_t>(call.indptr[lane]) * words;
        }
    }

    [[nodiscard]] __device__ std::int32_t load(int position) const {
        return entries[static_cast<std::int64_t>(position / page_size) * words];
    }
};

/// The rows that a warp copies, kRows of each tile of kTokens. Its lanes hold those of the next
/// 32 / kRows tiles, and have asked for as many after them: an id comes from memory that is busy
/// with rows, and takes longer than a tile does. So nothing is computed from it until it is wanted.
template<int kTokens, int kRows>
class RowWindow {
  public:
    /// `first` is the first position that this warp copies of the first tile.
    __device__
    RowWindow(const AttentionCall& call, const RowGrid& grid, const SplitRange& range, int first)
        : entries_(call, blockIdx.z),
          grid_(grid),
          end_(range.end),
          first_(first),
          current_(row_of(entries_.load(position(0)), 0)),
          upcoming_(entries_.load(position(1))) {}

    /// Row `row` of tile `tile`, which may differ between lanes. Tiles come in order, and all lanes
    /// together; past the range's end its last row is repeated, so that what is read is a number.
    __device__ void enter(int tile) {
        if (tile > 0 && tile % kTiles == 0) {
            current_ = row_of(upcoming_, tile / kTiles);
            upcoming_ = entries_.load(position(tile / kTiles + 1));
        }
    }

    [[nodiscard]] __device__ std::int64_t row(int tile, int row) const {
        return __shfl_sync(kAllLanes, current_, tile % kTiles * kRows + row);
    }

  private:
    static constexpr int kTiles = kWarp / kRows;

    [[nodiscard]] __device__ int position(int window) const {
        const int lane = threadIdx.x % kWarp;
        const int tile = window * kTiles + lane / kRows;
        return min(first_ + tile * kTokens + lane % kRows, end_ - 1);
    }

    [[nodiscard]] __device__ std::int32_t row_of(std::int32_t entry, int window) const {
        const auto row = row_of_entry(entry, entries_.page_size, position(window));
        return grid_.row_of(static_cast<std::int32_t>(row));
    }

    EntryArray entries_;
    const RowGrid& grid_;
    int end_;
    int first_;
    std::int32_t current_;  ///< rows
    std::int32_t upcoming_; ///< entries
};

/// Elements of a query row that is made up from the lane's owner; zero in a row past the tile's
/// heads and from `dim` on.
class QueryRow {
  public:
    __device__
    QueryRow(const AttentionCall& call, const HeadTile& tile, std::int64_t owner, int row)
        : end_(row < tile.heads ? static_cast<int>(call.heads.dim_k) : 0),
          key_(content_key(call.seed, owner, -1 - (tile.first_head + row))) {}

    /// k / 64 is exact in bf16, and a conversion is cheaper than content_bf16's shifts.
    [[nodiscard]] __device__ __nv_bfloat16 operator[](int element) const {
        const int k = element < end_ ? content_sixty_fourths(key_, 0, element) : 0;
        return __float2bfloat16(static_cast<float>(k) * (1.0F / 64.0F));
    }

  private:
    int end_;
    std::uint64_t key_;
};

/// Builds every `step`-th query row from `first` on, kColumns wide; rows and columns past the real
/// ones are zero. By the warps of which this is one, for the lane that `owner` owns.
template<int kRows, int kColumns>
__device__ void build_query(
    __nv_bfloat16* out,
    const AttentionCall& call,
    const HeadTile& tile,
    std::int64_t owner,
    int step
) {
    const int first = static_cast<int>(threadIdx.x) / kWarp;
    for (int row = first; row < kRows; row += step) {
        const QueryRow query(call, tile, owner, row);
#pragma unroll 6
        for (int i = 0; i < kColumns / kWarp; ++i) {
            const int element = static_cast<int>(threadIdx.x) % kWarp + i * kWarp;
            out[row * (kColumns + kPack) + element] = query[element];
        }
    }
}

/// Clears columns [dim, kColumns) of K's rows, where the query's zeros would meet what lay there.
template<int kColumns>
__device__ void clear_padding(__nv_bfloat16* rows, int count, int dim, int first, int step) {
    for (int row = first; row < count; row += step) {
        for (int element = dim + threadIdx.x % kWarp; element < kColumns; element += kWarp) {
            rows[row * (kColumns + kPack) + element] = __float2bfloat16(0.0F);
        }
    }
}

/// Where the partial of head `row` of the tile lies, for this block's lane and split.
__device__ inline float* partial_of(const AttentionCall& call, const HeadTile& tile, int row) {
    return call.partial
           + partial_offset(call.heads, call.splits, blockIdx.z, tile.first_head + row, blockIdx.y);
}

} // namespace kvprof::kernels::cuda
