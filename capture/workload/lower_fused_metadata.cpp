#include "capture/workload/lower.h"
#include "capture/workload/translator.h"

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

FusedStream fused_stream(const Views& views, StateKind kind) {
    const StreamTarget target = stream_target(views, kind);
    const bool is_window = kind == StateKind::swa;
    FusedStream stream{
        .v2p = views.v2p(kind),
        .mult = views.plan.pool(kind).mult,
        .indptr = target.indptr,
        .stream = target.stream,
        .capacity = target.capacity,
        .write_loc =
            views.at<std::int64_t>(is_window ? BufferId::swa_write_loc : BufferId::write_loc),
    };
    if (is_window) {
        stream.window = views.plan.swa->window;
        stream.lens = views.at<std::int32_t>(BufferId::window_lens);
        stream.starts = views.at<std::int32_t>(BufferId::window_starts);
    } else if (views.plan.has_len_cast()) {
        stream.lens = views.at<std::int32_t>(BufferId::lens32);
    }
    return stream;
}

} // namespace

void emit_fused_metadata(const Views& views, const PlannedOp& op, Emitter& out) {
    const StepPlan& plan = views.plan;
    out.add(FusedMetadataCall{
        .req_to_token = views.at<std::int32_t>(BufferId::req_to_token),
        .req_columns = plan.req_columns,
        .rows = views.at<std::int64_t>(BufferId::graph_rows),
        .lens = {views.at<void>(BufferId::lens), IndexType::i64},
        .delta = plan.spec.delta,
        .page_size = plan.spec.page_size,
        .batch = plan.bucket,
        .full = fused_stream(views, StateKind::full),
        .windows = plan.swa ? fused_stream(views, StateKind::swa) : FusedStream{},
        .loc = views.at<std::int64_t>(BufferId::loc),
        .count = op.placement == Placement::in ? plan.bucket : plan.spec.batch,
        .out_count = plan.bucket, // the captured tail is cleared with it
    });
}

} // namespace kvprof::workload
