#include "kernels/host/read_index.h"

#include "kernels/backend_rules.h"
#include "kernels/id_math.h"
#include "kernels/index_access.h"
#include "kernels/read_rules.h"

namespace kvprof::kernels::host {
namespace {

const std::int32_t* token_row(const ReadLanes& lanes, std::int64_t lane) {
    return lanes.req_to_token + lanes.rows[lane] * lanes.req_columns;
}

/// Page-table entry of the page that `token` is on.
std::int64_t entry_of(const ReadLanes& lanes, std::int32_t token) {
    const auto page = virtual_page(token, lanes.page_size);
    return page_entry(physical_page(lanes.v2p, page), lanes.mult);
}

} // namespace

void run(const PageTableCall& call) {
    const ReadLanes& lanes = call.lanes;
    const auto cap = column_cap(call);
    for (std::int64_t b = 0; b < lanes.batch; ++b) {
        const std::int32_t* tokens = token_row(lanes, b);
        const auto columns = live_columns(load_index(lanes.lens, b), lanes.page_size, cap);
        for (std::int64_t c = 0; c < columns; ++c) {
            const auto entry = entry_of(lanes, tokens[c * lanes.page_size]);
            call.out[b * call.stride + c] = static_cast<std::int32_t>(entry);
        }
        for (auto c = columns; call.zero_tail && c < call.width; ++c) {
            call.out[b * call.stride + c] = 0;
        }
    }
}

void run(const TableAndStreamCall& call) {
    const ReadLanes& lanes = call.lanes;
    for (std::int64_t b = 0; b < rows_of(call); ++b) {
        const bool is_live = b < lanes.batch;
        const auto extent = is_live ? table_and_stream_lane(call, b) : TableAndStreamLane{};
        const std::int32_t* tokens = is_live ? token_row(lanes, b) : nullptr;
        std::int32_t* row = call.table + b * call.stride;
        for (std::int64_t c = 0; c < extent.columns; ++c) {
            row[c] = static_cast<std::int32_t>(entry_of(lanes, tokens[c * lanes.page_size]));
        }
        for (auto c = extent.columns; call.zero_tail && c < call.width; ++c) {
            row[c] = 0;
        }
        for (std::int64_t p = 0; p < extent.tokens; ++p) {
            const auto position = extent.start + p;
            const auto entry = entry_of(lanes, tokens[page_start(position, lanes.page_size)]);
            const auto id = token_id_in_page(entry, position, lanes.page_size);
            store_index(call.stream, call.indptr[b] + p, id);
        }
    }
}

void run(const TokenStreamCall& call) {
    const ReadLanes& lanes = call.lanes;
    const auto readable = readable_tokens(lanes);
    for (std::int64_t b = 0; b < lanes.batch; ++b) {
        const std::int32_t* tokens = token_row(lanes, b);
        const auto start = start_of(call.starts, b);
        const auto length = length_in_grid(call, load_index(lanes.lens, b));
        const auto count = live_tokens(length, start, readable, call.capacity - call.indptr[b]);
        for (std::int64_t p = 0; p < count; ++p) {
            const auto position = start + p;
            const auto entry = entry_of(lanes, tokens[page_start(position, lanes.page_size)]);
            store_index(
                call.out, call.indptr[b] + p, token_id_in_page(entry, position, lanes.page_size)
            );
        }
    }
}

void run(const RepackCall& call) {
    for (std::int64_t b = 0; b < call.batch; ++b) {
        const std::int32_t* entries = call.table + b * call.stride;
        const auto start = start_of(call.starts, b);
        const auto room = call.capacity - call.indptr[b];
        const auto count =
            live_tokens(load_index(call.lens, b), start, readable_tokens(call), room);
        for (std::int64_t p = 0; p < count; ++p) {
            const auto position = start + p;
            const auto entry = entries[position / call.page_size];
            store_index(
                call.out, call.indptr[b] + p, token_id_in_page(entry, position, call.page_size)
            );
        }
    }
}

void run(const StaticGatherCall& call) {
    for (std::int64_t b = 0; b < call.batch; ++b) {
        const std::int32_t* tokens = call.req_to_token + call.rows[b] * call.req_columns;
        const auto start = start_of(call.starts, b);
        const auto room = call.capacity - call.indptr[b];
        const auto count = live_tokens(load_index(call.lens, b), start, call.req_columns, room);
        for (std::int64_t p = 0; p < count; ++p) {
            const auto id = mapped_token(call.full_to_swa, call.map_rows, tokens[start + p]);
            store_index(call.out, call.indptr[b] + p, id);
        }
    }
}

void run(const StaticBlockTableCall& call) {
    for (std::int64_t b = 0; b < call.batch; ++b) {
        const std::int32_t* tokens = call.req_to_token + call.rows[b] * call.req_columns;
        const auto columns =
            live_columns(load_index(call.lens, b), call.page_size, column_cap(call));
        for (std::int64_t c = 0; c < columns; ++c) {
            const auto page = static_page(
                call.full_to_swa, call.map_rows, tokens[c * call.page_size], call.page_size
            );
            call.out[b * call.stride + c] = static_cast<std::int32_t>(page);
        }
    }
}

} // namespace kvprof::kernels::host
