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

/// A pass of a block writes four elements a thread.
inline constexpr Tuning kFusedTuning{};

/// Blocks of each lane that walk the full stream: as those of the token stream, and at least the
/// one that writes the lane's row start.
[[nodiscard]] constexpr std::int64_t full_parts(const FusedMetadataCall& call) {
    const auto width = smaller(call.full.capacity, call.req_columns);
    const auto parts = batch_shape(kFusedTuning, call.batch, width).grid_y;
    return parts > 1 ? parts : 1;
}

/// Blocks of each lane that walk the windows: one a pass, as the longest lane is known.
[[nodiscard]] constexpr std::int64_t window_parts(const FusedMetadataCall& call) {
    if (!has_windows(call)) {
        return 0;
    }
    const auto parts =
        blocks_for(call.windows.window, std::int64_t{kFusedTuning.threads} * kFusedTuning.items);
    const auto most = full_parts(call);
    return parts < 1 || parts > most ? most : parts;
}

/// Lanes in x; in y the parts of the full stream, those of the windows, and a last row of blocks
/// for the write locations.
[[nodiscard]] constexpr LaunchShape fused_metadata_shape(const FusedMetadataCall& call) {
    const std::int64_t rows =
        full_parts(call) + window_parts(call) + (has_write_locations(call) ? 1 : 0);
    return {call.batch, rows, kFusedTuning.threads};
}

} // namespace kvprof::kernels
