#include "capture/workload/contents.h"

#include "capture/workload/lanes.h"
#include "capture/workload/page_ids.h"
#include "kernels/id_math.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <span>
#include <utility>

namespace kvprof::workload {

namespace {

template<typename T>
InitialBuffer dense(BufferId id, const std::vector<T>& values) {
    const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(T));
    InitialBuffer buffer{
        id, {1, bytes, bytes, 0}, std::vector<std::byte>(static_cast<std::size_t>(bytes))};
    if (!values.empty()) {
        std::memcpy(buffer.data.data(), values.data(), buffer.data.size());
    }
    return buffer;
}

bool has(const StepPlan& plan, BufferId id) {
    return std::any_of(plan.buffers.begin(), plan.buffers.end(), [&](const BufferSpec& buffer) {
        return buffer.id == id;
    });
}

/// Row of req_to_token that a lane owns; row 0 belongs to padded lanes.
std::vector<std::int64_t> row_ids(const StepPlan& plan) {
    std::vector<std::int64_t> ids(static_cast<std::size_t>(plan.spec.max_batch), 0);
    std::iota(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(plan.spec.batch), 1);
    return ids;
}

/// Lengths of every phase, padded lanes with the fill value 1.
std::vector<std::int64_t> lens_by_phase(const StepPlan& plan) {
    std::vector<std::int64_t> lens;
    for (std::int64_t phase = 0; phase < plan.phases; ++phase) {
        for (std::int64_t lane = 0; lane < plan.bucket; ++lane) {
            lens.push_back(lane < plan.spec.batch ? length_in_phase(plan, lane, phase) : 1);
        }
    }
    return lens;
}

std::vector<std::int64_t> owners_by_step(const StepPlan& plan) {
    std::vector<std::int64_t> owners;
    for (std::int64_t step = 0; step < steps_in_cycle(plan); ++step) {
        for (std::int64_t lane = 0; lane < plan.bucket; ++lane) {
            owners.push_back(lane < plan.spec.batch ? owner_in_step(plan, lane, step) : 0);
        }
    }
    return owners;
}

/// The first row of a table with one row a step.
std::vector<std::int64_t>
first_lanes(const StepPlan& plan, const std::vector<std::int64_t>& by_step) {
    return {by_step.begin(), by_step.begin() + static_cast<std::ptrdiff_t>(plan.bucket)};
}

/// Token ids of a lane by position, -1 in the holes.
void write_lane(
    const StepPlan& plan,
    const std::vector<std::int64_t>& pages,
    std::int64_t length,
    std::int32_t* row
) {
    const std::int64_t ps = plan.spec.page_size;
    for (std::int64_t position = 0; position < length; ++position) {
        const std::int64_t page = pages[static_cast<std::size_t>(position / ps)];
        row[position] = static_cast<std::int32_t>(page * ps + position % ps);
    }
}

bool chance(std::mt19937_64& random, double share) {
    return static_cast<double>(random() >> 11) * 0x1.0p-53 < share;
}

/// Makes holes anywhere but in a lane's newest token, which the step writes.
void punch_holes(const StepPlan& plan, std::int64_t lane, std::int64_t length, std::int32_t* row) {
    if (plan.spec.holes <= 0.0) {
        return;
    }
    std::mt19937_64 random(
        static_cast<std::uint64_t>(plan.spec.seed) * 1'000'003 + static_cast<std::uint64_t>(lane)
    );
    for (std::int64_t position = 0; position + 1 < length; ++position) {
        if (chance(random, plan.spec.holes)) {
            row[position] = -1;
        }
    }
}

InitialBuffer
req_to_token(const StepPlan& plan, const LanePages& lanes, std::vector<std::int64_t>& loc) {
    const std::int64_t columns = plan.max_len;
    const auto width = static_cast<std::size_t>(columns);
    std::vector<std::int32_t> cells(width * static_cast<std::size_t>(plan.spec.batch + 1), 0);
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        const std::int64_t length = length_in_phase(plan, lane, 0) + plan.spec.delta;
        std::int32_t* row = cells.data() + width * static_cast<std::size_t>(lane + 1);
        write_lane(plan, lanes.vpages[static_cast<std::size_t>(lane)], length, row);
        punch_holes(plan, lane, length, row);
        loc[static_cast<std::size_t>(lane)] = row[length - 1];
    }
    InitialBuffer buffer = dense(BufferId::req_to_token, cells);
    buffer.region = {plan.spec.batch + 1, columns * 4, plan.req_columns * 4, 0};
    return buffer;
}

/// A v2p in the plan's element type.
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

void add_full_tables(const StepPlan& plan, const LanePages& lanes, InitialState& state) {
    auto v2p = unbound_table(plan.full.num_pages + 1);
    auto p2v = unbound_table(plan.full.num_pages + 1);
    std::mt19937_64 random(static_cast<std::uint64_t>(plan.spec.seed) + 17);
    for (std::size_t i = 0; i < lanes.bound.size(); ++i) {
        if (plan.spec.tombstones > 0.0 && chance(random, plan.spec.tombstones)) {
            continue;
        }
        v2p[static_cast<std::size_t>(lanes.bound[i])] = lanes.homes[i];
        p2v[static_cast<std::size_t>(lanes.homes[i])] = lanes.bound[i];
    }
    state.buffers.push_back(v2p_buffer(plan, BufferId::full_v2p, v2p));
    state.buffers.push_back(dense(BufferId::full_p2v, p2v));
}

