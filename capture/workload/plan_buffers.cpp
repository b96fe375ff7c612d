#include "capture/workload/plan_buffers.h"

#include "capture/workload/lanes.h"
#include "capture/workload/plan_ops.h"

#include <algorithm>

namespace kvprof::workload {

namespace {

using enum BufferId;
using Id = BufferId;

constexpr bool kIsOutput = true;

/// Collects buffers; a second request for one that is there is ignored.
class Buffers {
  public:
    struct Shape {
        std::int64_t element_bytes;
        std::int64_t columns;
        std::int64_t rows = 1;
    };

    void add(Id id, const char* name, LedgerGroup group, Shape shape, bool is_output = false) {
        const auto same = [&](const BufferSpec& buffer) { return buffer.id == id; };
        if (std::none_of(list.begin(), list.end(), same)) {
            list.push_back(
                {id, name, group, shape.element_bytes, shape.rows, shape.columns, is_output}
            );
        }
    }

    std::vector<BufferSpec> list;
};

std::int64_t width_of(kernels::IndexType type) {
    return type == kernels::IndexType::i32 ? 4 : 8;
}

std::int64_t v2p_bytes(const StepPlan& plan) {
    return plan.spec.v2p == IndexWidth::i32 ? 4 : 8;
}

void add_lanes(const StepPlan& plan, Buffers& out) {
    const std::int64_t lanes = plan.spec.max_batch;
    const auto inputs = LedgerGroup::inputs;
    out.add(
        req_to_token,
        "req_to_token",
        LedgerGroup::tables,
        {4, plan.req_columns, lanes + 1},
        kIsOutput
    );
    out.add(rows, "rows", inputs, {8, lanes});
    out.add(phase_lens, "phase_lens", inputs, {8, plan.bucket, plan.phases});
    out.add(step_owners, "step_owners", inputs, {8, plan.bucket, steps_in_cycle(plan)});
    out.add(loc, "loc", inputs, {8, lanes}, kIsOutput);
    out.add(owners, "owners", inputs, {8, lanes});
    out.add(graph_rows, "graph_rows", inputs, {8, lanes});
    out.add(lens, "lens", inputs, {8, lanes});
    if (plan.spec.delta > 0) {
        out.add(kv_lens, "kv_lens", inputs, {8, lanes});
    }
}

void add_tables(const StepPlan& plan, Buffers& out) {
    const auto tables = LedgerGroup::tables;
    if (!plan.is_unified()) {
        return;
    }
    const std::int64_t virtual_rows = plan.full.num_pages + 1;
    out.add(full_v2p, "full_v2p", tables, {v2p_bytes(plan), virtual_rows}, kIsOutput);
    out.add(full_p2v, "full_p2v", tables, {8, virtual_rows}, kIsOutput);
    if (plan.swa && !plan.micro_op) {
        // A non-owner's table is indexed by the owner's virtual pages.
        out.add(swa_v2p, "swa_v2p", tables, {v2p_bytes(plan), virtual_rows}, kIsOutput);
        out.add(swa_p2v, "swa_p2v", tables, {8, plan.swa->num_pages + 1}, kIsOutput);
    }
}

void add_lists(const StepPlan& plan, Buffers& out) {
    const auto tables = LedgerGroup::tables;
    const std::int64_t pages = plan.full.num_pages;
    out.add(full_free, "full_free", tables, {8, pages}, kIsOutput);
    out.add(full_free_next, "full_free_next", tables, {8, pages}, kIsOutput);
    const std::int64_t held = std::max(
        (plan.max_len + plan.spec.page_size) * plan.spec.batch, plan.spec.batch * plan.op_launches
    );
    out.add(vpages, "vpages", LedgerGroup::scratch, {8, held});
    out.add(ppages, "ppages", LedgerGroup::scratch, {8, held}, plan.micro_op.has_value());
    if (plan.is_unified()) {
        out.add(full_holes, "full_holes", tables, {8, pages}, kIsOutput);
        out.add(full_holes_next, "full_holes_next", tables, {8, pages}, kIsOutput);
    }
    if (plan.state && !plan.micro_op) {
        const std::int64_t slots = plan.state->num_slots;
        out.add(state_free, "state_free", tables, {8, slots}, kIsOutput);
        out.add(state_free_next, "state_free_next", tables, {8, slots}, kIsOutput);
        out.add(state_vpage, "state_vpage", tables, {8, plan.spec.max_batch});
        out.add(state_ppage, "state_ppage", LedgerGroup::scratch, {8, 1});
        if (plan.is_unified()) {
            out.add(state_holes, "state_holes", tables, {8, slots}, kIsOutput);
            out.add(state_holes_next, "state_holes_next", tables, {8, slots}, kIsOutput);
            out.add(state_v2p, "state_v2p", tables, {v2p_bytes(plan), slots + 1}, kIsOutput);
            out.add(state_p2v, "state_p2v", tables, {8, slots + 1}, kIsOutput);
        }
    }
}

/// A write location buffer is graph state only where the backend captures one of its own.
void add_write(const StepPlan& plan, Buffers& out) {
    const bool is_capture_stable =
        plan.spec.attention_backend == AttentionBackend::triton && plan.is_unified();
    const auto group = is_capture_stable ? LedgerGroup::graph : LedgerGroup::inputs;
    out.add(write_loc, "write_loc", group, {8, plan.spec.max_batch}, kIsOutput);
    if (plan.swa) {
        out.add(
            swa_write_loc, "swa_write_loc", LedgerGroup::graph, {8, plan.spec.max_batch}, kIsOutput
        );
    }
}

void add_metadata(const StepPlan& plan, Buffers& out) {
    const std::int64_t lanes = plan.spec.max_batch;
    const auto graph = LedgerGroup::graph;
    const bool is_triton = plan.spec.attention_backend == AttentionBackend::triton;
    const auto starts = is_triton ? LedgerGroup::inputs : graph;
    out.add(indptr, "indptr", starts, {4, lanes + 1}, kIsOutput);
    out.add(indptr_scan, "indptr_scan", starts, {4, lanes + 1});
    if (plan.has_len_cast()) {
        out.add(lens32, "lens32", is_triton ? LedgerGroup::inputs : graph, {4, lanes}, kIsOutput);
    }
    out.add(
        stream, "stream", graph, {width_of(plan.stream_type()), plan.stream_capacity()}, kIsOutput
    );
    if (plan.spec.index_mode == IndexMode::rectangle && plan.is_unified()) {
        out.add(table, "table", graph, {4, plan.table_width, lanes}, kIsOutput);
    }
    if (plan.reads_block_table()) {
        out.add(block_table, "block_table", graph, {4, plan.table_width, lanes}, kIsOutput);
    }
    if (is_triton) {
        out.add(splits, "kv_splits", graph, {4, lanes}, kIsOutput);
    }
}

void add_window(const StepPlan& plan, Buffers& out) {
    const std::int64_t lanes = plan.spec.max_batch;
    const auto graph = LedgerGroup::graph;
    out.add(window_lens, "window_lens", graph, {4, lanes}, kIsOutput);
    if (plan.spec.attention_backend == AttentionBackend::triton) {
        out.add(window_splits, "window_kv_splits", graph, {4, lanes}, kIsOutput);
    }
    out.add(window_starts, "window_starts", LedgerGroup::inputs, {4, lanes}, kIsOutput);
    out.add(window_indptr, "window_indptr", LedgerGroup::inputs, {4, lanes + 1}, kIsOutput);
    out.add(
        window_stream,
        "window_stream",
        graph,
        {width_of(plan.stream_type()), lanes * plan.swa->window},
        kIsOutput
    );
    if (plan.spec.index_mode == IndexMode::rectangle) {
        out.add(window_table, "window_table", graph, {4, plan.table_width, lanes}, kIsOutput);
    }
}

std::int64_t partial_rows(const StepPlan& plan, const kernels::HeadShape& heads) {
    const bool is_triton = plan.spec.attention_backend == AttentionBackend::triton;
    return (is_triton ? plan.spec.max_batch : plan.bucket) * heads.query_heads * plan.splits;
}

void add_model(const StepPlan& plan, Buffers& out) {
    const bool is_triton = plan.spec.attention_backend == AttentionBackend::triton;
    const auto group = is_triton ? LedgerGroup::graph : LedgerGroup::model;
    kernels::HeadShape heads = plan.full.heads;
    std::int64_t layers = plan.full.read_layers;
    if (plan.swa) {
        heads.dim_v = std::max(heads.dim_v, plan.swa->heads.dim_v);
        heads.query_heads = std::max(heads.query_heads, plan.swa->heads.query_heads);
        layers += plan.swa->read_layers;
    }
    out.add(partials, "attention_partials", group, {4, heads.dim_v + 1, partial_rows(plan, heads)});
    out.add(
        output,
        "attention_output",
        LedgerGroup::model,
        {4, heads.dim_v, layers * plan.bucket * heads.query_heads},
        kIsOutput
    );
    out.add(kv, "kv", LedgerGroup::pool, {1, plan.kv_bytes});
}

/// Whether a page table is built: by the step, by an op that runs alone, or as such an op's input.
bool builds_table(const StepPlan& plan) {
    return plan.spec.index_mode == IndexMode::rectangle || plan.micro_op == OpKind::page_table
           || plan.micro_op == OpKind::repack;
}

/// Temporaries of unfused forms: one element an item, or one a table entry for the eager table.
void add_scratch(const StepPlan& plan, Buffers& out) {
    const bool is_eager_table = plan.spec.table == LaunchForm::eager && builds_table(plan);
    const std::int64_t live_pages = (plan.max_len + plan.spec.page_size - 1) / plan.spec.page_size;
    const std::int64_t items = plan.bucket * (is_eager_table ? live_pages : 1);
    for (const auto& [id, name] :
         {std::pair{scratch_a, "scratch_a"},
          std::pair{scratch_b, "scratch_b"},
          std::pair{scratch_c, "scratch_c"},
          std::pair{scratch_d, "scratch_d"}}) {
        out.add(id, name, LedgerGroup::scratch, {8, items});
    }
}

bool needs_lists(const StepPlan& plan) {
    return plan.micro_op ? works_on_pages(*plan.micro_op) : plan.spec.churn > 0.0;
}

void add_micro(const StepPlan& plan, Buffers& out) {
    const std::int64_t lanes = plan.spec.max_batch;
    if (plan.micro_op == OpKind::static_block_table) {
        out.add(
            block_table, "block_table", LedgerGroup::graph, {4, plan.table_width, lanes}, kIsOutput
        );
    }
    if (plan.micro_op == OpKind::page_table || plan.micro_op == OpKind::repack) {
        out.add(table, "table", LedgerGroup::graph, {4, plan.table_width, lanes}, kIsOutput);
    }
}

} // namespace

std::vector<BufferSpec> plan_buffers(const StepPlan& plan) {
    Buffers out;
    add_lanes(plan, out);
    add_tables(plan, out);
    if (needs_lists(plan)) {
        add_lists(plan, out);
    }
    add_write(plan, out);
    add_micro(plan, out);
    add_metadata(plan, out);
    add_scratch(plan, out);
    if (!plan.micro_op) {
        if (plan.swa) {
            add_window(plan, out);
        }
        add_model(plan, out);
    }
    return out.list;
}

} // namespace kvprof::workload
