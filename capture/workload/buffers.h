#pragma once

#include "capture/model/enum_names.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace kvprof::workload {

/// The named buffers that a step may use. A plan holds those that its ops need.
enum class BufferId : std::uint8_t {
    // what the scheduler keeps
    req_to_token,
    rows,        ///< i64 [bucket], req_to_token row of each lane; padded lanes have row 0
    phase_lens,  ///< i64 [phases, bucket], lengths of each phase of the churn cycle
    step_owners, ///< i64 [steps in a cycle, bucket], content owners in each step
    loc,         ///< i64 [bucket], token id of each lane's newest token, as the scheduler keeps it
    owners,      ///< i64 [bucket], content owner of each lane
    // the graph's fixed inputs
    graph_rows,
    lens,      ///< i64 [bucket]
    kv_lens,   ///< i64 [bucket], lens + delta
    write_loc, ///< i64 [bucket], where the step's new rows go
    swa_write_loc,
    draft_lens,   ///< i64 [lanes], draft tokens of each lane in a verify step
    req_to_state, ///< i32 [lanes + 1], state slot of each row of req_to_token
    compact_from, ///< i64 [2, compact_pages], physical pages that a compaction moves, and back
    compact_to,
    // tables and lists of the sub-pools
    full_v2p,
    full_p2v,
    full_free,
    full_free_next,
    full_holes,
    full_holes_next,
    swa_v2p,
    swa_p2v,
    swa_free, ///< static pool: free pages of the sliding windows' own
    swa_free_next,
    swa_holes,
    swa_holes_next,
    swa_vpages, ///< i64, virtual pages that leave their window in this step
    swa_ppages,
    full_to_swa, ///< static pool: i64 [full tokens + page size + 1], the last one -1, others 0
    state_v2p,
    state_p2v,
    state_free,
    state_free_next,
    state_holes,
    state_holes_next,
    vpages, ///< i64, virtual pages that the scheduler frees or binds in this step
    ppages, ///< i64, their physical pages
    state_vpage,
    state_ppage,
    // attention metadata
    lens32,
    indptr,
    indptr_scan,
    table,
    stream,
    splits,
    window_lens,
    window_splits,
    window_starts,
    window_indptr,
    window_table,
    window_stream,
    block_table,        ///< the backend's own table, [lanes, its width]
    window_block_table, ///< its sliding-window twin
    cu_seqlens_k,
    cu_seqlens_q,
    qo_indptr,
    state_slots,
    state_words,  ///< i64 [bucket], what the state read found
    more_streams, ///< streams of the second and later consumers, one after another
    more_tables,
    staging, ///< envelopes on their way in an unfused compaction
    // held for the graph and used by no op
    reserved_0,
    reserved_1,
    reserved_2,
    reserved_3,
    reserved_4,
    reserved_5,
    reserved_6,
    reserved_7,
    reserved_8,
    reserved_9,
    // temporaries of unfused forms
    scratch_a,
    scratch_b,
    scratch_c,
    scratch_d,
    // the model
    kv,
    states,   ///< u8, the static pool's state slots
    partials, ///< f32 [lanes, query heads, splits, dim_v + 1]: outputs and log-sum-exp of each
              ///< split
    output,   ///< f32 [layers, bucket, query heads, dim_v]
    count
};

inline constexpr std::size_t kBufferCount = static_cast<std::size_t>(BufferId::count);

/// Where a buffer's bytes belong in the ledger.
enum class LedgerGroup : std::uint8_t { graph, tables, inputs, pool, scratch, model };

} // namespace kvprof::workload

template<>
struct kvprof::EnumNames<kvprof::workload::LedgerGroup> {
    using G = kvprof::workload::LedgerGroup;
    static constexpr std::array values{
        std::pair{G::graph, "graph"},
        std::pair{G::tables, "tables"},
        std::pair{G::inputs, "inputs"},
        std::pair{G::pool, "pool"},
        std::pair{G::scratch, "scratch"},
        std::pair{G::model, "model"}};
};

namespace kvprof::workload {

/// Rows of a buffer, `pitch_bytes` apart, `row_bytes` of each.
struct Region {
    std::int64_t rows = 0;
    std::int64_t row_bytes = 0;
    std::int64_t pitch_bytes = 0;
    std::int64_t offset_bytes = 0; ///< of the first row
};

/// One allocation of a plan.
struct BufferSpec {
    BufferId id{};
    std::string name;
    LedgerGroup group{};
    std::int64_t element_bytes = 1;
    std::int64_t rows = 1;
    std::int64_t columns = 0; ///< elements a row
    /// Outputs are filled with a pattern before a verified step, so an unwritten element shows.
    bool is_output = false;

    [[nodiscard]] constexpr std::int64_t bytes() const { return element_bytes * rows * columns; }
};

/// Addresses of a plan's buffers in one executor's memory; null where the plan has none.
class BufferTable {
  public:
    void set(BufferId id, void* address) { addresses_[static_cast<std::size_t>(id)] = address; }

    template<typename T>
    [[nodiscard]] T* at(BufferId id) const {
        return static_cast<T*>(addresses_[static_cast<std::size_t>(id)]);
    }

  private:
    std::array<void*, kBufferCount> addresses_{};
};

} // namespace kvprof::workload
