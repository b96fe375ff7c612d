#pragma once

#include "kernels/calls.h"
#include "kernels/hd.h"
#include "kernels/id_math.h"
#include "kernels/index_access.h"

#include <cstdint>

/// What an index kernel may read and write: the bounds that the id formulas leave to their caller.
/// Only the live prefix of a lane is ever written, so a stale tail stays as it was.
namespace kvprof::kernels {

[[nodiscard]] KVPROF_HD constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) {
    return a < b ? a : b;
}

/// Whether v2p has a row for this page; a page without one reads as a tombstone.
[[nodiscard]] KVPROF_HD constexpr bool has_row(std::int64_t virtual_page, std::int64_t rows) {
    return virtual_page >= 0 && virtual_page < rows;
}

/// Physical page of a virtual page, -1 when it is unbound or has no row.
[[nodiscard]] KVPROF_HD inline std::int64_t
physical_page(const V2p& v2p, std::int64_t virtual_page) {
    return has_row(virtual_page, v2p.rows) ? load_index(v2p.data, v2p.type, virtual_page) : -1;
}

/// The most table columns that any lane fills: no more than the table is wide, than req_to_token
/// has columns for, or than the context grid covers.
[[nodiscard]] KVPROF_HD constexpr std::int64_t column_cap(const PageTableCall& call) {
    const std::int64_t readable = pages_of(call.lanes.req_columns, call.lanes.page_size);
    const std::int64_t columns = smaller(call.width, readable);
    return call.grid == GridRule::ctx ? smaller(columns, call.context_columns) : columns;
}

[[nodiscard]] KVPROF_HD constexpr std::int64_t
live_columns(std::int64_t length, std::int64_t page_size, std::int64_t cap) {
    return smaller(pages_of(length, page_size), cap);
}

/// Positions that a lane emits: `length` of them from `start`, but none at or past `readable`, and
/// no more than the stream has `room` for. At most 0 when there is nothing to emit.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
live_tokens(std::int64_t length, std::int64_t start, std::int64_t readable, std::int64_t room) {
    return start < 0 ? 0 : smaller(smaller(length, room), readable - start);
}

/// Positions below this one have a column of req_to_token for the first token of their page.
[[nodiscard]] KVPROF_HD constexpr std::int64_t readable_tokens(const ReadLanes& lanes) {
    return pages_of(lanes.req_columns, lanes.page_size) * lanes.page_size;
}

/// A context grid covers no more than `context_columns` positions of a lane.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
length_in_grid(const TokenStreamCall& call, std::int64_t length) {
    return call.grid == GridRule::ctx ? smaller(length, call.context_columns) : length;
}

/// Repack reads its own row of the table only: positions end where the next row starts.
[[nodiscard]] KVPROF_HD constexpr std::int64_t readable_tokens(const RepackCall& call) {
    return call.stride * call.page_size;
}

/// The most columns of a static block table that any lane fills.
[[nodiscard]] KVPROF_HD constexpr std::int64_t column_cap(const StaticBlockTableCall& call) {
    return smaller(call.width, pages_of(call.req_columns, call.page_size));
}

/// First position of lane b's window; 0 without `starts`.
[[nodiscard]] KVPROF_HD inline std::int64_t start_of(const IndexArray& starts, std::int64_t lane) {
    return starts.data == nullptr ? 0 : load_index(starts, lane);
}

/// A static pool's token as its sliding windows know it: 0, the sink, for a hole and for a token
/// that the map lacks or has no place for. Without a map the token itself.
[[nodiscard]] KVPROF_HD inline std::int64_t
mapped_token(const IndexArray& map, std::int64_t map_rows, std::int64_t token) {
    if (map.data == nullptr) {
        return token;
    }
    const std::int64_t mapped = has_row(token, map_rows) ? load_index(map, token) : 0;
    return mapped < 0 ? 0 : mapped;
}

/// The write id of one location: 0 when it is negative, another rank's, or not mapped. A static
/// pool's location (no v2p) is the local id itself.
[[nodiscard]] KVPROF_HD inline std::int64_t
write_location(const WriteLocCall& call, std::int64_t location) {
    if (!is_owned(location, call.dcp, call.rank)) {
        return 0;
    }
    const std::int64_t token = location / call.dcp;
    if (call.v2p.data == nullptr) {
        return token;
    }
    const std::int64_t physical = physical_page(call.v2p, token / call.page_size);
    return write_id(physical, token, call.mult, call.page_size);
}

/// Splits for one lane: ceil(length / tokens_per_split), between 1 and max_splits.
[[nodiscard]] KVPROF_HD constexpr std::int32_t
splits_of(const KvSplitsCall& call, std::int64_t length) {
    const std::int64_t wanted = smaller(pages_of(length, call.tokens_per_split), call.max_splits);
    return wanted < 1 ? 1 : static_cast<std::int32_t>(wanted);
}

} // namespace kvprof::kernels
