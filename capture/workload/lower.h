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

    [[nodiscard]] kernels::V2p v2p(StateKind kind) const;
    [[nodiscard]] kernels::IndexArray read_lens() const;
    [[nodiscard]] kernels::ReadLanes lanes(StateKind kind) const;
    /// Content and geometry of layer `layer` (0-based) of a token pool.
    [[nodiscard]] kernels::KvLayer layer(StateKind kind, std::int64_t layer) const;
    [[nodiscard]] const std::int64_t* kv_lens() const;
};

/// Appends the launches of a planned op. `launch` counts from 0 when an op that runs alone is
/// launched several times in one graph (it frees other pages each time).
void lower_op(const Views& views, const PlannedOp& op, std::int64_t launch, Commands& out);

// One function per op; lower_op chooses.
void emit_page_table(const Views& views, StateKind kind, Emitter& out);
/// The framework's form: a whole rectangle of live columns through 16 tensor operations.
void emit_eager_page_table(const Views& views, StateKind kind, std::int32_t* table, Emitter& out);
void emit_repack(const Views& views, StateKind kind, Emitter& out);
void emit_token_stream(const Views& views, Emitter& out);
void emit_window_stream(const Views& views, Emitter& out);
void emit_row_starts(const Views& views, StateKind kind, Emitter& out);
void emit_static_gather(const Views& views, Emitter& out);
void emit_static_block_table(const Views& views, Emitter& out);
void emit_len_cast(const Views& views, Emitter& out);
void emit_kv_splits(const Views& views, StateKind kind, Emitter& out);
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

} // namespace kvprof::workload
