#include "capture/workload/contents_parts.h"
#include "capture/workload/page_ids.h"

#include <algorithm>

namespace kvprof::workload {

namespace {

/// A page that a compaction is to move must be there: an unfused move would write the sentinel row
/// of a page that is not.
bool must_be_bound(const LanePages& lanes, std::int64_t home) {
    return std::find(lanes.outermost.begin(), lanes.outermost.end(), home) != lanes.outermost.end();
}

void add_full_tables(const StepPlan& plan, const LanePages& lanes, InitialState& state) {
    auto v2p = unbound_table(plan.full.num_pages + 1);
    auto p2v = unbound_table(plan.full.num_pages + 1);
    std::mt19937_64 random(static_cast<std::uint64_t>(plan.spec.seed) + 17);
    for (std::size_t i = 0; i < lanes.bound.size(); ++i) {
        const bool is_tombstone =
            plan.spec.tombstones > 0.0 && chance(random, plan.spec.tombstones);
        if (is_tombstone && !must_be_bound(lanes, lanes.homes[i])) {
            continue;
        }
        v2p[static_cast<std::size_t>(lanes.bound[i])] = lanes.homes[i];
        p2v[static_cast<std::size_t>(lanes.homes[i])] = lanes.bound[i];
    }
    state.buffers.push_back(v2p_buffer(plan, BufferId::full_v2p, v2p));
    state.buffers.push_back(dense(BufferId::full_p2v, p2v));
}

/// Pages that an allocator op works on when it runs alone: free ones for a bind, held ones for a
/// free, as many as one graph launches.
void add_micro_pages(const StepPlan& plan, const LanePages& lanes, InitialState& state) {
    const bool is_free = plan.micro_op == OpKind::free_unbind || plan.micro_op == OpKind::lazy_free;
    const std::vector<std::int64_t>& source = is_free ? lanes.bound : lanes.free;
    const auto count = static_cast<std::size_t>(plan.spec.batch * (is_free ? plan.op_launches : 1));
    std::vector<std::int64_t> pages(
        source.begin(), source.begin() + static_cast<std::ptrdiff_t>(count)
    );
    state.buffers.push_back(dense(BufferId::vpages, pages));
    std::vector<std::int64_t> homes(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto step = static_cast<std::int64_t>(i);
        homes[i] = plan.full.grows_up ? lanes.next_page + step : lanes.next_page - step;
    }
    state.buffers.push_back(dense(BufferId::ppages, homes));
}

/// [2, pages]: the move, and the same move back.
void add_compaction(const LanePages& lanes, InitialState& state) {
    std::vector<std::int64_t> from = lanes.outermost;
    std::vector<std::int64_t> to = lanes.holes;
    from.insert(from.end(), lanes.holes.begin(), lanes.holes.end());
    to.insert(to.end(), lanes.outermost.begin(), lanes.outermost.end());
    state.buffers.push_back(dense(BufferId::compact_from, from));
    state.buffers.push_back(dense(BufferId::compact_to, to));
}

/// Some backends allocate their table with a value in it that stays past the live pages.
void add_own_table(const StepPlan& plan, BufferId id, InitialState& state) {
    const auto buffer =
        std::find_if(plan.buffers.begin(), plan.buffers.end(), [&](const BufferSpec& each) {
            return each.id == id;
        });
    if (buffer == plan.buffers.end() || plan.backend.table_fill == 0) {
        return;
    }
    // One that no op fills is held as bytes.
    const auto cells = static_cast<std::size_t>(buffer->bytes()) / sizeof(std::int32_t);
    const auto fill = static_cast<std::int32_t>(plan.backend.table_fill);
    state.buffers.push_back(dense(id, std::vector<std::int32_t>(cells, fill)));
}

} // namespace

void add_tables(const StepPlan& plan, const LanePages& lanes, InitialState& state) {
    if (plan.is_unified()) {
        add_full_tables(plan, lanes, state);
    }
    if (has(plan, BufferId::full_free)) {
        state.buffers.push_back(dense(BufferId::full_free, lanes.free));
    }
    if (plan.micro_op && has(plan, BufferId::vpages)) {
        add_micro_pages(plan, lanes, state);
    }
    if (has(plan, BufferId::compact_from)) {
        add_compaction(lanes, state);
    }
    for (const BufferId table :
         {BufferId::block_table, BufferId::window_block_table, BufferId::more_tables}) {
        add_own_table(plan, table, state);
    }
}

} // namespace kvprof::workload
