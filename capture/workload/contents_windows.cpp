#include "capture/workload/contents_parts.h"
#include "capture/workload/page_ids.h"
#include "capture/workload/window_math.h"

namespace kvprof::workload {

namespace {

/// A non-owner's tables: v2p has a row for every virtual page of the full pool.
void add_window_tables(const StepPlan& plan, const WindowPages& windows, InitialState& state) {
    auto v2p = unbound_table(plan.full.num_pages + 1);
    auto p2v = unbound_table(plan.swa->num_pages + 1);
    std::mt19937_64 random(static_cast<std::uint64_t>(plan.spec.seed) + 19);
    for (std::size_t i = 0; i < windows.vpages.size(); ++i) {
        if (plan.spec.tombstones > 0.0 && chance(random, plan.spec.tombstones)) {
            continue;
        }
        v2p[static_cast<std::size_t>(windows.vpages[i])] = windows.homes[i];
        p2v[static_cast<std::size_t>(windows.homes[i])] = windows.vpages[i];
    }
    state.buffers.push_back(v2p_buffer(plan, BufferId::swa_v2p, v2p));
    state.buffers.push_back(dense(BufferId::swa_p2v, p2v));
}

/// Token by token: the window's own id of each full id, 0 (the sink) where there is none.
void add_full_to_swa(const StepPlan& plan, const WindowPages& windows, InitialState& state) {
    const std::int64_t ps = plan.spec.page_size;
    std::vector<std::int64_t> map(static_cast<std::size_t>(plan.full.num_pages * ps + 1), 0);
    map.back() = kTombstone;
    for (std::size_t i = 0; i < windows.vpages.size(); ++i) {
        for (std::int64_t offset = 0; offset < ps; ++offset) {
            map[static_cast<std::size_t>(windows.vpages[i] * ps + offset)] =
                windows.homes[i] * ps + offset;
        }
    }
    state.buffers.push_back(dense(BufferId::full_to_swa, map));
}

/// Homes are one band at the start of the pool, so the pages past it are free.
void add_free_window_pages(const StepPlan& plan, const WindowPages& windows, InitialState& state) {
    std::vector<std::int64_t> free;
    for (std::int64_t page = windows.next_page; page < plan.swa->num_pages; ++page) {
        free.push_back(page);
    }
    state.swa_free = static_cast<std::int64_t>(free.size());
    state.buffers.push_back(dense(BufferId::swa_free, free));
}

/// Zeroes, since every id of the window's stream indexes full_to_swa: the launch that maps it
/// covers the longest step, so it also maps what lies behind the end of a shorter one.
void add_mapped_stream(const StepPlan& plan, InitialState& state) {
    const auto items = static_cast<std::size_t>(most_window_tokens(plan));
    if (plan.stream_type() == kernels::IndexType::i32) {
        state.buffers.push_back(dense(BufferId::window_stream, std::vector<std::int32_t>(items, 0))
        );
    } else {
        state.buffers.push_back(dense(BufferId::window_stream, std::vector<std::int64_t>(items, 0))
        );
    }
}

} // namespace

void add_windows(const StepPlan& plan, const LanePages& lanes, InitialState& state) {
    if (!has(plan, BufferId::swa_v2p) && !has(plan, BufferId::full_to_swa)) {
        return;
    }
    const WindowPages windows = draw_window_pages(plan, lanes);
    state.swa_next = windows.next_page;
    if (has(plan, BufferId::swa_v2p)) {
        add_window_tables(plan, windows, state);
    }
    if (has(plan, BufferId::full_to_swa)) {
        add_full_to_swa(plan, windows, state);
    }
    if (has(plan, BufferId::swa_free)) {
        add_free_window_pages(plan, windows, state);
    }
    const bool maps_stream = !plan.is_unified() && has(plan, BufferId::window_stream);
    if (maps_stream && plan.phases > 1) {
        add_mapped_stream(plan, state);
    }
}

} // namespace kvprof::workload
