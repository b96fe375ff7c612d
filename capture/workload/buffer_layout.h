#pragma once

#include "capture/model/units.h"
#include "capture/workload/sub_pool.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kvprof::workload {

/// A sub-pool's page grid. It is anchored at byte 0 and spans the whole buffer; that sub-pools
/// never overlap is the allocators' doing. Pages below `min_page` touch the sink and are never
/// handed out.
struct PoolGrid {
    SubPool pool;
    std::int64_t num_pages = 0;
    std::int64_t min_slot = 0;
    std::int64_t min_page = 0;

    friend bool operator==(const PoolGrid&, const PoolGrid&) = default;
};

/// One byte buffer of `total + tail_pad`, shared by the sub-pools.
struct BufferLayout {
    Bytes total;
    Bytes sink_floor; ///< bytes at the start where every padded access lands
    Bytes tail_pad;   ///< what the last layer's view reaches past `total`
    /// In address order: the grow-up END, a FLOAT where there is one, the grow-down END.
    std::vector<PoolGrid> grids;

    friend bool operator==(const BufferLayout&, const BufferLayout&) = default;
};

/// Lays the sub-pools over `total` bytes.
/// @throws UsageError unless there is exactly one grow-up and one grow-down sub-pool, at most one
/// floating, all with sensible sizes, and when not even one request fits (`SubPool::request_slots`
/// of each, beside the sink).
/// @throws UsageError when a kernel-facing id would not fit an int32.
[[nodiscard]] BufferLayout plan_buffer(Bytes total, std::span<const SubPool> pools);

/// Bytes of a buffer in which pools[i] can hold slots[i] slots, all at the same time, beside the
/// sink (`total` of plan_buffer).
[[nodiscard]] Bytes
buffer_bytes(std::span<const SubPool> pools, std::span<const std::int64_t> slots);

} // namespace kvprof::workload
