#include "capture/workload/lower.h"
#include "capture/workload/lower_metadata.h"
#include "capture/workload/translator.h"

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// Where a planned page table goes: into the rectangle that readers share, or into its reader's own
/// table. Alone it is a rectangle.
TableTarget planned_table(const Views& views, const PlannedOp& op) {
    const bool is_shared = views.plan.has_rectangle() || views.plan.micro_op.has_value();
    return is_shared ? shared_table(views, op.pool) : own_table(views, op.pool, op.reader);
}

void emit_rectangle(const Views& views, const StreamTarget& target, Emitter& out) {
    const Translator translator(views);
    const TableTarget table = shared_table(views, target.pool);
    translator.fill_table(table, out);
    translator.repack(table.table, table.stride, target, out);
}

} // namespace

void emit_page_table(const Views& views, const PlannedOp& op, Emitter& out) {
    Translator(views).fill_table(planned_table(views, op), out);
}

void emit_repack(const Views& views, const PlannedOp& op, Emitter& out) {
    const TableTarget table = shared_table(views, op.pool);
    const StreamTarget target = stream_target(views, op.pool, op.reader);
    Translator(views).repack(table.table, table.stride, target, out);
}

/// In a step the rectangle's two launches are ops of their own; alone they are this op's form.
void emit_token_stream(const Views& views, const PlannedOp& op, Emitter& out) {
    const StreamTarget target = stream_target(views, op.pool, op.reader);
    if (views.plan.micro_op && views.plan.spec.index_mode == IndexMode::rectangle) {
        emit_rectangle(views, target, out);
    } else {
        Translator(views).fill_stream(target, out);
    }
}

void emit_table_and_stream(const Views& views, Emitter& out) {
    const TableTarget table = shared_table(views, StateKind::full);
    const StreamTarget stream = stream_target(views, StateKind::full);
    Translator(views).fill_both(table, stream, out);
}

void emit_dcp_stream(const Views& views, const PlannedOp& op, Emitter& out) {
    const StreamTarget target = stream_target(views, op.pool, op.reader);
    Translator(views).fill_stream(target, out);
}

void emit_stream_copy(const Views& views, const PlannedOp& op, Emitter& out) {
    const StepPlan& plan = views.plan;
    if (plan.backend.reads == ReadForm::table) {
        const TableTarget from = own_table(views, op.pool);
        const TableTarget to = own_table(views, op.pool, op.reader);
        out.add(CopyMemory{to.table, from.table, plan.bucket * plan.own_width * 4});
        return;
    }
    const std::int64_t width = index_bytes(plan.stream_type());
    const StreamTarget from = stream_target(views, op.pool);
    const StreamTarget to = stream_target(views, op.pool, op.reader);
    out.add(CopyMemory{to.stream.data, from.stream.data, most_stream_tokens(plan) * width});
}

void emit_row_starts(const Views& views, StateKind kind, Emitter& out) {
    const StreamTarget target = stream_target(views, kind);
    emit_scan(views, target.lens, target.indptr, out);
}

void emit_static_gather(const Views& views, const PlannedOp& op, Emitter& out) {
    const StreamTarget target = stream_target(views, op.pool, op.reader);
    Translator(views).list_stream(target, out);
}

void emit_static_block_table(const Views& views, const PlannedOp& op, Emitter& out) {
    const TableTarget target = own_table(views, op.pool, op.reader);
    Translator(views).list_table(target, out);
}

void emit_kv_splits(const Views& views, StateKind kind, Emitter& out) {
    constexpr std::int64_t kTokensPerSplit = 256;
    const bool is_window = kind == StateKind::swa;
    out.add(KvSplitsCall{
        .lens = stream_target(views, kind).lens,
        .batch = views.plan.bucket,
        .tokens_per_split = kTokensPerSplit,
        .max_splits = static_cast<std::int32_t>(views.plan.splits),
        .out = views.at<std::int32_t>(is_window ? BufferId::window_splits : BufferId::splits),
    });
}

} // namespace kvprof::workload
