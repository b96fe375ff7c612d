#include "capture/workload/plan_buffers.h"

#include "capture/workload/buffer_list.h"
#include "capture/workload/lanes.h"
#include "capture/workload/plan_ops.h"
#include "capture/workload/window_math.h"
#include "kernels/id_math.h"

#include <algorithm>
#include <cstdint>

namespace kvprof::workload {

namespace {

using enum BufferId;

constexpr bool kIsOutput = true;

std::int64_t v2p_bytes(const StepPlan& plan) {
    return plan.spec.v2p == IndexWidth::i32 ? 4 : 8;
}

/// Windows and state are parts of a whole step, windows of swa-write-loc and fused-metadata alone
/// too, and state of state-slots.
bool has_windows(const StepPlan& plan) {
    const OpKind op = plan.micro_op.value_or(OpKind::swa_write_loc);
    return plan.swa && (op == OpKind::swa_write_loc || op == OpKind::fused_metadata);
}

bool has_states(const StepPlan& plan) {
    return plan.state && plan.micro_op.value_or(OpKind::state_slots) == OpKind::state_slots;
}

void add_lanes(const StepPlan& plan, BufferList& out) {
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
        out.add(kv_lens, "kv_lens", inputs, {8, lanes}, has_op(plan, OpKind::verify_csr));
    }
    if (plan.verifies()) {
        out.add(draft_lens, "draft_lens", inputs, {8, lanes});
    }
}

void add_window_tables(const StepPlan& plan, BufferList& out) {
    const auto tables = LedgerGroup::tables;
    if (plan.is_unified()) {
        // A non-owner's table is indexed by the owner's virtual pages.
        out.add(swa_v2p, "swa_v2p", tables, {v2p_bytes(plan), plan.full.num_pages + 1}, kIsOutput);
        out.add(swa_p2v, "swa_p2v", tables, {8, plan.swa->num_pages + 1}, kIsOutput);
    } else {
        const std::int64_t ids = plan.full.num_pages * plan.spec.page_size;
        out.add(full_to_swa, "full_to_swa", tables, {8, ids + 1}, kIsOutput);
    }
}

void add_state_tables(const StepPlan& plan, BufferList& out) {
    const auto tables = LedgerGroup::tables;
    out.add(req_to_state, "req_to_state", tables, {4, plan.spec.max_batch + 1}, kIsOutput);
    if (plan.is_unified()) {
        const std::int64_t slots = plan.state->num_slots;
        out.add(state_v2p, "state_v2p", tables, {v2p_bytes(plan), slots + 1}, kIsOutput);
        out.add(state_p2v, "state_p2v", tables, {8, slots + 1}, kIsOutput);
    }
}

void add_tables(const StepPlan& plan, BufferList& out) {
    const auto tables = LedgerGroup::tables;
    if (plan.is_unified()) {
        const std::int64_t virtual_rows = plan.full.num_pages + 1;
        out.add(full_v2p, "full_v2p", tables, {v2p_bytes(plan), virtual_rows}, kIsOutput);
        out.add(full_p2v, "full_p2v", tables, {8, virtual_rows}, kIsOutput);
    }
    if (has_windows(plan)) {
        add_window_tables(plan, out);
    }
    if (has_states(plan)) {
        add_state_tables(plan, out);
    }
}

void add_window_lists(const StepPlan& plan, BufferList& out) {
    const auto tables = LedgerGroup::tables;
    const std::int64_t pages = plan.swa->num_pages;
    if (plan.is_unified()) {
        out.add(swa_holes, "swa_holes", tables, {8, pages}, kIsOutput);
        out.add(swa_holes_next, "swa_holes_next", tables, {8, pages}, kIsOutput);
    } else {
        out.add(swa_free, "swa_free", tables, {8, pages}, kIsOutput);
        out.add(swa_free_next, "swa_free_next", tables, {8, pages}, kIsOutput);
    }
    const std::int64_t items = window_list_items(plan);
    out.add(swa_vpages, "swa_vpages", LedgerGroup::scratch, {8, items});
    out.add(swa_ppages, "swa_ppages", LedgerGroup::scratch, {8, items});
}

void add_state_lists(const StepPlan& plan, BufferList& out) {
    const auto tables = LedgerGroup::tables;
    const std::int64_t slots = plan.state->num_slots;
    out.add(state_free, "state_free", tables, {8, slots}, kIsOutput);
    out.add(state_free_next, "state_free_next", tables, {8, slots}, kIsOutput);
    out.add(state_vpage, "state_vpage", tables, {8, plan.spec.max_batch});
    out.add(state_ppage, "state_ppage", LedgerGroup::scratch, {8, 1});
    if (plan.is_unified()) {
        out.add(state_holes, "state_holes", tables, {8, slots}, kIsOutput);
        out.add(state_holes_next, "state_holes_next", tables, {8, slots}, kIsOutput);
    }
}

void add_lists(const StepPlan& plan, BufferList& out) {
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
    if (has_windows(plan)) {
        add_window_lists(plan, out);
    }
    if (has_states(plan)) {
        add_state_lists(plan, out);
    }
}

/// The lists of a compaction, there and back, and what its unfused form moves envelopes through.
void add_compaction(const StepPlan& plan, BufferList& out) {
    const std::int64_t pages = plan.spec.compact_pages;
    out.add(compact_from, "compact_from", LedgerGroup::tables, {8, pages, 2});
    out.add(compact_to, "compact_to", LedgerGroup::tables, {8, pages, 2});
    if (plan.spec.alloc == LaunchForm::eager) {
        out.add(staging, "staging", LedgerGroup::scratch, {1, plan.full.page_bytes, pages});
    }
}

/// Write locations are part of the graph where the backend captures some of its own.
void add_write(const StepPlan& plan, BufferList& out) {
    const auto inputs = LedgerGroup::inputs;
    out.add(write_loc, "write_loc", inputs, {8, plan.step_tokens}, kIsOutput);
    if (has_windows(plan)) {
        out.add(swa_write_loc, "swa_write_loc", inputs, {8, plan.step_tokens}, kIsOutput);
    }
}

void add_model(const StepPlan& plan, BufferList& out) {
    kernels::HeadShape heads = plan.full.heads;
    std::int64_t floats = plan.full.read_layers * heads.query_heads * heads.dim_v;
    if (plan.swa) {
        const kernels::HeadShape& window = plan.swa->heads;
        floats += plan.swa->read_layers * window.query_heads * window.dim_v;
        heads.dim_v = std::max(heads.dim_v, window.dim_v);
        heads.query_heads = std::max(heads.query_heads, window.query_heads);
    }
    const std::int64_t tokens = plan.backend.has_splits ? plan.step_tokens : plan.bucket;
    out.add(
        partials,
        "attention_partials",
        LedgerGroup::model,
        {4, heads.dim_v + 1, tokens * heads.query_heads * plan.splits}
    );
    out.add(output, "attention_output", LedgerGroup::model, {4, floats, plan.bucket}, kIsOutput);
}

/// Bytes of the pools: KV, and a static pool's states.
void add_pools(const StepPlan& plan, BufferList& out) {
    out.add(kv, "kv", LedgerGroup::pool, {1, plan.kv_bytes});
    if (has_states(plan) && !plan.is_unified()) {
        out.add(
            states, "states", LedgerGroup::pool, {1, plan.state->slot_bytes, plan.state->num_slots}
        );
    }
}

/// Whether a page table is built from 16 launches: by the step, by an op that runs alone, or as
/// such an op's input.
bool has_eager_table(const StepPlan& plan) {
    const bool builds_table =
        plan.has_rectangle() || has_op(plan, OpKind::page_table) || has_op(plan, OpKind::repack);
    return plan.spec.table == LaunchForm::eager && builds_table;
}

/// Elements of each temporary: one a lane, an entry of the live tables, or an id of the windows.
std::int64_t scratch_items(const StepPlan& plan) {
    const bool has_eager_metadata =
        plan.spec.metadata == MetadataForm::eager
        && (has_op(plan, OpKind::fa_metadata) || has_op(plan, OpKind::trtllm_metadata));
    const bool is_by_entry = has_eager_table(plan) || has_eager_metadata;
    const std::int64_t live_pages = kernels::pages_of(plan.max_len, plan.spec.page_size);
    std::int64_t items = plan.bucket * (is_by_entry ? live_pages : 1);
    if (has_op(plan, OpKind::window_stream) && !plan.is_unified()) {
        items = std::max(items, most_window_tokens(plan));
    }
    return std::max(items, plan.spec.compact_pages);
}

void add_scratch(const StepPlan& plan, BufferList& out) {
    const std::int64_t items = scratch_items(plan);
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

} // namespace

std::vector<BufferSpec> plan_buffers(const StepPlan& plan) {
    BufferList out(plan);
    add_lanes(plan, out);
    add_tables(plan, out);
    if (needs_lists(plan)) {
        add_lists(plan, out);
    }
    if (plan.spec.compact_pages > 0) {
        add_compaction(plan, out);
    }
    add_write(plan, out);
    add_metadata_buffers(plan, out);
    add_scratch(plan, out);
    if (!plan.micro_op) {
        add_model(plan, out);
    }
    if (!plan.micro_op || plan.micro_op == OpKind::compaction_move) {
        add_pools(plan, out);
    }
    if (!plan.micro_op) {
        out.add_reserved();
    }
    return out.take();
}

BufferTable imagined_places(const StepPlan& plan) {
    constexpr std::uintptr_t kApart = std::uintptr_t{1} << 40U; // more than any buffer has
    BufferTable places;
    for (const BufferSpec& buffer : plan.buffers) {
        const std::uintptr_t place = (static_cast<std::uintptr_t>(buffer.id) + 1) * kApart;
        places.set(buffer.id, reinterpret_cast<void*>(place));
    }
    return places;
}

} // namespace kvprof::workload
