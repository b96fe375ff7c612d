#include "capture/workload/lower.h"

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

GridRule grid_of(const StepPlan& plan) {
    return plan.spec.grid == Grid::ctx ? GridRule::ctx : GridRule::bs;
}

PageTableCall page_table_call(const Views& views, StateKind kind, BufferId table) {
    return {
        .lanes = views.lanes(kind),
        .out = views.at<std::int32_t>(table),
        .stride = views.plan.table_width,
        .width = views.plan.table_width,
        .grid = grid_of(views.plan),
        .context_columns = views.plan.table_width,
    };
}

} // namespace

void emit_page_table(const Views& views, Emitter& out) {
    if (views.plan.spec.table == LaunchForm::eager) {
        emit_eager_page_table(views, out);
        return;
    }
    out.add(page_table_call(views, StateKind::full, BufferId::table));
}

namespace {

RepackCall repack_call(const Views& views) {
    const StepPlan& plan = views.plan;
    return {
        .table = views.at<std::int32_t>(BufferId::table),
        .stride = plan.table_width,
        .lens = views.read_lens(),
        .indptr = views.at<std::int32_t>(BufferId::indptr),
        .out = {views.at<void>(BufferId::stream), plan.stream_type()},
        .capacity = plan.stream_capacity(),
        .page_size = plan.spec.page_size,
        .batch = plan.bucket,
    };
}

TokenStreamCall stream_call(const Views& views) {
    const StepPlan& plan = views.plan;
    return {
        .lanes = views.lanes(StateKind::full),
        .indptr = views.at<std::int32_t>(BufferId::indptr),
        .out = {views.at<void>(BufferId::stream), plan.stream_type()},
        .capacity = plan.stream_capacity(),
        .grid = grid_of(plan),
        .context_columns = plan.context,
    };
}

/// A scan and a copy into the slice past the leading zero.
void emit_indptr(
    const StepPlan& plan, IndexArray lens, std::int32_t* scan, std::int32_t* indptr, Emitter& out
) {
    const std::int64_t lanes = plan.bucket;
    out.add(CumsumCall{.in = lens, .out = {scan, IndexType::i32}, .count = lanes});
    out.add(MapCall{
        .op = MapOp::copy,
        .a = {scan, IndexType::i32},
        .out = {indptr + 1, IndexType::i32},
        .cols = lanes,
    });
}

void emit_window_lens(const Views& views, Emitter& out) {
    const StepPlan& plan = views.plan;
    const IndexArray lens = views.read_lens();
    const Operand all{lens.data, lens.type};
    auto* const window_lens = views.at<std::int32_t>(BufferId::window_lens);
    out.add(MapCall{
        .op = MapOp::minimum,
        .a = all,
        .scalar = plan.swa->window,
        .out = {window_lens, IndexType::i32},
        .cols = plan.bucket,
    });
    emit_indptr(
        plan,
        {window_lens, IndexType::i32},
        views.at<std::int32_t>(BufferId::indptr_scan),
        views.at<std::int32_t>(BufferId::window_indptr),
        out
    );
    out.add(MapCall{
        .op = MapOp::subtract,
        .a = all,
        .b = {window_lens, IndexType::i32},
        .out = {views.at<void>(BufferId::window_starts), IndexType::i32},
        .cols = plan.bucket,
    });
}

} // namespace

void emit_window_stream(const Views& views, Emitter& out) {
    const StepPlan& plan = views.plan;
    emit_window_lens(views, out);
    const IndexArray lens{views.at<void>(BufferId::window_lens), IndexType::i32};
    const IndexArray starts{views.at<void>(BufferId::window_starts), IndexType::i32};
    const auto* const indptr = views.at<std::int32_t>(BufferId::window_indptr);
    const MutableIndexArray stream{views.at<void>(BufferId::window_stream), plan.stream_type()};
    const std::int64_t capacity = plan.spec.max_batch * plan.swa->window;
    if (plan.spec.index_mode == IndexMode::rectangle) {
        out.add(page_table_call(views, StateKind::swa, BufferId::window_table));
        out.add(RepackCall{
            .table = views.at<std::int32_t>(BufferId::window_table),
            .stride = plan.table_width,
            .lens = lens,
            .starts = starts,
            .indptr = indptr,
            .out = stream,
            .capacity = capacity,
            .page_size = plan.spec.page_size,
            .batch = plan.bucket,
        });
        return;
    }
    ReadLanes lanes = views.lanes(StateKind::swa);
    lanes.lens = lens;
    out.add(TokenStreamCall{
        .lanes = lanes,
        .starts = starts,
        .indptr = indptr,
        .out = stream,
        .capacity = capacity,
        .grid = grid_of(plan),
        .context_columns = plan.swa->window,
    });
}

/// Alone, the stream op takes the form of --index-mode: two launches or one.
void emit_token_stream(const Views& views, Emitter& out) {
    if (views.plan.micro_op && views.plan.spec.index_mode == IndexMode::rectangle) {
        emit_page_table(views, out);
        out.add(repack_call(views));
        return;
    }
    out.add(stream_call(views));
}

void emit_static_gather(const Views& views, Emitter& out) {
    const TokenStreamCall stream = stream_call(views);
    out.add(StaticGatherCall{
        .req_to_token = stream.lanes.req_to_token,
        .req_columns = stream.lanes.req_columns,
        .rows = stream.lanes.rows,
        .lens = stream.lanes.lens,
        .indptr = stream.indptr,
        .out = stream.out,
        .capacity = stream.capacity,
        .batch = stream.lanes.batch,
    });
}

void emit_static_block_table(const Views& views, Emitter& out) {
    const PageTableCall table = page_table_call(views, StateKind::full, BufferId::block_table);
    out.add(StaticBlockTableCall{
        .req_to_token = table.lanes.req_to_token,
        .req_columns = table.lanes.req_columns,
        .rows = table.lanes.rows,
        .lens = table.lanes.lens,
        .out = table.out,
        .stride = table.stride,
        .width = table.width,
        .page_size = table.lanes.page_size,
        .batch = table.lanes.batch,
    });
}

void emit_row_starts(const Views& views, Emitter& out) {
    const StepPlan& plan = views.plan;
    auto* const indptr = views.at<std::int32_t>(BufferId::indptr);
    if (plan.spec.indptr == LaunchForm::fused) {
        out.add(IndptrCall{.lens = views.read_lens(), .out = indptr, .batch = plan.bucket});
        return;
    }
    emit_indptr(
        plan, views.read_lens(), views.at<std::int32_t>(BufferId::indptr_scan), indptr, out
    );
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

void emit_kv_splits(const Views& views, Emitter& out) {
    constexpr std::int64_t kTokensPerSplit = 256;
    out.add(KvSplitsCall{
        .lens = views.read_lens(),
        .batch = views.plan.bucket,
        .tokens_per_split = kTokensPerSplit,
        .max_splits = static_cast<std::int32_t>(views.plan.splits),
        .out = views.at<std::int32_t>(BufferId::splits),
    });
}

void emit_repack(const Views& views, Emitter& out) {
    out.add(repack_call(views));
}

} // namespace kvprof::workload
