#pragma once

#include "kernels/launch_geometry.h"
#include "kernels/narrow_ids.h"
#include "kernels/read_rules.h"

#include <cstdint>
#include <limits>
#include <type_traits>

/// Device code that the page table and the token stream share. The time of both is that of two
/// dependent loads (token, then v2p), so a thread issues all loads of a kind before it uses one.
namespace kvprof::kernels::cuda {

/// A token id is 32 bits wide, so a longer v2p is never reached.
[[nodiscard]] KVPROF_HD inline std::uint32_t reachable_rows(const V2p& v2p) {
    return static_cast<std::uint32_t>(smaller(v2p.rows, std::numeric_limits<std::uint32_t>::max()));
}

/// Reads token ids and physical pages of one lane. PageSize 0: known at run time only.
template<int PageSize, typename Physical>
struct LaneReader {
    const std::int32_t* tokens;
    const Physical* v2p;
    std::uint32_t v2p_rows;
    std::uint32_t runtime_page_size;

    __device__ LaneReader(const ReadLanes& lanes, std::int64_t row)
        : LaneReader(
            lanes.req_to_token + row * lanes.req_columns,
            lanes.v2p.data,
            reachable_rows(lanes.v2p),
            static_cast<std::uint32_t>(lanes.page_size)
        ) {}

    __device__ LaneReader(
        const std::int32_t* row, const void* table, std::uint32_t rows, std::uint32_t page_tokens
    )
        : tokens(row),
          v2p(static_cast<const Physical*>(table)),
          v2p_rows(rows),
          runtime_page_size(page_tokens) {}

    __device__ std::uint32_t page_size() const {
        return PageSize > 0 ? PageSize : runtime_page_size;
    }

    __device__ std::int32_t token_at(std::uint32_t position) const {
        return __ldg(tokens + position);
    }

    /// The load is unconditional (a page without a row reads row 0 and drops it), so that nothing
    /// stands between the loads of a pass.
    __device__ Physical physical_of(std::int32_t token) const {
        const auto page = narrow_virtual_page(token, page_size());
        const bool mapped = page < v2p_rows;
        const Physical physical = __ldg(v2p + (mapped ? page : 0U));
        return mapped ? physical : Physical{-1};
    }
};

/// One lane's row of a page table.
template<int PageSize, typename Physical>
struct TableWriter {
    using Page = Physical;
    using Output = std::int32_t;
    /// Item i's token is the i-th of a contiguous part of the row.
    static constexpr bool kHasTokensInRow = PageSize == 1;

    LaneReader<PageSize, Physical> reader;
    std::uint32_t mult;
    std::int32_t* out;

    const __device__ std::int32_t* first_token() const { return reader.tokens; }

    __device__ std::int32_t token(int column) const {
        return reader.token_at(static_cast<std::uint32_t>(column) * reader.page_size());
    }

    __device__ std::int32_t id(int /*column*/, Physical physical) const {
        return static_cast<std::int32_t>(narrow_page_entry(physical, mult));
    }

    __device__ void store(int column, Physical physical) const {
        __stcs(out + column, id(column, physical));
    }
};

/// One lane's window in the token stream.
template<int PageSize, typename Physical, typename Id>
struct StreamWriter {
    using Page = Physical;
    using Output = Id;
    using Word = std::make_unsigned_t<Id>;
    static constexpr bool kHasTokensInRow = PageSize == 1;

    LaneReader<PageSize, Physical> reader;
    Word mult;
    std::uint32_t start;
    Id* out;

    const __device__ std::int32_t* first_token() const { return reader.tokens + start; }

    __device__ std::int32_t token(int item) const {
        const auto position = start + static_cast<std::uint32_t>(item);
        return reader.token_at(position - position % reader.page_size());
    }

    __device__ Id id(int item, Physical physical) const {
        const auto position = start + static_cast<std::uint32_t>(item);
        const Word entry = narrow_page_entry(physical, mult);
        return static_cast<Id>(narrow_token_id(entry, position, reader.page_size()));
    }

    __device__ void store(int item, Physical physical) const {
        __stcs(out + item, id(item, physical));
    }
};

/// Items base, base + Threads, ... of one pass. Items past the end load the last item again: loads
/// without branches are issued back to back.
template<int Threads, int Items, typename Physical, typename Writer>
__device__ __forceinline__ void write_pass(const Writer& writer, int base, int end) {
    std::int32_t tokens[Items];
    Physical physical[Items];
#pragma unroll
    for (int i = 0; i < Items; ++i) {
        tokens[i] = writer.token(min(base + i * Threads, end - 1));
    }
#pragma unroll
    for (int i = 0; i < Items; ++i) {
        physical[i] = writer.reader.physical_of(tokens[i]);
    }
#pragma unroll
    for (int i = 0; i < Items; ++i) {
        const int item = base + i * Threads;
        if (item < end) {
            writer.store(item, physical[i]);
        }
    }
}

/// One block's part of a lane with `live` items: passes that lie `parts` passes apart.
template<int Threads, int Items, typename Physical, typename Writer>
__device__ __forceinline__ void write_part(const Writer& writer, int live, int parts, int part) {
    constexpr int kPass = Threads * Items;
    const int thread = static_cast<int>(threadIdx.x);
    for (int base = part * kPass + thread; base < live; base += parts * kPass) {
        write_pass<Threads, Items, Physical>(writer, base, live);
    }
}

/// This part's share, of gridDim.y, of a row's columns first .. width - 1, as zeroes.
__device__ inline void zero_columns(std::int32_t* row, std::int64_t first, std::int64_t width) {
    const auto step = static_cast<std::int64_t>(gridDim.y) * blockDim.x;
    const auto own = static_cast<std::int64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
    for (auto column = first + own; column < width; column += step) {
        __stcs(row + column, 0);
    }
}

/// A lane's window in the stream.
struct Window {
    std::int64_t offset;
    std::uint32_t start;
    int live;
};

__device__ inline Window
window_of(const TokenStreamCall& call, std::int64_t readable, std::int64_t lane) {
    const std::int64_t offset = __ldg(call.indptr + lane);
    const auto length = load_index(call.lanes.lens, lane);
    const auto start = start_of(call.starts, lane);
    const auto live = live_tokens(length, start, readable, call.capacity - offset);
    // With live > 0 the start lies inside a row of at most 2^30 columns.
    return {offset, static_cast<std::uint32_t>(start), live > 0 ? static_cast<int>(live) : 0};
}

} // namespace kvprof::kernels::cuda
