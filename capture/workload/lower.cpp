#include "capture/workload/lower.h"

#include <cmath>

namespace kvprof::workload {

kernels::V2p Views::v2p(StateKind kind) const {
    const auto type =
        plan.spec.v2p == IndexWidth::i32 ? kernels::IndexType::i32 : kernels::IndexType::i64;
    switch (kind) {
    case StateKind::full: return {at<void>(BufferId::full_v2p), type, plan.full.num_pages + 1};
    case StateKind::swa: return {at<void>(BufferId::swa_v2p), type, plan.full.num_pages + 1};
    case StateKind::state: return {at<void>(BufferId::state_v2p), type, plan.state->num_slots + 1};
    }
    return {};
}

kernels::IndexArray Views::read_lens() const {
    // Alone, an op reads the lengths as the scheduler keeps them: nothing casts them first. A
    // rank's own lengths have to be computed all the same.
    if (plan.has_len_cast() && (!plan.micro_op || plan.is_dcp())) {
        return {at<void>(BufferId::lens32), kernels::IndexType::i32};
    }
    return {kv_lens(), kernels::IndexType::i64};
}

kernels::IndexArray Views::table_lens() const {
    // The metadata of a table reader copies the rectangle, so it runs after it.
    const bool is_narrowed_later = plan.has_rectangle() && plan.backend.reads == ReadForm::table;
    return is_narrowed_later ? kernels::IndexArray{kv_lens(), kernels::IndexType::i64}
                             : read_lens();
}

kernels::IndexArray Views::full_to_swa() const {
    if (plan.is_unified() || !plan.swa) {
        return {};
    }
    return {at<void>(BufferId::full_to_swa), kernels::IndexType::i64};
}

std::int64_t Views::full_to_swa_rows() const {
    return plan.full.num_pages * plan.spec.page_size + 1;
}

const std::int64_t* Views::kv_lens() const {
    return at<std::int64_t>(plan.spec.delta > 0 ? BufferId::kv_lens : BufferId::lens);
}

kernels::ReadLanes Views::lanes(StateKind kind) const {
    kernels::ReadLanes lanes{
        .req_to_token = at<std::int32_t>(BufferId::req_to_token),
        .req_columns = plan.req_columns,
        .rows = at<std::int64_t>(BufferId::graph_rows),
        .lens = read_lens(),
        .mult = plan.pool(kind).mult,
        .page_size = plan.spec.page_size,
        .batch = plan.bucket,
    };
    if (plan.is_unified()) {
        lanes.v2p = v2p(kind);
    }
    return lanes;
}

kernels::KvLayer Views::layer(StateKind kind, std::int64_t layer) const {
    const TokenPool& pool = plan.pool(kind);
    const std::int64_t planes = pool.is_mla ? 1 : 2;
    const bool is_window = kind == StateKind::swa;
    // Unified: views start one block apart inside the envelopes. Static: one layer after another,
    // the windows' own behind the full ones.
    const std::int64_t block_rows =
        plan.is_unified() ? plan.spec.page_size : pool.num_pages * plan.spec.page_size;
    const std::int64_t pool_start =
        is_window && !plan.is_unified() ? plan.full.num_pages * plan.full.page_bytes : 0;
    const std::int64_t plane_bytes = block_rows * pool.row_bytes;
    const std::int64_t first = pool_start + layer * planes * plane_bytes;
    // Window layers have contents of their own, past the full layers' planes.
    const std::int64_t first_layer = is_window ? plan.full.layers : 0;
    kernels::KvLayer view{
        .k = at<std::uint8_t>(BufferId::kv, first),
        .v = at<std::uint8_t>(BufferId::kv, pool.is_mla ? first : first + plane_bytes),
        .row_bytes = pool.row_bytes,
        .page_rows = 1,
        .page_pitch = pool.row_bytes,
        .plane = 2 * (first_layer + layer),
    };
    if (plan.is_unified() && plan.spec.id_space == IdSpace::physical) {
        view.page_rows = plan.spec.page_size;
        view.page_pitch = pool.page_bytes;
    }
    return view;
}

namespace {

void emit_lane_inputs(const Views& views, Emitter& out) {
    // Padded lanes keep what they started with: row 0, the fill length, location 0.
    const auto copy = [&](BufferId to, BufferId from) {
        out.add(CopyMemory{views.at<void>(to), views.at<void>(from), views.plan.spec.batch * 8});
    };
    copy(BufferId::graph_rows, BufferId::rows);
    if (views.plan.spec.churn <= 0.0) {
        copy(BufferId::lens, BufferId::phase_lens); // under churn the scheduler picks the phase
    }
    if (!views.plan.is_unified() && !views.plan.is_dcp()) {
        copy(BufferId::write_loc, BufferId::loc); // a rank's own locations take a launch
    }
}

void emit_op(const Views& views, const PlannedOp& op, std::int64_t launch, Emitter& out) {
    switch (op.op) {
    case OpKind::lane_inputs: emit_lane_inputs(views, out); break;
    case OpKind::page_table: emit_page_table(views, op, out); break;
    case OpKind::repack: emit_repack(views, op, out); break;
    case OpKind::token_stream: emit_token_stream(views, op, out); break;
    case OpKind::window_stream: emit_window_stream(views, out); break;
    case OpKind::table_and_stream: emit_table_and_stream(views, out); break;
    case OpKind::fused_metadata: emit_fused_metadata(views, op, out); break;
    case OpKind::dcp_stream: emit_dcp_stream(views, op, out); break;
    case OpKind::stream_copy: emit_stream_copy(views, op, out); break;
    case OpKind::static_gather: emit_static_gather(views, op, out); break;
    case OpKind::static_block_table: emit_static_block_table(views, op, out); break;
    case OpKind::indptr: emit_row_starts(views, op.pool, out); break;
    case OpKind::verify_csr: emit_verify_csr(views, out); break;
    case OpKind::len_cast: emit_len_cast(views, out); break;
    case OpKind::kv_splits: emit_kv_splits(views, op.pool, out); break;
    case OpKind::fa_metadata: emit_fa_metadata(views, out); break;
    case OpKind::trtllm_metadata: emit_trtllm_metadata(views, out); break;
    case OpKind::swa_write_loc: emit_swa_write_loc(views, op, out); break;
    case OpKind::state_slots: emit_state_slots(views, out); break;
    case OpKind::state_read: emit_state_read(views, out); break;
    case OpKind::compaction_move: emit_compaction(views, launch % 2, out); break;
    case OpKind::write_loc:
    case OpKind::write_loc_dcp: emit_write_loc(views, op, out); break;
    case OpKind::write_loc_tail: emit_write_loc_tail(views, op, out); break;
    case OpKind::alloc_bind: emit_lone_alloc_bind(views, out); break;
    case OpKind::bind: emit_lone_bind(views, out); break;
    case OpKind::free_unbind:
    case OpKind::lazy_free: emit_lone_free(views, op.op, launch, out); break;
    case OpKind::alloc_decode:
        emit_alloc_decode(
            views,
            views.at<std::int64_t>(BufferId::lens),
            views.at<std::int64_t>(BufferId::full_free),
            views.at<std::int64_t>(BufferId::write_loc),
            out
        );
        break;
    case OpKind::append: emit_append(views, views.at<std::int64_t>(BufferId::lens), out); break;
    case OpKind::kv_write: emit_kv_write(views, op.pool, out); break;
    case OpKind::attention: emit_attention(views, op.pool, out); break;
    case OpKind::zero_pages:
    case OpKind::freed_pages:
    case OpKind::fresh_ids:
    case OpKind::full_to_swa:
    case OpKind::swa_free:
    case OpKind::prefill: break; // the scheduler's, emitted by its turns
    }
}

} // namespace

void lower_op(const Views& views, const PlannedOp& op, std::int64_t launch, Commands& commands) {
    Emitter out(commands, op.op, op.stage, op.placement);
    emit_op(views, op, launch, out);
    const StepSpec& spec = views.plan.spec;
    if (spec.delay_us > 0.0 && to_string(op.op) == spec.delay_op) {
        out.add(kernels::DelayCall{std::llround(spec.delay_us * 1e3)});
    }
}

} // namespace kvprof::workload
