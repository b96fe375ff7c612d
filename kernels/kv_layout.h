#pragma once

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

/// Kernel-facing id of the row that position `position` of a lane is written to; -1 for a hole or
/// a tombstone.
[[nodiscard]] KVPROF_HD inline std::int64_t
fill_row(const ReadLanes& lanes, std::int64_t lane, std::int64_t position) {
    const auto* row = lanes.req_to_token + lanes.rows[lane] * lanes.req_columns;
    if (lanes.v2p.data == nullptr) {
        return row[position];
    }
    const std::int64_t token = row[page_start(position, lanes.page_size)];
    const auto physical = physical_page(lanes.v2p, virtual_page(token, lanes.page_size));
    return token < 0 || physical < 0
               ? -1
               : token_id_in_page(page_entry(physical, lanes.mult), position, lanes.page_size);
}

/// Positions of a lane that a prefill writes: all but the last, which the step itself writes.
[[nodiscard]] KVPROF_HD inline std::int64_t
fill_positions(const ReadLanes& lanes, std::int64_t lane) {
    const auto positions = load_index(lanes.lens, lane) - 1;
    return positions < lanes.req_columns ? positions : lanes.req_columns;
}

[[nodiscard]] KVPROF_HD inline std::uint64_t
fill_key(const KvFillCall& call, std::int64_t lane, std::int64_t position) {
    const bool is_shared = position < call.shared_tokens;
    const auto owner = is_shared ? call.shared_owner : call.owners[lane];
    return content_key(call.seed, owner, position);
}

} // namespace kvprof::kernels
