#include "capture/workload/lower.h"

#include <cmath>

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

void emit_layer_attention(const Views& views, StateKind kind, std::int64_t layer, Emitter& out) {
    const StepPlan& plan = views.plan;
    const TokenPool& pool = plan.pool(kind);
    const bool is_window = kind == StateKind::swa;
    auto* const partials = views.at<float>(BufferId::partials);
    const std::int64_t first = is_window ? plan.full.read_layers : 0;
    const std::int64_t layer_floats = plan.bucket * pool.heads.query_heads * pool.heads.dim_v;
    AttentionCall call{
        .layer = views.layer(kind, layer),
        .heads = pool.heads,
        .page_size = plan.spec.page_size,
        .lens = is_window ? IndexArray{views.at<void>(BufferId::window_lens), IndexType::i32}
                          : views.read_lens(),
        .owners = views.at<std::int64_t>(BufferId::owners),
        .seed = static_cast<std::uint64_t>(plan.spec.seed),
        .scale = attention_scale(pool),
        .batch = plan.bucket,
        .splits = plan.splits,
        .partial = partials,
    };
    if (plan.reads_block_table()) {
        call.table = views.at<std::int32_t>(BufferId::block_table);
        call.stride = plan.table_width;
    } else {
        const auto stream = is_window ? BufferId::window_stream : BufferId::stream;
        call.stream = {views.at<void>(stream), plan.stream_type()};
        call.indptr =
            views.at<std::int32_t>(is_window ? BufferId::window_indptr : BufferId::indptr);
    }
    out.add(call);
    out.add(AttentionCombineCall{
        .partial = partials,
        .heads = pool.heads,
        .batch = plan.bucket,
        .splits = plan.splits,
        .out = views.at<float>(BufferId::output) + (first + layer) * layer_floats,
    });
}

void emit_layer_write(const Views& views, StateKind kind, std::int64_t layer, Emitter& out) {
    const StepPlan& plan = views.plan;
    out.add(KvWriteCall{
        .layer = views.layer(kind, layer),
        .heads = plan.pool(kind).heads,
        .write_loc = views.at<std::int64_t>(
            kind == StateKind::swa ? BufferId::swa_write_loc : BufferId::write_loc
        ),
        .owners = views.at<std::int64_t>(BufferId::owners),
        .lens = views.kv_lens(),
        .seed = static_cast<std::uint64_t>(plan.spec.seed),
        .bucket = plan.bucket,
    });
}

} // namespace

float attention_scale(const TokenPool& pool) {
    return 1.0F / std::sqrt(static_cast<float>(pool.heads.dim_k));
}

void emit_fill(const Views& views, StateKind kind, const FillLanes& lanes, Emitter& out) {
    const StepPlan& plan = views.plan;
    ReadLanes read = views.lanes(kind);
    read.rows = views.at<std::int64_t>(BufferId::rows) + lanes.first;
    read.lens = {lanes.lens + lanes.first, IndexType::i64};
    read.batch = lanes.count;
    for (std::int64_t layer = 0; layer < plan.pool(kind).read_layers; ++layer) {
        out.add(KvFillCall{
            .layer = views.layer(kind, layer),
            .heads = plan.pool(kind).heads,
            .lanes = read,
            .owners = views.at<std::int64_t>(BufferId::owners) + lanes.first,
            .shared_tokens = plan.shared_tokens,
            .shared_owner = kSharedOwner,
            .seed = static_cast<std::uint64_t>(plan.spec.seed),
        });
    }
}

void emit_kv_write(const Views& views, StateKind kind, Emitter& out) {
    for (std::int64_t layer = 0; layer < views.plan.pool(kind).read_layers; ++layer) {
        emit_layer_write(views, kind, layer, out);
    }
}

void emit_attention(const Views& views, StateKind kind, Emitter& out) {
    for (std::int64_t layer = 0; layer < views.plan.pool(kind).read_layers; ++layer) {
        emit_layer_attention(views, kind, layer, out);
    }
}

} // namespace kvprof::workload
