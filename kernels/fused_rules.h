#pragma once

#include "kernels/balance_rules.h"
#include "kernels/calls.h"
#include "kernels/launch_geometry.h"
#include "kernels/read_rules.h"

#include <cstdint>

/// What the fused launch derives from its call: lanes, lengths and the grid.
namespace kvprof::kernels {

[[nodiscard]] KVPROF_HD constexpr bool has_windows(const FusedMetadataCall& call) {
    return call.windows.indptr != nullptr;
}

[[nodiscard]] KVPROF_HD constexpr bool has_write_locations(const FusedMetadataCall& call) {
    return call.out_count > 0
           && (call.full.write_loc != nullptr || call.windows.write_loc != nullptr);
}

/// What a stream of the call reads.
[[nodiscard]] KVPROF_HD constexpr ReadLanes
lanes_of(const FusedMetadataCall& call, const FusedStream& stream) {
    return {
        .req_to_token = call.req_to_token,
        .req_columns = call.req_columns,
        .rows = call.rows,
        .lens = call.lens,
        .v2p = stream.v2p,
        .mult = stream.mult,
        .page_size = call.page_size,
        .batch = call.batch,
    };
}

[[nodiscard]] KVPROF_HD constexpr std::int64_t
cut_to_window(const FusedStream& stream, std::int64_t length) {
    return stream.window > 0 ? smaller(length, stream.window) : length;
}

/// Tokens that a lane lists, and the position of the first.
struct LaneSpan {
    std::int64_t count = 0;
    std::int64_t start = 0;
};

[[nodiscard]] KVPROF_HD inline LaneSpan
span_of(const FusedMetadataCall& call, const FusedStream& stream, std::int64_t lane) {
    const std::int64_t length = load_index(call.lens, lane) + call.delta;
    const std::int64_t count = cut_to_window(stream, length);
    return {count, length - count};
}

/// The write locations of a stream of the call as a launch of their own.
[[nodiscard]] KVPROF_HD constexpr WriteLocCall
write_call(const FusedMetadataCall& call, const FusedStream& stream) {
    return {
        .loc = call.loc,
        .v2p = stream.v2p,
        .mult = stream.mult,
        .page_size = call.page_size,
        .count = call.count,
        .out = stream.write_loc,
        .out_count = call.out_count,
    };
}

/// Tokens that a lane has in the windows at most.
[[nodiscard]] KVPROF_HD constexpr std::int64_t most_in_window(const FusedMetadataCall& call) {
    return call.windows.window > 0 ? smaller(call.windows.window, kMostColumns) : kMostColumns;
}

/// A pass of a block writes four elements a thread.
inline constexpr Tuning kFusedTuning{};

/// As the token stream's: lanes in x, blocks of each lane in y, and at least the one that writes
/// the lane's row start. No more than these, or the blocks of the launch after it would find no
/// even room.
[[nodiscard]] constexpr LaunchShape fused_metadata_shape(const FusedMetadataCall& call) {
    auto shape =
        batch_shape(kFusedTuning, call.batch, smaller(call.full.capacity, call.req_columns));
    shape.grid_y = shape.grid_y > 1 ? shape.grid_y : 1;
    return shape;
}

/// Blocks of each lane, the last in y, that list its window too: one a pass of it.
[[nodiscard]] constexpr std::int64_t window_parts(const FusedMetadataCall& call) {
    const auto pass = std::int64_t{kFusedTuning.threads} * kFusedTuning.items;
    const auto passes = blocks_for(most_in_window(call), pass);
    return has_windows(call) ? smaller(passes, fused_metadata_shape(call).grid_y) : 0;
}

/// Blocks that translate write locations, of as many as they have threads: the first of the last
/// row in y. With fewer lanes than that they come round again.
[[nodiscard]] constexpr std::int64_t writing_blocks(const FusedMetadataCall& call) {
    const auto blocks = blocks_for(call.out_count, kFusedTuning.threads);
    return has_write_locations(call) ? smaller(blocks, call.batch) : 0;
}

} // namespace kvprof::kernels
