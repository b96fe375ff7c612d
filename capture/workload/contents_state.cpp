#include "capture/workload/contents_parts.h"
#include "capture/workload/page_ids.h"

namespace kvprof::workload {

namespace {

/// Lane b holds slot min_slot + b: a virtual one in a unified pool, which its tables send
/// elsewhere.
struct Slots {
    std::vector<std::int64_t> held; ///< [max_batch], 0 of the lanes that there are not
    std::vector<std::int64_t> v2p;
    std::vector<std::int64_t> p2v;
    std::vector<std::int64_t> free;
    std::int64_t next = 0; ///< where the next run of physical slots starts or ends
};

Slots slots_of(const StepPlan& plan) {
    const StatePool& pool = *plan.state;
    Slots slots{
        .held = std::vector<std::int64_t>(static_cast<std::size_t>(plan.spec.max_batch), 0),
        .v2p = unbound_table(pool.num_slots + 1),
        .p2v = unbound_table(pool.num_slots + 1),
        .free = {},
        .next = pool.grows_up ? pool.min_slot : pool.num_slots - 1};
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        const std::int64_t slot = pool.min_slot + lane;
        slots.held[static_cast<std::size_t>(lane)] = slot;
        slots.v2p[static_cast<std::size_t>(slot)] = slots.next;
        slots.p2v[static_cast<std::size_t>(slots.next)] = slot;
        slots.next += pool.grows_up ? 1 : -1;
    }
    for (std::int64_t slot = pool.min_slot + plan.spec.batch; slot < pool.num_slots; ++slot) {
        slots.free.push_back(slot);
    }
    return slots;
}

/// By row of req_to_token; row 0 is the padded lanes', whose slot is the sink.
std::vector<std::int32_t> slots_by_row(const Slots& slots) {
    std::vector<std::int32_t> rows{0};
    for (const std::int64_t slot : slots.held) {
        rows.push_back(static_cast<std::int32_t>(slot));
    }
    return rows;
}

} // namespace

void add_states(const StepPlan& plan, InitialState& state) {
    if (!has(plan, BufferId::req_to_state) && !has(plan, BufferId::state_free)) {
        return;
    }
    const Slots slots = slots_of(plan);
    if (has(plan, BufferId::req_to_state)) {
        state.buffers.push_back(dense(BufferId::req_to_state, slots_by_row(slots)));
    }
    if (has(plan, BufferId::state_v2p)) {
        state.buffers.push_back(v2p_buffer(plan, BufferId::state_v2p, slots.v2p));
    }
    if (has(plan, BufferId::state_p2v)) {
        state.buffers.push_back(dense(BufferId::state_p2v, slots.p2v));
    }
    state.state_next = slots.next;
    if (has(plan, BufferId::state_free)) {
        state.state_free = static_cast<std::int64_t>(slots.free.size());
        state.buffers.push_back(dense(BufferId::state_vpage, slots.held));
        state.buffers.push_back(dense(BufferId::state_free, slots.free));
    }
}

} // namespace kvprof::workload
