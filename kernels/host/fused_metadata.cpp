#include "kernels/host/fused_metadata.h"

#include "kernels/fused_rules.h"
#include "kernels/host/read_index.h"
#include "kernels/host/write_loc.h"

namespace kvprof::kernels::host {
namespace {

/// The stream of one lane, whose row start is there.
void list_lane(
    const FusedMetadataCall& call, const FusedStream& stream, std::int64_t lane, LaneSpan span
) {
    TokenStreamCall one{
        .lanes = lanes_of(call, stream),
        .starts = {&span.start, IndexType::i64},
        .indptr = stream.indptr + lane,
        .out = stream.stream,
        .capacity = stream.capacity,
    };
    one.lanes.rows += lane;
    one.lanes.lens = {&span.count, IndexType::i64};
    one.lanes.batch = 1;
    run(one);
}

void fill(const FusedMetadataCall& call, const FusedStream& stream) {
    std::int64_t offset = 0;
    stream.indptr[0] = 0;
    for (std::int64_t lane = 0; lane < call.batch; ++lane) {
        const LaneSpan span = span_of(call, stream, lane);
        offset += span.count;
        stream.indptr[lane + 1] = static_cast<std::int32_t>(offset);
        if (stream.lens != nullptr) {
            stream.lens[lane] = static_cast<std::int32_t>(span.count);
        }
        if (stream.starts != nullptr) {
            stream.starts[lane] = static_cast<std::int32_t>(span.start);
        }
        list_lane(call, stream, lane, span);
    }
}

} // namespace

void run(const FusedMetadataCall& call) {
    if (call.batch <= 0) {
        return;
    }
    fill(call, call.full);
    if (has_windows(call)) {
        fill(call, call.windows);
    }
    for (const FusedStream* stream : {&call.windows, &call.full}) { // `loc` may be the full one's
        if (stream->write_loc != nullptr) {
            run(write_call(call, *stream));
        }
    }
}

} // namespace kvprof::kernels::host
