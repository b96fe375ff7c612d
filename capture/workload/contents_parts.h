#pragma once

#include "capture/workload/contents.h"
#include "capture/workload/lanes.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

/// The parts of make_state, one a file: each adds the buffers of its kind that the plan has.
namespace kvprof::workload {

/// A buffer's first elements.
template<typename T>
[[nodiscard]] InitialBuffer dense(BufferId id, const std::vector<T>& values) {
    const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(T));
    InitialBuffer buffer{
        id, {1, bytes, bytes, 0}, std::vector<std::byte>(static_cast<std::size_t>(bytes))};
    if (!values.empty()) {
        std::memcpy(buffer.data.data(), values.data(), buffer.data.size());
    }
    return buffer;
}

[[nodiscard]] bool has(const StepPlan& plan, BufferId id);

/// A v2p in the plan's element type.
[[nodiscard]] InitialBuffer
v2p_buffer(const StepPlan& plan, BufferId id, const std::vector<std::int64_t>& table);

/// True in `share` of the draws.
[[nodiscard]] bool chance(std::mt19937_64& random, double share);

/// req_to_token, rows, owners, lengths and drafts.
void add_lanes(const StepPlan& plan, const LanePages& lanes, InitialState& state);
/// v2p and p2v of the full pool, its free list, the lists of a compaction, and what the backend's
/// own tables hold before they are first filled.
void add_tables(const StepPlan& plan, const LanePages& lanes, InitialState& state);
/// Pages of the sliding windows: v2p and p2v (unified), or full_to_swa and the free list (static).
void add_windows(const StepPlan& plan, const LanePages& lanes, InitialState& state);
/// State slots: req_to_state, the tables and the free list.
void add_states(const StepPlan& plan, InitialState& state);

} // namespace kvprof::workload
