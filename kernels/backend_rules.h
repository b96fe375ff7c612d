#pragma once

#include "kernels/calls.h"
#include "kernels/hd.h"
#include "kernels/id_math.h"
#include "kernels/index_access.h"
#include "kernels/read_rules.h"

#include <cstdint>

/// Formulas of backend_calls.h that both executors share.
namespace kvprof::kernels {

/// cache_seqlens of lane b: what its readers are bound by.
[[nodiscard]] KVPROF_HD inline std::int32_t
cache_length(const FaMetadataCall& call, std::int64_t lane) {
    return static_cast<std::int32_t>(load_index(call.lens, lane) + call.delta);
}

/// The most columns of a metadata kernel's table that any lane fills: no more than it is wide, than
/// its source has, or than fit its rows.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
column_cap(const FaMetadataCall& call, const MetadataTable& table) {
    const std::int64_t width = smaller(call.width, call.stride);
    switch (call.source) {
    case TableSource::req_to_token:
        return table.out == nullptr ? 0
                                    : smaller(width, pages_of(call.req_columns, call.page_size));
    case TableSource::rectangle:
        return table.out == nullptr || table.rectangle == nullptr
                   ? 0
                   : smaller(width, table.rectangle_stride);
    case TableSource::none: break;
    }
    return 0;
}

/// Page of a static pool's token, of its sliding-window twin when the table has a map.
[[nodiscard]] KVPROF_HD inline std::int64_t
static_page(const IndexArray& map, std::int64_t map_rows, std::int64_t token, std::int64_t ps) {
    return virtual_page(mapped_token(map, map_rows, token), ps);
}

/// Element (lane, column) of a metadata kernel's table; the column lies below column_cap.
[[nodiscard]] KVPROF_HD inline std::int32_t metadata_entry(
    const FaMetadataCall& call, const MetadataTable& table, std::int64_t lane, std::int64_t column
) {
    if (call.source == TableSource::rectangle) {
        return table.rectangle[lane * table.rectangle_stride + column];
    }
    const std::int32_t* tokens = call.req_to_token + call.rows[lane] * call.req_columns;
    const std::int64_t token = tokens[column * call.page_size];
    return static_cast<std::int32_t>(
        static_page(table.full_to_swa, table.map_rows, token, call.page_size)
    );
}

/// Where row i of the step goes in a static pool's sliding windows; 0 for a captured tail.
[[nodiscard]] KVPROF_HD inline std::int64_t
window_location(const TrtllmMetadataCall& call, std::int64_t i) {
    if (i >= call.count) {
        return 0;
    }
    const std::int64_t location = call.loc[i];
    if (location < 0) {
        return -1;
    }
    return location < call.map_rows ? load_index(call.full_to_swa, location) : 0;
}

/// Window locations that a call writes; none without a map.
[[nodiscard]] KVPROF_HD constexpr std::int64_t window_locations(const TrtllmMetadataCall& call) {
    return call.full_to_swa.data == nullptr ? 0 : call.swa_count;
}

/// Tokens that rank `rank` of `dcp` holds of `tokens` dealt one by one.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
local_length(std::int64_t tokens, std::int64_t dcp, std::int64_t rank) {
    return tokens <= 0 ? 0 : tokens / dcp + (rank < tokens % dcp ? 1 : 0);
}

/// First position at or after `start` that the rank holds.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
first_position(std::int64_t start, std::int64_t dcp, std::int64_t rank) {
    return start + (rank + dcp - start % dcp) % dcp;
}

/// Ids that lane b emits on its rank, from position `first` on, every dcp-th.
[[nodiscard]] KVPROF_HD inline std::int64_t
local_tokens(const DcpGatherCall& call, std::int64_t lane, std::int64_t first) {
    const std::int64_t readable = pages_of(call.req_columns - first, call.dcp);
    const std::int64_t room = call.capacity - call.indptr[lane];
    return live_tokens(load_index(call.local_lens, lane), 0, readable, room);
}

/// A widened id as its rank knows it; a hole stays one.
[[nodiscard]] KVPROF_HD constexpr std::int64_t local_id(std::int64_t widened, std::int64_t dcp) {
    return widened < 0 ? -1 : widened / dcp;
}

/// Ids of the stream that a translate in place covers.
[[nodiscard]] KVPROF_HD inline std::int64_t stream_tokens(const StreamTranslateCall& call) {
    return smaller(call.indptr[call.batch], call.capacity);
}

/// `page_size` is the call's, where the compiler may know it.
[[nodiscard]] KVPROF_HD inline std::int64_t
translated(const StreamTranslateCall& call, std::int64_t page_size, std::int64_t id) {
    if (id < 0) {
        return 0;
    }
    return write_id(physical_page(call.v2p, id / page_size), id, call.mult, page_size);
}

/// State slot of lane b. A tombstone is -1.
[[nodiscard]] KVPROF_HD inline std::int64_t
state_slot(const StateSlotsCall& call, std::int64_t lane) {
    const std::int64_t slot = call.req_to_state[call.rows[lane]];
    return call.v2p.data == nullptr ? slot : physical_page(call.v2p, slot);
}

/// What the fused table and stream share: how far each of them goes in lane b.
struct TableAndStreamLane {
    std::int64_t columns = 0; ///< live ones of the table
    std::int64_t start = 0;   ///< first position of the stream
    std::int64_t tokens = 0;  ///< of the stream
};

[[nodiscard]] KVPROF_HD inline TableAndStreamLane
table_and_stream_lane(const TableAndStreamCall& call, std::int64_t lane) {
    const ReadLanes& lanes = call.lanes;
    const std::int64_t length = load_index(lanes.lens, lane);
    const std::int64_t start = start_of(call.starts, lane);
    const std::int64_t room = call.capacity - call.indptr[lane];
    const std::int64_t tokens = live_tokens(length, start, readable_tokens(lanes), room);
    const std::int64_t cap = smaller(call.width, pages_of(lanes.req_columns, lanes.page_size));
    return {live_columns(length, lanes.page_size, cap), start, tokens < 0 ? 0 : tokens};
}

/// Items that a lane's blocks walk: positions, or with starts the columns and then the stream.
[[nodiscard]] KVPROF_HD inline std::int64_t
walked_items(const TableAndStreamCall& call, const TableAndStreamLane& lane) {
    const bool is_apart = call.starts.data != nullptr;
    const std::int64_t last_entry = (lane.columns - 1) * call.lanes.page_size + 1;
    const std::int64_t first = is_apart ? lane.columns : lane.columns > 0 ? last_entry : 0;
    return first < lane.tokens ? lane.tokens : first;
}

/// Rows that the table's writer visits: the batch, and under zero_tail the padded rows.
[[nodiscard]] KVPROF_HD constexpr std::int64_t rows_of(const TableAndStreamCall& call) {
    const std::int64_t batch = call.lanes.batch < 0 ? 0 : call.lanes.batch;
    return call.zero_tail && call.table_rows > batch ? call.table_rows : batch;
}

} // namespace kvprof::kernels
