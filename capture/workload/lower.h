#pragma once

#include "capture/workload/command.h"
#include "capture/workload/step_plan.h"

#include <cstdint>
#include <utility>

namespace kvprof::workload {

/// Collects the launches of one op.
class Emitter {
  public:
    Emitter(Commands& commands, OpKind op, Stage stage, Placement placement)
        : commands_(commands),
          op_(op),
          stage_(stage),
          placement_(placement) {}

    void add(Action action) { commands_.push_back({op_, stage_, placement_, std::move(action)}); }

  private:
    Commands& commands_;
    OpKind op_;
    Stage stage_;
    Placement placement_;
};

/// Where an executor keeps a plan's buffers, and the views that several ops share.
struct Views {
    const StepPlan& plan;
    const BufferTable& buffers;

    template<typename T>
    [[nodiscard]] T* at(BufferId id) const {
        return buffers.at<T>(id);
    }

    /// The same, so many elements on. Null where the executor left the buffer out (a host twin
    /// without KV pool).
    template<typename T>
    [[nodiscard]] T* at(BufferId id, std::int64_t elements) const {
        T* const first = at<T>(id);
        return first == nullptr ? nullptr : first + elements;
    }

    [[nodiscard]] kernels::V2p v2p(StateKind kind) const;
    /// Lengths that readers of this rank are bound by: drafts included, under context parallelism
    /// the rank's own share.
    [[nodiscard]] kernels::IndexArray read_lens() const;
    /// The same for a page table, which is built before or after the metadata that narrows lengths.
    [[nodiscard]] kernels::IndexArray table_lens() const;
    [[nodiscard]] kernels::ReadLanes lanes(StateKind kind) const;
    /// Content and geometry of layer `layer` (0-based) of a token pool.
    [[nodiscard]] kernels::KvLayer layer(StateKind kind, std::int64_t layer) const;
    /// Lengths with drafts, over all ranks.
    [[nodiscard]] const std::int64_t* kv_lens() const;
    /// Static pool with sliding windows: full id -> window id; null elsewhere.
    [[nodiscard]] kernels::IndexArray full_to_swa() const;
    [[nodiscard]] std::int64_t full_to_swa_rows() const;
};

/// Appends the launches of a planned op. `launch` counts from 0 when an op that runs alone is
/// launched several times in one graph (it frees other pages each time); of a compaction it is the
/// direction, which alternates from step to step.
void lower_op(const Views& views, const PlannedOp& op, std::int64_t launch, Commands& out);

// One function per op; lower_op chooses.
void emit_page_table(const Views& views, const PlannedOp& op, Emitter& out);
void emit_repack(const Views& views, const PlannedOp& op, Emitter& out);
void emit_token_stream(const Views& views, const PlannedOp& op, Emitter& out);
/// Lengths, row starts and the stream of the sliding windows; a static pool maps the ids.
void emit_window_stream(const Views& views, Emitter& out);
/// Where the step's rows of the sliding windows go.
void emit_swa_write_loc(const Views& views, const PlannedOp& op, Emitter& out);
/// The state slot of each lane.
void emit_state_slots(const Views& views, Emitter& out);
/// Reads the word that a request left in its slot: what stands for the state layers.
void emit_state_read(const Views& views, Emitter& out);
/// Lanes first .. first + count - 1 leave their words (a prefill).
void emit_state_fill(const Views& views, std::int64_t first, std::int64_t count, Emitter& out);
/// All index work of the step in one launch: lengths, row starts, streams, write locations.
void emit_fused_metadata(const Views& views, const PlannedOp& op, Emitter& out);
void emit_table_and_stream(const Views& views, Emitter& out);
/// What a later consumer takes over from the first one, instead of translating again.
void emit_stream_copy(const Views& views, const PlannedOp& op, Emitter& out);
void emit_row_starts(const Views& views, StateKind kind, Emitter& out);
void emit_static_gather(const Views& views, const PlannedOp& op, Emitter& out);
void emit_static_block_table(const Views& views, const PlannedOp& op, Emitter& out);
void emit_len_cast(const Views& views, Emitter& out);
void emit_kv_splits(const Views& views, StateKind kind, Emitter& out);
void emit_fa_metadata(const Views& views, Emitter& out);
void emit_trtllm_metadata(const Views& views, Emitter& out);
void emit_verify_csr(const Views& views, Emitter& out);
void emit_dcp_stream(const Views& views, const PlannedOp& op, Emitter& out);
void emit_compaction(const Views& views, std::int64_t direction, Emitter& out);
void emit_write_loc(const Views& views, const PlannedOp& op, Emitter& out);
void emit_write_loc_tail(const Views& views, const PlannedOp& op, Emitter& out);
void emit_lone_alloc_bind(const Views& views, Emitter& out);
void emit_lone_bind(const Views& views, Emitter& out);
void emit_lone_free(const Views& views, OpKind op, std::int64_t launch, Emitter& out);
/// The next token id of each lane goes to `ids`; fresh pages come off the head of `free_pages`.
void emit_alloc_decode(
    const Views& views,
    const std::int64_t* lens,
    const std::int64_t* free_pages,
    std::int64_t* ids,
    Emitter& out
);
/// Stores each lane's newest id (buffer loc) at position lens[b] - 1 of its row.
void emit_append(const Views& views, const std::int64_t* lens, Emitter& out);
void emit_kv_write(const Views& views, StateKind kind, Emitter& out);
void emit_attention(const Views& views, StateKind kind, Emitter& out);

/// Lanes whose K and V rows a prefill writes: all but each lane's newest token.
struct FillLanes {
    std::int64_t first = 0;
    std::int64_t count = 0;
    const std::int64_t* lens = nullptr; ///< of lane 0
};

void emit_fill(const Views& views, StateKind kind, const FillLanes& lanes, Emitter& out);

/// Softmax scale of a pool's layers: 1 / sqrt(dim_k).
[[nodiscard]] float attention_scale(const TokenPool& pool);

/// A list of pages whose freed or bound entries an allocator op works on.
struct PageSpan {
    std::int64_t* vpages = nullptr;
    std::int64_t* ppages = nullptr;
    std::int64_t count = 0;
};

/// Tables of a sub-pool that allocator ops change.
struct Tables {
    kernels::V2p v2p;
    std::int64_t* p2v = nullptr;
    std::int64_t physical_rows = 0;
};

[[nodiscard]] Tables tables_of(const Views& views, StateKind kind);

// Allocator ops in the plan's form (--alloc eager|fused), shared by the step and by --op.
void emit_alloc_bind(
    const Views& views,
    const Tables& tables,
    const PageSpan& pages,
    std::int64_t start,
    Emitter& out
);
void emit_bind(const Views& views, const Tables& tables, const PageSpan& pages, Emitter& out);
void emit_free_unbind(
    const Views& views, const Tables& tables, const PageSpan& pages, Emitter& out
);

// Static pool: full_to_swa of every token of the full pages `vpages`.
/// They get the windows' own pages `ppages`.
void emit_window_map(const Views& views, const PageSpan& pages, Emitter& out);
/// They lose them: the windows' pages go to `ppages`, and the tokens map to the sink.
void emit_window_unmap(const Views& views, const PageSpan& pages, Emitter& out);

} // namespace kvprof::workload
