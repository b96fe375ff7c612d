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
    // tables and lists of the sub-pools
    full_v2p,
    full_p2v,
    full_free,
    full_free_next,
    full_holes,
    full_holes_next,
    swa_v2p,
    swa_p2v,
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
    block_table,
    // temporaries of unfused forms
    scratch_a,
    scratch_b,
    scratch_c,
    scratch_d,
    // the model
    kv,
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
