#pragma once

#include "kernels/index_types.h"

#include <cstdint>

/// Launches that only some systems have: metadata of backends that read tables, context
/// parallelism, state slots, one gather for table and stream, compaction.
namespace kvprof::kernels {

/// Where a metadata kernel takes its table from: it builds a static pool's table out of
/// req_to_token, copies a rectangle that is there already, or leaves the table to another launch.
enum class TableSource : std::uint8_t { none, req_to_token, rectangle };

/// A page table that a metadata kernel fills, for the live pages of each lane:
/// out[b * stride + c] = req_to_token[rows[b]][c * ps] / ps (or full_to_swa of the token, / ps), or
/// rectangle[b * stride + c]; c < min(ceil(cache_seqlens[b] / ps), width). Holes give page 0.
struct MetadataTable {
    std::int32_t* out = nullptr; ///< null: there is no such table
    const std::int32_t* rectangle =
        nullptr; ///< TableSource::rectangle, rows rectangle_stride apart
    std::int64_t rectangle_stride = 0;
    IndexArray full_to_swa; ///< TableSource::req_to_token of a sliding-window twin, [map_rows]
    std::int64_t map_rows = 0;
};

/// fa3's decode metadata: cache_seqlens[b] = lens[b] + delta; cu_seqlens_k is its exclusive prefix
/// sum; and the tables. `none` is the skip mode: one block does the first two.
struct FaMetadataCall {
    IndexArray lens; ///< [batch]
    std::int64_t delta = 0;
    std::int32_t* cache_seqlens = nullptr; ///< [batch]
    std::int32_t* cu_seqlens_k = nullptr;  ///< [batch + 1]
    TableSource source = TableSource::none;
    const std::int32_t* req_to_token = nullptr;
    std::int64_t req_columns = 0;
    const std::int64_t* rows = nullptr; ///< [batch]
    MetadataTable table;
    MetadataTable window_table;
    std::int64_t stride = 0; ///< of both tables' rows
    std::int64_t width = 0;  ///< columns of both tables
    std::int64_t page_size = 1;
    std::int64_t batch = 0;
};

/// trtllm_mha's metadata in one launch, grid (batch + 1 + ceil(swa_count / 512)): a row program a
/// lane for lengths and tables, one scan, and the static window's write locations:
/// swa_write_loc[i] = full_to_swa[loc[i]], -1 for loc < 0, 0 for count <= i < swa_count.
struct TrtllmMetadataCall {
    FaMetadataCall lanes;                 ///< lengths, cu_seqlens_k and tables
    std::int32_t* cu_seqlens_q = nullptr; ///< [batch + 1], b * q_len
    std::int64_t q_len = 1;
    const std::int64_t* loc = nullptr; ///< [count]
    std::int64_t count = 0;
    IndexArray full_to_swa; ///< [map_rows], or null: no window locations
    std::int64_t map_rows = 0;
    std::int64_t* swa_write_loc = nullptr; ///< [swa_count]
    std::int64_t swa_count = 0;
};

/// Tokens of each lane that lie on rank `rank` of `dcp`: n / dcp + (rank < n % dcp), n = lens[b] +
/// delta.
struct LocalLensCall {
    IndexArray lens;
    std::int64_t delta = 0;
    std::int32_t* out = nullptr; ///< [batch]
    std::int64_t dcp = 1;
    std::int64_t rank = 0;
    std::int64_t batch = 0;
};

/// Context-parallel read: element k of lane b is req_to_token[rows[b]][first + k * dcp] / dcp, k <
/// local_lens[b], first = s + ((rank + dcp - s % dcp) % dcp), s = starts[b]. The ids that come out
/// are local and still virtual; a hole stays -1.
struct DcpGatherCall {
    const std::int32_t* req_to_token = nullptr;
    std::int64_t req_columns = 0;
    const std::int64_t* rows = nullptr;
    IndexArray local_lens;                ///< [batch]
    IndexArray starts;                    ///< [batch] or null
    const std::int32_t* indptr = nullptr; ///< over local_lens
    MutableIndexArray out;
    std::int64_t capacity = 0;
    std::int64_t dcp = 1;
    std::int64_t rank = 0;
    std::int64_t batch = 0;
};

/// Translates the first indptr[batch] ids of a stream in place: the write-location formula without
/// the owner test (0 for a hole or a tombstone).
struct StreamTranslateCall {
    const std::int32_t* indptr = nullptr; ///< its last entry is the count
    MutableIndexArray ids;
    std::int64_t capacity = 0;
    V2p v2p;
    std::int64_t mult = 1;
    std::int64_t page_size = 1;
    std::int64_t batch = 0;
};

/// out[b] = v2p[req_to_state[rows[b]]], the state slot of lane b; req_to_state[rows[b]] itself
/// without a v2p (static pool). A tombstone is not clamped: -1 comes out.
struct StateSlotsCall {
    const std::int32_t* req_to_state = nullptr;
    const std::int64_t* rows = nullptr; ///< [batch]
    V2p v2p;
    std::int32_t* out = nullptr; ///< [batch]
    std::int64_t batch = 0;
};

/// The first 8 bytes of each lane's state slot, which stand for the state layers: a request leaves
/// content_key(seed, owners[b], kStateWord) there when it gets the slot (writes), and the step
/// reads it: out[b] = word. A slot below 0 is not touched and gives 0; slot 0 is the sink.
struct StateWordsCall {
    std::uint8_t* states = nullptr; ///< slot s starts at states + s * slot_bytes
    std::int64_t slot_bytes = 0;
    const std::int32_t* slots = nullptr;  ///< [batch]
    const std::int64_t* owners = nullptr; ///< [batch], of a write
    std::uint64_t seed = 0;
    bool writes = false;
    std::int64_t* out = nullptr; ///< [batch], of a read
    std::int64_t batch = 0;
};

/// The position under which content_key gives the word of a state.
inline constexpr std::int64_t kStateWord = std::int64_t{1} << 40;

/// One gather for a table and for the first reader's stream. The table: as PageTableCall, and with
/// zero_tail zeroes up to `table.width` and in rows up to `table_rows`. The stream: as
/// TokenStreamCall.
struct TableAndStreamCall {
    ReadLanes lanes;
    std::int32_t* table = nullptr;
    std::int64_t stride = 0;
    std::int64_t width = 0;
    std::int64_t table_rows = 0; ///< rows past the batch are the sink under zero_tail
    bool zero_tail = false;
    IndexArray starts; ///< of the stream, [batch] or null
    const std::int32_t* indptr = nullptr;
    MutableIndexArray stream;
    std::int64_t capacity = 0;
};

/// Moves whole page envelopes in one launch: copies from[i] to to[i], v2p[v] = to[i],
/// p2v[to[i]] = v, p2v[from[i]] = -1, v = p2v[from[i]]. Nothing is a source and a target at once.
/// grid (count, ceil(words / 2048)), 8-byte words. A page that holds nothing (v = -1) is skipped,
/// and so is a target that is not free (p2v[to[i]] != -1); a free target's p2v entry counts the
/// blocks that are done.
struct CompactMoveCall {
    const std::int64_t* from = nullptr; ///< physical pages, [count]
    const std::int64_t* to = nullptr;
    std::int64_t count = 0;
    std::uint8_t* buffer = nullptr;
    std::int64_t page_bytes = 0; ///< a multiple of 8
    V2p v2p;
    std::int64_t* p2v = nullptr;
};

/// The unfused half of a move: envelopes to or from a dense staging buffer, [count, page_bytes].
struct EnvelopeCopyCall {
    const std::int64_t* pages = nullptr; ///< [count]
    std::int64_t count = 0;
    std::uint8_t* buffer = nullptr;
    std::int64_t page_bytes = 0;
    std::uint8_t* staging = nullptr;
    bool is_gather = true; ///< out of the buffer; else into it
};

} // namespace kvprof::kernels
