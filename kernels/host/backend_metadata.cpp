#include "kernels/host/backend_metadata.h"

#include "kernels/backend_rules.h"

namespace kvprof::kernels::host {
namespace {

void fill_row(const FaMetadataCall& call, const MetadataTable& table, std::int64_t lane) {
    const auto columns =
        live_columns(cache_length(call, lane), call.page_size, column_cap(call, table));
    for (std::int64_t column = 0; column < columns; ++column) {
        table.out[lane * call.stride + column] = metadata_entry(call, table, lane, column);
    }
}

} // namespace

void run(const FaMetadataCall& call) {
    if (call.batch <= 0) {
        return;
    }
    std::int64_t sum = 0;
    call.cu_seqlens_k[0] = 0;
    for (std::int64_t lane = 0; lane < call.batch; ++lane) {
        const auto length = cache_length(call, lane);
        call.cache_seqlens[lane] = length;
        sum += length;
        call.cu_seqlens_k[lane + 1] = static_cast<std::int32_t>(sum);
        fill_row(call, call.table, lane);
        fill_row(call, call.window_table, lane);
    }
}

void run(const TrtllmMetadataCall& call) {
    run(call.lanes);
    const bool has_queries = call.cu_seqlens_q != nullptr && call.lanes.batch > 0;
    for (std::int64_t lane = 0; has_queries && lane <= call.lanes.batch; ++lane) {
        call.cu_seqlens_q[lane] = static_cast<std::int32_t>(lane * call.q_len);
    }
    for (std::int64_t i = 0; i < window_locations(call); ++i) {
        call.swa_write_loc[i] = window_location(call, i);
    }
}

} // namespace kvprof::kernels::host
