#pragma once

#include "kernels/backend_rules.h"
#include "kernels/balance_rules.h"
#include "kernels/launch_geometry.h"
#include "kernels/read_rules.h"

/// Grids of the read kernels under GridRule::bs, from their calls: x is the lane, y its parts.
namespace kvprof::kernels {

/// The split of a batch: lanes that no block could hold stay in rows.
[[nodiscard]] constexpr Split split_of(const Tuning& tuning, std::int64_t batch) {
    return batch > kMostSharedLanes ? Split::rows : tuning.split;
}

/// A zeroed tail goes to the table's width, past what the lanes can fill.
[[nodiscard]] constexpr LaunchShape page_table_shape(const PageTableCall& call) {
    const std::int64_t width = call.zero_tail ? call.width : column_cap(call);
    return batch_shape(call.tuning, call.lanes.batch, width);
}

[[nodiscard]] constexpr LaunchShape token_stream_shape(const TokenStreamCall& call) {
    return batch_shape(
        call.tuning, call.lanes.batch, smaller(call.capacity, call.lanes.req_columns)
    );
}

[[nodiscard]] constexpr LaunchShape table_and_stream_shape(const TableAndStreamCall& call) {
    const std::int64_t columns = call.lanes.req_columns;
    const std::int64_t width = call.zero_tail && call.width > columns ? call.width : columns;
    return batch_shape(kGatherTuning, rows_of(call), width);
}

[[nodiscard]] constexpr LaunchShape dcp_gather_shape(const DcpGatherCall& call) {
    const std::int64_t local = pages_of(call.req_columns, call.dcp);
    return batch_shape(kGatherTuning, call.batch, smaller(call.capacity, local));
}

} // namespace kvprof::kernels