/// Binds only the pages that a window still covers; the rest have left it.
void add_swa_tables(const StepPlan& plan, const LanePages& lanes, InitialState& state) {
    const TokenPool& swa = *plan.swa;
    auto v2p = unbound_table(plan.full.num_pages + 1);
    auto p2v = unbound_table(swa.num_pages + 1);
    std::int64_t home = swa.grows_up ? swa.min_page : swa.num_pages - 1;
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        const std::int64_t length = length_in_phase(plan, lane, 0) + plan.spec.delta;
        const std::int64_t first =
            std::max<std::int64_t>(length - swa.window, 0) / plan.spec.page_size;
        const auto& pages = lanes.vpages[static_cast<std::size_t>(lane)];
        for (auto i = static_cast<std::size_t>(first); i < pages.size(); ++i) {
            if (v2p[static_cast<std::size_t>(pages[i])] > 0) {
                continue; // a shared page is bound once
            }
            v2p[static_cast<std::size_t>(pages[i])] = home;
            p2v[static_cast<std::size_t>(home)] = pages[i];
            home += swa.grows_up ? 1 : -1;
        }
    }
    state.buffers.push_back(v2p_buffer(plan, BufferId::swa_v2p, v2p));
    state.buffers.push_back(dense(BufferId::swa_p2v, p2v));
}

/// Lane b holds state slot min_slot + b.
void add_state_tables(const StepPlan& plan, InitialState& state) {
    const StatePool& pool = *plan.state;
    auto v2p = unbound_table(pool.num_slots + 1);
    auto p2v = unbound_table(pool.num_slots + 1);
    std::vector<std::int64_t> held(static_cast<std::size_t>(plan.spec.max_batch), 0);
    std::int64_t home = pool.grows_up ? pool.min_slot : pool.num_slots - 1;
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        const std::int64_t slot = pool.min_slot + lane;
        held[static_cast<std::size_t>(lane)] = slot;
        v2p[static_cast<std::size_t>(slot)] = home;
        p2v[static_cast<std::size_t>(home)] = slot;
        home += pool.grows_up ? 1 : -1;
    }
    std::vector<std::int64_t> free;
    for (std::int64_t slot = pool.min_slot + plan.spec.batch; slot < pool.num_slots; ++slot) {
        free.push_back(slot);
    }
    state.state_free = static_cast<std::int64_t>(free.size());
    state.state_next = home;
    state.buffers.push_back(dense(BufferId::state_vpage, held));
    state.buffers.push_back(dense(BufferId::state_free, free));
    if (plan.is_unified()) {
        state.buffers.push_back(v2p_buffer(plan, BufferId::state_v2p, v2p));
        state.buffers.push_back(dense(BufferId::state_p2v, p2v));
    }
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

} // namespace

InitialState make_state(const StepPlan& plan) {
    const LanePages lanes = draw_pages(plan);
    InitialState state;
    std::vector<std::int64_t> newest(static_cast<std::size_t>(plan.spec.max_batch), 0);
    state.buffers.push_back(req_to_token(plan, lanes, newest));
    state.buffers.push_back(dense(BufferId::loc, newest));
    const auto rows = row_ids(plan);
    state.buffers.push_back(dense(BufferId::rows, rows));
    state.buffers.push_back(dense(BufferId::graph_rows, rows));
    const auto owners = owners_by_step(plan);
    state.buffers.push_back(dense(BufferId::step_owners, owners));
    state.buffers.push_back(dense(BufferId::owners, first_lanes(plan, owners)));
    const auto lens = lens_by_phase(plan);
    state.buffers.push_back(dense(BufferId::phase_lens, lens));
    std::vector<std::int64_t> first = first_lanes(plan, lens);
    state.buffers.push_back(dense(BufferId::lens, first));
    if (plan.spec.delta > 0) {
        for (std::int64_t& length : first) {
            length += plan.spec.delta;
        }
        state.buffers.push_back(dense(BufferId::kv_lens, first));
    }
    if (plan.is_unified()) {
        add_full_tables(plan, lanes, state);
    }
    if (has(plan, BufferId::swa_v2p)) {
        add_swa_tables(plan, lanes, state);
    }
    if (has(plan, BufferId::state_free)) {
        add_state_tables(plan, state);
    }
    if (has(plan, BufferId::full_free)) {
        state.buffers.push_back(dense(BufferId::full_free, lanes.free));
    }
    if (plan.micro_op && has(plan, BufferId::vpages)) {
        add_micro_pages(plan, lanes, state);
    }
    state.free_pages = static_cast<std::int64_t>(lanes.free.size());
    state.next_page = lanes.next_page;
    return state;
}

} // namespace kvprof::workload
