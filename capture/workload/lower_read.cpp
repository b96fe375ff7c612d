#include "capture/workload/lower.h"

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

GridRule grid_of(const StepPlan& plan) {
    return plan.spec.grid == Grid::ctx ? GridRule::ctx : GridRule::bs;
}

/// The buffers that the read index of one token pool lives in. A window's stream holds the last
/// tokens of each lane; its rectangle spans the whole context like the full one.
struct ReadIndex {
    IndexArray lens; ///< tokens that the stream lists
    IndexArray starts;
    std::int32_t* indptr;
    std::int32_t* table;
    MutableIndexArray stream;
    std::int64_t capacity;
    std::int64_t widest; ///< tokens of a lane at most
};

ReadIndex read_index(const Views& views, StateKind kind) {
    const StepPlan& plan = views.plan;
    if (kind == StateKind::swa) {
        return {
            .lens = {views.at<void>(BufferId::window_lens), IndexType::i32},
            .starts = {views.at<void>(BufferId::window_starts), IndexType::i32},
            .indptr = views.at<std::int32_t>(BufferId::window_indptr),
            .table = views.at<std::int32_t>(BufferId::window_table),
            .stream = {views.at<void>(BufferId::window_stream), plan.stream_type()},
            .capacity = plan.spec.max_batch * plan.swa->window,
            .widest = plan.swa->window,
        };
    }
    return {
        .lens = views.read_lens(),
        .starts = {},
        .indptr = views.at<std::int32_t>(BufferId::indptr),
        .table = views.at<std::int32_t>(BufferId::table),
        .stream = {views.at<void>(BufferId::stream), plan.stream_type()},
        .capacity = plan.stream_capacity(),
        .widest = plan.context,
    };
}

} // namespace

void emit_page_table(const Views& views, StateKind kind, Emitter& out) {
    auto* const table = read_index(views, kind).table;
    if (views.plan.spec.table == LaunchForm::eager) {
        emit_eager_page_table(views, kind, table, out);
        return;
    }
    out.add(PageTableCall{
        .lanes = views.lanes(kind),
        .out = table,
        .stride = views.plan.table_width,
        .width = views.plan.table_width,
        .grid = grid_of(views.plan),
        .context_columns = views.plan.table_width,
    });
}

void emit_repack(const Views& views, StateKind kind, Emitter& out) {
    const ReadIndex index = read_index(views, kind);
    out.add(RepackCall{
        .table = index.table,
        .stride = views.plan.table_width,
        .lens = index.lens,
        .starts = index.starts,
        .indptr = index.indptr,
        .out = index.stream,
        .capacity = index.capacity,
        .page_size = views.plan.spec.page_size,
        .batch = views.plan.bucket,
    });
}

namespace {

void emit_fused_stream(const Views& views, StateKind kind, Emitter& out) {
    const ReadIndex index = read_index(views, kind);
    ReadLanes lanes = views.lanes(kind);
    lanes.lens = index.lens;
    out.add(TokenStreamCall{
        .lanes = lanes,
        .starts = index.starts,
        .indptr = index.indptr,
        .out = index.stream,
        .capacity = index.capacity,
        .grid = grid_of(views.plan),
        .context_columns = index.widest,
    });
}

/// In the form of --index-mode: two launches or one.
void emit_stream(const Views& views, StateKind kind, Emitter& out) {
    switch (views.plan.spec.index_mode) {
    case IndexMode::rectangle:
        emit_page_table(views, kind, out);
        emit_repack(views, kind, out);
        break;
    case IndexMode::stream: emit_fused_stream(views, kind, out); break;
    }
}

} // namespace

void emit_row_starts(const Views& views, StateKind kind, Emitter& out) {
    const ReadIndex index = read_index(views, kind);
    const std::int64_t lanes = views.plan.bucket;
    if (views.plan.spec.indptr == LaunchForm::fused) {
        out.add(IndptrCall{.lens = index.lens, .out = index.indptr, .batch = lanes});
        return;
    }
    // A scan, and a copy into the slice past the leading zero.
    auto* const scan = views.at<std::int32_t>(BufferId::indptr_scan);
    out.add(CumsumCall{.in = index.lens, .out = {scan, IndexType::i32}, .count = lanes});
    out.add(MapCall{
        .op = MapOp::copy,
        .a = {scan, IndexType::i32},
        .out = {index.indptr + 1, IndexType::i32},
        .cols = lanes,
    });
}

void emit_window_stream(const Views& views, Emitter& out) {
    const IndexArray lens = views.read_lens();
    const ReadIndex window = read_index(views, StateKind::swa);
    out.add(MapCall{
        .op = MapOp::minimum,
        .a = {lens.data, lens.type},
        .scalar = views.plan.swa->window,
        .out = {views.at<void>(BufferId::window_lens), IndexType::i32},
        .cols = views.plan.bucket,
    });
    emit_row_starts(views, StateKind::swa, out);
    out.add(MapCall{
        .op = MapOp::subtract,
        .a = {lens.data, lens.type},
        .b = {window.lens.data, window.lens.type},
        .out = {views.at<void>(BufferId::window_starts), IndexType::i32},
        .cols = views.plan.bucket,
    });
    emit_stream(views, StateKind::swa, out);
}

/// In a step the rectangle's two launches are ops of their own; alone they are this op's form.
void emit_token_stream(const Views& views, Emitter& out) {
    if (views.plan.micro_op) {
        emit_stream(views, StateKind::full, out);
    } else {
        emit_fused_stream(views, StateKind::full, out);
    }
}

void emit_static_gather(const Views& views, Emitter& out) {
    const ReadIndex index = read_index(views, StateKind::full);
    out.add(StaticGatherCall{
        .req_to_token = views.at<std::int32_t>(BufferId::req_to_token),
        .req_columns = views.plan.req_columns,
        .rows = views.at<std::int64_t>(BufferId::graph_rows),
        .lens = index.lens,
        .indptr = index.indptr,
        .out = index.stream,
        .capacity = index.capacity,
        .batch = views.plan.bucket,
    });
}

void emit_static_block_table(const Views& views, Emitter& out) {
    out.add(StaticBlockTableCall{
        .req_to_token = views.at<std::int32_t>(BufferId::req_to_token),
        .req_columns = views.plan.req_columns,
        .rows = views.at<std::int64_t>(BufferId::graph_rows),
        .lens = views.read_lens(),
        .out = views.at<std::int32_t>(BufferId::block_table),
        .stride = views.plan.table_width,
        .width = views.plan.table_width,
        .page_size = views.plan.spec.page_size,
        .batch = views.plan.bucket,
    });
}

void emit_len_cast(const Views& views, Emitter& out) {
    out.add(MapCall{
        .op = MapOp::add,
        .a = {views.at<void>(BufferId::lens), IndexType::i64},
        .scalar = views.plan.spec.delta,
        .out = {views.at<void>(BufferId::lens32), IndexType::i32},
        .cols = views.plan.bucket,
    });
}

void emit_kv_splits(const Views& views, StateKind kind, Emitter& out) {
    constexpr std::int64_t kTokensPerSplit = 256;
    const bool is_window = kind == StateKind::swa;
    out.add(KvSplitsCall{
        .lens = read_index(views, kind).lens,
        .batch = views.plan.bucket,
        .tokens_per_split = kTokensPerSplit,
        .max_splits = static_cast<std::int32_t>(views.plan.splits),
        .out = views.at<std::int32_t>(is_window ? BufferId::window_splits : BufferId::splits),
    });
}

} // namespace kvprof::workload
