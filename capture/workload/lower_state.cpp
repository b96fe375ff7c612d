#include "capture/workload/lower.h"

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// Unified: slots are counted from the buffer's first byte, where the state's sub-pool begins.
std::uint8_t* first_slot(const Views& views) {
    return views.at<std::uint8_t>(views.plan.is_unified() ? BufferId::kv : BufferId::states);
}

/// Lanes as rows of req_to_token name them, their slots, and how many there are.
struct SlotLanes {
    const std::int64_t* rows = nullptr;
    std::int32_t* slots = nullptr;
    std::int64_t count = 0;
};

void emit_one_lookup(const Views& views, const SlotLanes& lanes, Emitter& out) {
    out.add(StateSlotsCall{
        .req_to_state = views.at<std::int32_t>(BufferId::req_to_state),
        .rows = lanes.rows,
        .v2p = views.plan.is_unified() ? views.v2p(StateKind::state) : V2p{},
        .out = lanes.slots,
        .batch = lanes.count,
    });
}

/// A gather for a static pool; a second one and a cast behind virtual slots.
void emit_lookups(const Views& views, const SlotLanes& lanes, Emitter& out) {
    const bool is_unified = views.plan.is_unified();
    const MutableIndexArray slots{lanes.slots, IndexType::i32};
    auto* const slot = views.at<std::int64_t>(BufferId::scratch_a);
    out.add(GatherCall{
        .table = {views.at<void>(BufferId::req_to_state), IndexType::i32},
        .table_rows = views.plan.spec.max_batch + 1,
        .index = {lanes.rows},
        .out = is_unified ? MutableIndexArray{slot} : slots,
        .cols = lanes.count,
    });
    if (!is_unified) {
        return;
    }
    const V2p v2p = views.v2p(StateKind::state);
    out.add(GatherCall{
        .table = {v2p.data, v2p.type},
        .table_rows = v2p.rows,
        .index = {slot},
        .out = {slot},
        .cols = lanes.count,
    });
    out.add(MapCall{.op = MapOp::copy, .a = {slot}, .out = slots, .cols = lanes.count});
}

} // namespace

void emit_state_slots(const Views& views, Emitter& out) {
    const SlotLanes lanes{
        .rows = views.at<std::int64_t>(BufferId::graph_rows),
        .slots = views.at<std::int32_t>(BufferId::state_slots),
        .count = views.plan.bucket};
    if (views.plan.spec.metadata == MetadataForm::fused) {
        emit_one_lookup(views, lanes, out);
    } else {
        emit_lookups(views, lanes, out);
    }
}

void emit_state_read(const Views& views, Emitter& out) {
    out.add(StateWordsCall{
        .states = first_slot(views),
        .slot_bytes = views.plan.state->slot_bytes,
        .slots = views.at<std::int32_t>(BufferId::state_slots),
        .seed = static_cast<std::uint64_t>(views.plan.spec.seed),
        .out = views.at<std::int64_t>(BufferId::state_words),
        .batch = views.plan.bucket,
    });
}

void emit_state_fill(const Views& views, std::int64_t first, std::int64_t count, Emitter& out) {
    const SlotLanes lanes{
        .rows = views.at<std::int64_t>(BufferId::rows) + first,
        .slots = views.at<std::int32_t>(BufferId::state_slots) + first,
        .count = count};
    emit_one_lookup(views, lanes, out);
    out.add(StateWordsCall{
        .states = first_slot(views),
        .slot_bytes = views.plan.state->slot_bytes,
        .slots = lanes.slots,
        .owners = views.at<std::int64_t>(BufferId::owners) + first,
        .seed = static_cast<std::uint64_t>(views.plan.spec.seed),
        .writes = true,
        .batch = count,
    });
}

} // namespace kvprof::workload
