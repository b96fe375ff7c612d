#pragma once

#include "kernels/index_types.h"
#include "kernels/launch_geometry.h"

#include <cstdint>

/// Launches of the index, write-location and allocator kernels.
namespace kvprof::kernels {

/// out[b * stride + c] = page entry of column c, for c < min(ceil(len/ps), width, columns that
/// req_to_token has). Nothing past a lane's live prefix is written. `context_columns` sizes the
/// grid under GridRule::ctx (the captured width in pages).
struct PageTableCall {
    ReadLanes lanes;
    std::int32_t* out = nullptr;
    std::int64_t stride = 0;
    std::int64_t width = 0;
    GridRule grid = GridRule::bs;
    std::int64_t context_columns = 0;
    /// Zeroes from a lane's live pages up to `width`: the table may come from uninitialised memory.
    bool zero_tail = false;
    Tuning tuning = kPageTableTuning; ///< under GridRule::bs
};

/// out[indptr[b] + p] = kernel-facing id of position starts[b] + p, for p < len[b]; null starts
/// mean 0. Writes nothing at or past `capacity` elements.
struct TokenStreamCall {
    ReadLanes lanes;
    IndexArray starts; ///< [batch] or null
    const std::int32_t* indptr = nullptr;
    MutableIndexArray out;
    std::int64_t capacity = 0;
    GridRule grid = GridRule::bs;
    std::int64_t context_columns = 0;   ///< widest lane in tokens, sizes GridRule::ctx
    Tuning tuning = kTokenStreamTuning; ///< under GridRule::bs
};

/// Flattens a page table: out[indptr[b] + p] = table[b][pos/ps] * ps + pos % ps, pos = start + p.
/// One block per lane (the geometry of the kernel that it models).
struct RepackCall {
    const std::int32_t* table = nullptr;
    std::int64_t stride = 0;
    IndexArray lens;   ///< [batch], tokens per lane
    IndexArray starts; ///< [batch] or null
    const std::int32_t* indptr = nullptr;
    MutableIndexArray out;
    std::int64_t capacity = 0;
    std::int64_t page_size = 1;
    std::int64_t batch = 0;
};

/// Static pool: out[indptr[b] + p] = req_to_token[row][start + p], ids verbatim, or full_to_swa of
/// them (a hole or an id past the map gives 0). One block a lane.
struct StaticGatherCall {
    const std::int32_t* req_to_token = nullptr;
    std::int64_t req_columns = 0;
    const std::int64_t* rows = nullptr;
    IndexArray lens;
    IndexArray starts; ///< [batch] or null
    const std::int32_t* indptr = nullptr;
    MutableIndexArray out;
    std::int64_t capacity = 0;
    std::int64_t batch = 0;
    IndexArray full_to_swa; ///< [map_rows] or null
    std::int64_t map_rows = 0;
};

/// Static pool: out[b * stride + c] = req_to_token[row][c*ps] / ps for the live pages; the rest of
/// the table keeps what it held. Blocks of 4,096 tokens. Holes give the padding page 0.
struct StaticBlockTableCall {
    const std::int32_t* req_to_token = nullptr;
    std::int64_t req_columns = 0;
    const std::int64_t* rows = nullptr;
    IndexArray lens;
    std::int32_t* out = nullptr;
    std::int64_t stride = 0;
    std::int64_t width = 0;
    std::int64_t page_size = 1;
    std::int64_t batch = 0;
    IndexArray full_to_swa; ///< a sliding-window twin maps the token first; [map_rows] or null
    std::int64_t map_rows = 0;
};

/// out[0] = 0, out[b + 1] = out[b] + lens[b]; one kernel. Entries past batch + 1 are left alone.
struct IndptrCall {
    IndexArray lens;             ///< [batch]
    std::int32_t* out = nullptr; ///< [batch + 1]
    std::int64_t batch = 0;
    bool starts_early = true; ///< as Tuning::starts_early
};

/// out[i] = write id of loc[i]; 0 for a negative, unowned or unmapped id. Elements count..out_count
/// are set to 0 (the captured tail). dcp > 1 takes widened ids and keeps those of `rank`.
struct WriteLocCall {
    const std::int64_t* loc = nullptr; ///< [count]
    V2p v2p; ///< null: a static pool's ids, of which the owned ones are kept as local ids
    std::int64_t mult = 1;
    std::int64_t page_size = 1;
    std::int64_t count = 0;
    std::int64_t* out = nullptr; ///< [out_count]; may be `loc` itself
    std::int64_t out_count = 0;
    std::int64_t dcp = 1;
    std::int64_t rank = 0;
    bool starts_early = true; ///< as Tuning::starts_early
};

/// out[i] = start + i; v2p[vpages[i]] = start + i; p2v[start + i] = vpages[i].
struct AllocBindCall {
    const std::int64_t* vpages = nullptr; ///< [count]
    std::int64_t count = 0;
    std::int64_t start = 0;
    V2p v2p;
    std::int64_t* p2v = nullptr;
    std::int64_t* out = nullptr; ///< [count]
    bool starts_early = true;    ///< as Tuning::starts_early
};

/// v2p[vpages[i]] = ppages[i]; p2v[ppages[i]] = vpages[i].
struct BindCall {
    const std::int64_t* vpages = nullptr;
    const std::int64_t* ppages = nullptr;
    std::int64_t count = 0;
    V2p v2p;
    std::int64_t* p2v = nullptr;
    bool starts_early = true; ///< as Tuning::starts_early
};

/// p = v2p[vpages[i]]; out[i] = p; v2p[vpages[i]] = -1; p2v[p] = -1 (only where p >= 0).
/// vpages must be unique.
struct FreeUnbindCall {
    const std::int64_t* vpages = nullptr;
    std::int64_t count = 0;
    V2p v2p;
    std::int64_t* p2v = nullptr;
    std::int64_t* out = nullptr; ///< [count]
    bool starts_early = true;    ///< as Tuning::starts_early
};

/// Next token id of each lane: a fresh page's first id when the lane's new length opens a page
/// (fresh pages are taken from `free_pages` in lane order), last_loc + 1 otherwise.
struct AllocDecodeCall {
    const std::int64_t* lens = nullptr;       ///< [batch], the new token included
    const std::int64_t* last_loc = nullptr;   ///< [batch], id of the lane's previous token
    const std::int64_t* free_pages = nullptr; ///< head of the free list
    std::int64_t page_size = 1;
    std::int64_t batch = 0;
    std::int64_t* out = nullptr; ///< [batch]
};

/// Zeroes whole page envelopes: grid (pages, ceil(words / 2048)), 8-byte words.
struct ZeroPagesCall {
    const std::int64_t* ppages = nullptr;
    std::int64_t count = 0;
    std::uint8_t* buffer = nullptr;
    std::int64_t page_bytes = 0; ///< a multiple of 8
};

/// req_to_token[rows[b]][lens[b] - 1] = ids[b].
struct AppendCall {
    std::int32_t* req_to_token = nullptr;
    std::int64_t req_columns = 0;
    const std::int64_t* rows = nullptr;
    const std::int64_t* lens = nullptr; ///< [batch], the new token included
    const std::int64_t* ids = nullptr;  ///< [batch]
    std::int64_t batch = 0;
};

/// out[b] = splits that lane b's split-KV attention uses: ceil(len / tokens_per_split), at most
/// max_splits, at least 1. (The triton-style backend launches it each step.)
struct KvSplitsCall {
    IndexArray lens;
    std::int64_t batch = 0;
    std::int64_t tokens_per_split = 1;
    std::int32_t max_splits = 8;
    std::int32_t* out = nullptr;
};

/// Takes `nanoseconds` and does nothing: a slow-down of known length, put into an op to see whether
/// a measurement finds it, or something for the device to do while the host issues a step. One
/// thread, on the device's global timer.
struct DelayCall {
    std::int64_t nanoseconds = 0;
};

} // namespace kvprof::kernels
