#pragma once

#include "kernels/backend_rules.h"
#include "kernels/calls.h"
#include "kernels/content.h"
#include "kernels/hd.h"
#include "kernels/id_math.h"
#include "kernels/index_access.h"
#include "kernels/read_rules.h"

#include <cstdint>

/// Where a token's K and V rows lie and what they hold: shared by the writers and by attention.
namespace kvprof::kernels {

/// MLA stores one row per token, and V is its prefix.
[[nodiscard]] KVPROF_HD inline bool is_v_in_k(const KvLayer& layer) {
    return layer.v == layer.k;
}

[[nodiscard]] KVPROF_HD inline std::int64_t k_elements(const HeadShape& heads) {
    return heads.kv_heads * heads.dim_k;
}

/// Elements of a V row of its own; none for MLA.
[[nodiscard]] KVPROF_HD inline std::int64_t
v_elements(const KvLayer& layer, const HeadShape& heads) {
    return is_v_in_k(layer) ? 0 : heads.kv_heads * heads.dim_v;
}

/// Byte offset of row `id` from the layer's first row.
[[nodiscard]] KVPROF_HD constexpr std::int64_t row_offset(const KvLayer& layer, std::int64_t id) {
    const std::int64_t pitch = layer.page_pitch == 0 ? layer.row_bytes : layer.page_pitch;
    return layer.page_rows == 1
               ? id * pitch
               : id / layer.page_rows * pitch + id % layer.page_rows * layer.row_bytes;
}

/// Kernel-facing id of the row that position `position` of a lane is written to; -1 for what is not
/// written: a hole, a tombstone, and a token without a place in the sliding windows.
[[nodiscard]] KVPROF_HD inline std::int64_t
fill_row(const KvFillCall& call, std::int64_t lane, std::int64_t position) {
    const ReadLanes& lanes = call.lanes;
    const auto* row = lanes.req_to_token + lanes.rows[lane] * lanes.req_columns;
    if (call.full_to_swa.data != nullptr) {
        const auto mapped = mapped_token(call.full_to_swa, call.map_rows, row[position]);
        return mapped > 0 ? mapped : -1;
    }
    if (lanes.v2p.data == nullptr) {
        return local_id(row[position], call.dcp);
    }
    // A scheduler's page has page_size tokens on each rank; its first one tells them all.
    const auto first = page_start(position, lanes.page_size * call.dcp);
    const std::int64_t token = local_id(row[first], call.dcp);
    const auto physical = physical_page(lanes.v2p, virtual_page(token, lanes.page_size));
    const auto entry = page_entry(physical, lanes.mult);
    return token < 0 || physical < 0
               ? -1
               : token_id_in_page(entry, position / call.dcp, lanes.page_size);
}

/// Positions of a lane that a prefill writes on this rank: all but the last, which the step itself
/// writes. The k-th of them is fill_position(call, k).
[[nodiscard]] KVPROF_HD inline std::int64_t
fill_positions(const KvFillCall& call, std::int64_t lane) {
    const auto positions = load_index(call.lanes.lens, lane) - 1;
    return local_length(smaller(positions, call.lanes.req_columns), call.dcp, call.rank);
}

[[nodiscard]] KVPROF_HD constexpr std::int64_t
fill_position(const KvFillCall& call, std::int64_t k) {
    return k * call.dcp + call.rank;
}

[[nodiscard]] KVPROF_HD inline std::uint64_t
fill_key(const KvFillCall& call, std::int64_t lane, std::int64_t position) {
    const bool is_shared = position < call.shared_tokens;
    const auto owner = is_shared ? call.shared_owner : call.owners[lane];
    return content_key(call.seed, owner, position);
}

} // namespace kvprof::kernels
