#include "capture/workload/buffer_layout.h"

#include "capture/model/error.h"
#include "kernels/id_math.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

namespace kvprof::workload {

namespace {

void require_two_ends(std::span<const SubPool> pools) {
    const auto ups = std::ranges::count(pools, Growth::up, &SubPool::growth);
    const auto downs = std::ranges::count(pools, Growth::down, &SubPool::growth);
    const auto floats = std::ranges::count(pools, Growth::floating, &SubPool::growth);
    if (ups != 1 || downs != 1 || floats > 1) {
        throw UsageError(fmt::format(
            "could not lay out the unified buffer: it needs one grow-up and one grow-down "
            "sub-pool with at most one floating between them, and got {}, {} and {}",
            ups,
            downs,
            floats
        ));
    }
}

/// Positions in `pools` by address: the grow-up END, a FLOAT where there is one, the grow-down END.
std::vector<std::size_t> in_address_order(std::span<const SubPool> pools) {
    std::vector<std::size_t> order;
    for (const Growth growth : {Growth::up, Growth::floating, Growth::down}) {
        for (std::size_t i = 0; i < pools.size(); ++i) {
            if (pools[i].growth == growth) {
                order.push_back(i);
            }
        }
    }
    return order;
}

void require_sensible(const SubPool& pool) {
    const bool has_whole_rows = pool.mult >= 1 && pool.entry_bytes % pool.mult == 0;
    if (pool.entry_bytes >= 1 && pool.page_size >= 1 && pool.request_slots >= 0 && has_whole_rows
        && (is_paged(pool) || pool.page_size == 1)) {
        return;
    }
    throw UsageError(fmt::format(
        "could not lay out the unified buffer: sub-pool {} has entries of {} B in {} rows, {} "
        "slots per page",
        to_string(pool.kind),
        pool.entry_bytes,
        pool.mult,
        pool.page_size
    ));
}

std::int64_t sink_floor_bytes(std::span<const SubPool> pools) {
    std::int64_t floor = 0;
    for (const SubPool& pool : pools) {
        // A state sub-pool is charged one slot; it has no pages.
        floor = std::max(floor, is_paged(pool) ? page_bytes(pool) : pool.entry_bytes);
    }
    return floor;
}

PoolGrid grid_of(const SubPool& pool, Bytes total, Bytes sink_floor) {
    PoolGrid grid{.pool = pool};
    grid.num_pages = total.count / pool.entry_bytes / pool.page_size;
    grid.min_slot = kernels::pages_of(sink_floor.count, pool.entry_bytes);
    grid.min_page = kernels::pages_of(grid.min_slot, pool.page_size);
    return grid;
}

void require_int32_ids(const PoolGrid& grid) {
    const std::int64_t limit = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;
    const std::int64_t ids_per_page = grid.pool.mult * grid.pool.page_size;
    if (grid.num_pages < limit / ids_per_page
        || (grid.num_pages == limit / ids_per_page && limit % ids_per_page != 0)) {
        return;
    }
    throw UsageError(
        fmt::format(
            "could not lay out the unified buffer: {} pages of sub-pool {} give {} ids each, and "
            "ids must stay below {}",
            grid.num_pages,
            to_string(grid.pool.kind),
            ids_per_page,
            limit
        ),
        "lower --pool-tokens, or raise --tp"
    );
}

void require_one_request(const BufferLayout& layout) {
    std::vector<SubPool> pools;
    std::vector<std::int64_t> slots;
    std::string needs;
    for (const PoolGrid& grid : layout.grids) {
        pools.push_back(grid.pool);
        slots.push_back(grid.pool.request_slots);
        needs += fmt::format("{} {} slots, ", grid.pool.request_slots, to_string(grid.pool.kind));
    }
    const Bytes wanted = buffer_bytes(pools, slots);
    if (wanted > layout.total) {
        throw UsageError(
            fmt::format(
                "could not lay out the unified buffer: one request needs {}and a sink of {} B, "
                "that is {} B, and the buffer has {} B",
                needs,
                layout.sink_floor.count,
                wanted.count,
                layout.total.count
            ),
            "raise --pool-tokens"
        );
    }
}

} // namespace

BufferLayout plan_buffer(Bytes total, std::span<const SubPool> pools) {
    require_two_ends(pools);
    std::ranges::for_each(pools, require_sensible);
    BufferLayout layout;
    layout.total = total;
    layout.sink_floor = {sink_floor_bytes(pools)};
    for (const std::size_t index : in_address_order(pools)) {
        const SubPool& pool = pools[index];
        layout.grids.push_back(grid_of(pool, total, layout.sink_floor));
        require_int32_ids(layout.grids.back());
        if (is_paged(pool)) {
            layout.tail_pad = std::max(layout.tail_pad, Bytes{page_bytes(pool)});
        }
    }
    require_one_request(layout);
    return layout;
}

Bytes buffer_bytes(std::span<const SubPool> pools, std::span<const std::int64_t> slots) {
    require_two_ends(pools);
    std::int64_t end = sink_floor_bytes(pools);
    for (const std::size_t index : in_address_order(pools)) {
        // Every grid is anchored at byte 0: a sub-pool starts on the next page boundary of its own.
        const std::int64_t size = page_bytes(pools[index]);
        const std::int64_t pages = kernels::pages_of(slots[index], pools[index].page_size);
        end = (kernels::pages_of(end, size) + pages) * size;
    }
    return {end};
}

} // namespace kvprof::workload
