#include "capture/workload/contents.h"

#include "capture/workload/contents_parts.h"

#include <algorithm>

namespace kvprof::workload {

bool has(const StepPlan& plan, BufferId id) {
    return std::any_of(plan.buffers.begin(), plan.buffers.end(), [&](const BufferSpec& buffer) {
        return buffer.id == id;
    });
}

InitialBuffer
v2p_buffer(const StepPlan& plan, BufferId id, const std::vector<std::int64_t>& table) {
    if (plan.spec.v2p == IndexWidth::i64) {
        return dense(id, table);
    }
    std::vector<std::int32_t> narrow(table.size());
    std::transform(table.begin(), table.end(), narrow.begin(), [](std::int64_t page) {
        return static_cast<std::int32_t>(page);
    });
    return dense(id, narrow);
}

bool chance(std::mt19937_64& random, double share) {
    return static_cast<double>(random() >> 11) * 0x1.0p-53 < share;
}

InitialState make_state(const StepPlan& plan) {
    const LanePages lanes = draw_pages(plan);
    InitialState state;
    add_lanes(plan, lanes, state);
    add_tables(plan, lanes, state);
    add_windows(plan, lanes, state);
    add_states(plan, state);
    state.free_pages = static_cast<std::int64_t>(lanes.free.size());
    state.next_page = lanes.next_page;
    return state;
}

} // namespace kvprof::workload
