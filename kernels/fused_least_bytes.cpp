#include "kernels/fused_least_bytes.h"

#include "kernels/byte_counts.h"
#include "kernels/fused_rules.h"

#include <algorithm>

namespace kvprof::kernels {
namespace {

/// int32 elements that each lane has of a stream: its row start, and its length and start.
std::int64_t lane_outputs(const FusedStream& stream) {
    return 1 + (stream.lens == nullptr ? 0 : 1) + (stream.starts == nullptr ? 0 : 1);
}

/// v2p, and all that is written.
std::int64_t stream_bytes(const FusedMetadataCall& call, const FusedStream& stream) {
    const auto readable = readable_tokens(lanes_of(call, stream));
    std::int64_t offset = 0;
    std::int64_t bytes = kInt32; // the last row start
    for (std::int64_t lane = 0; lane < call.batch; ++lane) {
        const LaneSpan span = span_of(call, stream, lane);
        const auto room = stream.capacity - offset;
        const auto tokens = at_least_zero(live_tokens(span.count, span.start, readable, room));
        bytes += kInt32 * lane_outputs(stream) + index_bytes(stream.stream.type) * tokens
                 + element_bytes(stream.v2p) * pages_between(span.start, tokens, call.page_size);
        offset += span.count;
    }
    const auto locations = call.count * element_bytes(stream.v2p) + call.out_count * kInt64;
    return bytes + (stream.write_loc == nullptr ? 0 : locations);
}

} // namespace

std::int64_t fused_least_bytes(const FusedMetadataCall& call) {
    if (call.batch <= 0) {
        return 0;
    }
    const auto readable = readable_tokens(lanes_of(call, call.full));
    const auto pages = over_lanes(call.batch, [&](std::int64_t lane) {
        return pages_of(std::min(span_of(call, call.full, lane).count, readable), call.page_size);
    });
    return call.batch * lane_bytes(call.lens) + kInt32 * pages + stream_bytes(call, call.full)
           + (has_windows(call) ? stream_bytes(call, call.windows) : 0)
           + (has_write_locations(call) ? call.count * kInt64 : 0);
}

} // namespace kvprof::kernels
