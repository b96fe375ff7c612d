#pragma once

#include "kernels/index_types.h"

#include <cstdint>

/// The synthetic model: real reads and writes of K and V through the produced ids.
namespace kvprof::kernels {

/// One layer's kernel-facing rows. Row `id` of K starts at
/// k + id / page_rows * page_pitch + id % page_rows * row_bytes, of V likewise. Ids that count row
/// blocks have page_rows 1 and page_pitch row_bytes; ids that count tokens (IdSpace::physical) have
/// the page size and the envelope's bytes. For MLA v == k and V is the first dim_v elements of the
/// row. Rows are bf16.
struct KvLayer {
    std::uint8_t* k = nullptr;
    std::uint8_t* v = nullptr;
    std::int64_t row_bytes = 0;
    std::int64_t page_rows = 1;
    std::int64_t page_pitch = 0; ///< bytes from one page's rows to the next's; 0: row_bytes
    std::int64_t plane = 0;      ///< content plane of K (2 * layer); V is plane + 1, or K's for MLA
};

struct HeadShape {
    std::int64_t query_heads = 1;
    std::int64_t kv_heads = 1; ///< 1 for MLA
    std::int64_t dim_k = 0;    ///< elements of a K head (MLA: latent + rope)
    std::int64_t dim_v = 0;    ///< elements of a V head (MLA: latent)
};

/// Writes this step's K and V rows: lane b's row goes to write_loc[b]. Contents by content_key(
/// seed, owners[b], lens[b] - 1). Padded lanes have write_loc 0 and owner 0: they write the sink,
/// and so does a lane whose token another rank owns.
struct KvWriteCall {
    KvLayer layer;
    HeadShape heads;
    const std::int64_t* write_loc = nullptr; ///< [bucket]
    const std::int64_t* owners = nullptr;    ///< [bucket]
    const std::int64_t* lens = nullptr;      ///< [bucket]
    std::uint64_t seed = 0;
    std::int64_t bucket = 0;
};

/// Writes the rows of positions 0 .. lens[b] - 2 of each lane (a prefill). Position p of lane b has
/// owner p < shared_tokens ? shared_owner : owners[b]. Holes and tombstones are skipped.
struct KvFillCall {
    KvLayer layer;
    HeadShape heads;
    ReadLanes lanes; ///< v2p.data null: ids are used verbatim (static pool)
    const std::int64_t* owners = nullptr;
    std::int64_t shared_tokens = 0;
    std::int64_t shared_owner = 0;
    std::uint64_t seed = 0;
    /// Context parallelism: only positions of rank `rank` are written (their ids are widened, the
    /// id's quotient by dcp is the local one); the newest token is left out on every rank.
    std::int64_t dcp = 1;
    std::int64_t rank = 0;
    /// Static sliding windows: the id is mapped first, and 0 or less is skipped; or null.
    IndexArray full_to_swa;
    std::int64_t map_rows = 0;
};

/// Split-KV decode attention over a token stream or a page table (exactly one is set). Split s of S
/// covers positions [s*chunk, (s+1)*chunk) with chunk = ceil(len / S). Partials per (lane, head,
/// split): the split's own output and the log of its sum of exponentials, all fp32.
/// Query element e of head h of lane b is content_bf16(content_key(seed, owners[b], -1 - h), 0, e).
struct AttentionCall {
    KvLayer layer;
    HeadShape heads;
    IndexArray stream; ///< ids at indptr[b] + p, or null
    const std::int32_t* indptr = nullptr;
    const std::int32_t* table = nullptr; ///< page entries at b * stride + p/ps, or null
    std::int64_t stride = 0;
    std::int64_t page_size = 1;
    /// Of a table's reader: only the last `window` positions of a lane are attended; 0: all. A
    /// stream lists a window's tokens alone.
    std::int64_t window = 0;
    IndexArray lens; ///< [batch]
    const std::int64_t* owners = nullptr;
    std::uint64_t seed = 0;
    float scale = 1.0F;
    std::int64_t batch = 0;
    std::int64_t splits = 1;
    float* partial = nullptr; ///< [batch, query_heads, splits, dim_v + 1]
};

/// Merges the splits: out[b, h, :] fp32, [batch, query_heads, dim_v].
struct AttentionCombineCall {
    const float* partial = nullptr;
    HeadShape heads;
    std::int64_t batch = 0;
    std::int64_t splits = 1;
    float* out = nullptr;
};

} // namespace kvprof::kernels
