#include "capture/workload/buffer_list.h"
#include "capture/workload/plan_ops.h"

namespace kvprof::workload {

namespace {

using enum BufferId;

constexpr bool kIsOutput = true;

/// Of a buffer that the backend does not name: an op that runs alone has no graph to be part of,
/// and what it fills is shown as what a graph would hold.
LedgerGroup index_group(const StepPlan& plan) {
    return plan.micro_op ? LedgerGroup::graph : LedgerGroup::inputs;
}

bool reads_stream(const StepPlan& plan) {
    return plan.micro_op.has_value() || plan.backend.reads == ReadForm::stream;
}

/// Whether ops fill the rectangle. Under context parallelism it is held and reads go past it.
bool fills_rectangle(const StepPlan& plan) {
    const bool is_input = plan.micro_op == OpKind::page_table || plan.micro_op == OpKind::repack
                          || plan.micro_op == OpKind::table_and_stream;
    return is_input || (plan.has_rectangle() && !plan.is_dcp());
}

/// Whether ops fill the reader's own table.
bool fills_own_table(const StepPlan& plan) {
    if (plan.micro_op) {
        return plan.micro_op == OpKind::static_block_table || plan.micro_op == OpKind::fa_metadata
               || plan.micro_op == OpKind::trtllm_metadata;
    }
    return plan.reads_block_table() && !plan.reads_rectangle();
}

void add_lengths(const StepPlan& plan, BufferList& out) {
    const std::int64_t lanes = plan.spec.max_batch;
    const auto group = LedgerGroup::inputs;
    const bool fills_metadata =
        has_op(plan, OpKind::fa_metadata) || has_op(plan, OpKind::trtllm_metadata);
    if (plan.has_len_cast() || fills_metadata) {
        out.add(lens32, "lens32", group, {4, lanes}, kIsOutput);
    }
    if (fills_metadata) {
        out.add(cu_seqlens_k, "cu_seqlens_k", group, {4, lanes + 1}, kIsOutput);
    }
    if (has_op(plan, OpKind::trtllm_metadata)) {
        out.add(cu_seqlens_q, "cu_seqlens_q", group, {4, lanes + 1}, kIsOutput);
    }
    if (has_op(plan, OpKind::verify_csr)) {
        out.add(qo_indptr, "qo_indptr", group, {4, lanes + 1}, kIsOutput);
    }
    if (plan.backend.has_splits) {
        out.add(splits, "kv_splits", group, {4, plan.step_tokens}, kIsOutput);
    }
}

void add_streams(const StepPlan& plan, BufferList& out) {
    const std::int64_t lanes = plan.spec.max_batch;
    const std::int64_t capacity = plan.stream_capacity();
    const std::int64_t width = kernels::index_bytes(plan.stream_type());
    out.add(indptr, "indptr", LedgerGroup::inputs, {4, lanes + 1}, kIsOutput);
    out.add(indptr_scan, "indptr_scan", LedgerGroup::inputs, {4, lanes + 1});
    out.add(stream, "stream", index_group(plan), {width, capacity}, kIsOutput);
    if (const std::int64_t more = plan.spec.consumers - 1; more > 0 && !plan.micro_op) {
        out.add(
            more_streams, "more_streams", LedgerGroup::graph, {width, capacity, more}, kIsOutput
        );
    }
}

void add_tables(const StepPlan& plan, BufferList& out) {
    const std::int64_t lanes = plan.spec.max_batch;
    const bool has_windows = plan.swa.has_value() && !plan.micro_op;
    // A table in place is part of the graph though no formula of a stream reader names it.
    const bool is_in_place = plan.reads_block_table() && plan.backend.reads == ReadForm::stream;
    const auto own_group = is_in_place ? LedgerGroup::graph : index_group(plan);
    if (fills_rectangle(plan)) {
        out.add(table, "table", index_group(plan), {4, plan.table_width, lanes}, kIsOutput);
    }
    if (fills_rectangle(plan) && has_windows) {
        out.add(
            window_table, "window_table", index_group(plan), {4, plan.table_width, lanes}, kIsOutput
        );
    }
    if (!fills_own_table(plan)) {
        return;
    }
    out.add(block_table, "block_table", own_group, {4, plan.own_width, lanes}, kIsOutput);
    if (has_windows) {
        out.add(
            window_block_table,
            "window_block_table",
            own_group,
            {4, plan.own_width, lanes},
            kIsOutput
        );
    }
    if (const std::int64_t more = plan.spec.consumers - 1; more > 0 && !plan.micro_op) {
        out.add(
            more_tables,
            "more_tables",
            LedgerGroup::graph,
            {4, plan.own_width, more * lanes},
            kIsOutput
        );
    }
}

void add_windows(const StepPlan& plan, BufferList& out) {
    const std::int64_t lanes = plan.spec.max_batch;
    const auto group = LedgerGroup::inputs;
    out.add(window_lens, "window_lens", group, {4, lanes}, kIsOutput);
    out.add(window_starts, "window_starts", group, {4, lanes}, kIsOutput);
    out.add(window_indptr, "window_indptr", group, {4, lanes + 1}, kIsOutput);
    out.add(indptr_scan, "indptr_scan", group, {4, lanes + 1});
    out.add(
        window_stream,
        "window_stream",
        group,
        {kernels::index_bytes(plan.stream_type()), plan.window_capacity()},
        kIsOutput
    );
    if (plan.backend.has_splits) {
        out.add(window_splits, "window_kv_splits", group, {4, plan.step_tokens}, kIsOutput);
    }
}

void add_state(const StepPlan& plan, BufferList& out) {
    const std::int64_t lanes = plan.spec.max_batch;
    out.add(state_slots, "state_slots", LedgerGroup::inputs, {4, lanes}, kIsOutput);
    if (has_op(plan, OpKind::state_read)) {
        out.add(state_words, "state_words", LedgerGroup::model, {8, plan.bucket}, kIsOutput);
    }
}

} // namespace

void add_metadata_buffers(const StepPlan& plan, BufferList& out) {
    add_lengths(plan, out);
    if (reads_stream(plan)) {
        add_streams(plan, out);
    }
    add_tables(plan, out);
    const bool lists_windows =
        has_op(plan, OpKind::window_stream) || has_op(plan, OpKind::fused_metadata);
    if (plan.swa && lists_windows) {
        add_windows(plan, out);
    }
    if (has_op(plan, OpKind::state_slots)) {
        add_state(plan, out);
    }
}

} // namespace kvprof::workload
