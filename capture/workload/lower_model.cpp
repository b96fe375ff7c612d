#include "capture/workload/lower.h"
#include "capture/workload/translator.h"

#include <cmath>

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// The first consumer's table, or its stream. A table lists the whole context, also where the layer
/// attends a window of it.
void read_from(const Views& views, StateKind kind, AttentionCall& call) {
    const StepPlan& plan = views.plan;
    if (plan.reads_block_table()) {
        const TableTarget table =
            plan.reads_rectangle() ? shared_table(views, kind) : own_table(views, kind);
        call.table = table.table;
        call.stride = table.stride;
        call.window = plan.pool(kind).window;
        call.lens = views.read_lens();
        return;
    }
    const StreamTarget stream = stream_target(views, kind);
    call.stream = {stream.stream.data, stream.stream.type};
    call.indptr = stream.indptr;
    call.lens = stream.lens;
}

/// Of one layer's output.
std::int64_t floats_of(const StepPlan& plan, const TokenPool& pool) {
    return plan.bucket * pool.heads.query_heads * pool.heads.dim_v;
}

void emit_layer_attention(const Views& views, StateKind kind, std::int64_t layer, Emitter& out) {
    const StepPlan& plan = views.plan;
    const TokenPool& pool = plan.pool(kind);
    auto* const partials = views.at<float>(BufferId::partials);
    const std::int64_t layer_floats = floats_of(plan, pool);
    const std::int64_t first =
        kind == StateKind::swa ? plan.full.read_layers * floats_of(plan, plan.full) : 0;
    AttentionCall call{
        .layer = views.layer(kind, layer),
        .heads = pool.heads,
        .page_size = plan.spec.page_size,
        .owners = views.at<std::int64_t>(BufferId::owners),
        .seed = static_cast<std::uint64_t>(plan.spec.seed),
        .scale = attention_scale(pool),
        .batch = plan.bucket,
        .splits = plan.splits,
        .partial = partials,
    };
    read_from(views, kind, call);
    out.add(call);
    out.add(AttentionCombineCall{
        .partial = partials,
        .heads = pool.heads,
        .batch = plan.bucket,
        .splits = plan.splits,
        .out = views.at<float>(BufferId::output, first + layer * layer_floats),
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
    const bool maps = kind == StateKind::swa && !plan.is_unified();
    for (std::int64_t layer = 0; layer < plan.pool(kind).read_layers; ++layer) {
        out.add(KvFillCall{
            .layer = views.layer(kind, layer),
            .heads = plan.pool(kind).heads,
            .lanes = read,
            .owners = views.at<std::int64_t>(BufferId::owners) + lanes.first,
            .shared_tokens = plan.shared_tokens,
            .shared_owner = kSharedOwner,
            .seed = static_cast<std::uint64_t>(plan.spec.seed),
            .dcp = plan.spec.dcp,
            .rank = plan.spec.dcp_rank,
            .full_to_swa = maps ? views.full_to_swa() : IndexArray{},
            .map_rows = maps ? views.full_to_swa_rows() : 0,
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
