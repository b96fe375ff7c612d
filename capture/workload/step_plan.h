#pragma once

#include "capture/model/measure_spec.h"
#include "capture/model/run.h"
#include "capture/model/step_spec.h"
#include "capture/workload/buffers.h"
#include "capture/workload/model_spec.h"
#include "kernels/calls.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kvprof::workload {

/// Content owner of the prefix that all lanes share; lanes own 1, 2, ...
inline constexpr std::int64_t kSharedOwner = 0;

/// A token sub-pool as the step sees it: full, or the sliding windows' own.
struct TokenPool {
    StateKind kind = StateKind::full;
    std::int64_t layers = 0;      ///< layers of this kind that the pool holds
    std::int64_t read_layers = 0; ///< layers of this kind that a step runs
    kernels::HeadShape heads;
    std::int64_t num_pages = 0; ///< pages of the grid; v2p has one more row
    std::int64_t min_page = 0;  ///< first page that is handed out
    std::int64_t mult = 1;
    std::int64_t row_bytes = 0;
    std::int64_t page_bytes = 0; ///< the envelope: all layers
    bool grows_up = false;
    bool is_mla = false;
    std::int64_t window = 0; ///< 0: full attention
};

/// Slots of recurrent state: one per request.
struct StatePool {
    std::int64_t num_slots = 0;
    std::int64_t min_slot = 0;
    std::int64_t slots = 0; ///< schedulable
    bool grows_up = true;
};

/// One op of the fixed part of a step, in order.
struct PlannedOp {
    OpKind op{};
    Stage stage{};
    Placement placement{};
    StateKind pool = StateKind::full;

    friend bool operator==(const PlannedOp&, const PlannedOp&) = default;
};

/// What one step executes, derived from a StepSpec alone: sizes, buffers and ops. No device, no
/// memory. Executors know plans, never option combinations.
struct StepPlan {
    StepSpec spec;
    ModelSpec model;
    std::optional<OpKind> micro_op; ///< measure this op alone
    std::int64_t op_launches = 1;   ///< launches of it in one graph

    std::int64_t bucket = 0;      ///< captured batch: the smallest bucket that holds the batch
    std::int64_t context = 0;     ///< max_context in tokens
    std::int64_t table_width = 0; ///< pages of a table row
    std::int64_t req_columns = 0; ///< columns of req_to_token: whole pages
    std::int64_t phases = 1;      ///< steps after which lengths repeat; 1 without churn
    std::int64_t splits = 1;      ///< of split-KV attention
    std::vector<std::int64_t> base_lens; ///< [batch], shortest length of each lane
    std::int64_t max_len = 0;            ///< longest length over lanes and phases, delta included
    std::int64_t shared_tokens = 0;      ///< common prefix of every lane, whole pages
    std::int64_t pool_tokens = 0;        ///< schedulable tokens
    std::int64_t kv_bytes = 0;           ///< of the KV buffer, the tail pad included

    /// A purely full-attention model's buffer has a second END that the model does not.
    bool has_synthetic_end = false;
    TokenPool full;
    std::optional<TokenPool> swa;
    std::optional<StatePool> state;
    std::vector<PlannedOp> ops;
    std::vector<BufferSpec> buffers;

    [[nodiscard]] const TokenPool& pool(StateKind kind) const;

    [[nodiscard]] bool is_unified() const { return spec.pool == PoolKind::unified; }

    /// A static pool's rectangle: attention reads the block table in place.
    [[nodiscard]] bool reads_block_table() const;
    [[nodiscard]] bool has_len_cast() const;
    /// Element type of the token stream: int64 for triton, int32 for flashinfer.
    [[nodiscard]] kernels::IndexType stream_type() const;
    /// Elements that the stream buffer holds (--stream-bound).
    [[nodiscard]] std::int64_t stream_capacity() const;
    [[nodiscard]] PoolFacts pool_facts() const;
};

/// @throws UsageError for options that do not fit together, with the numbers.
[[nodiscard]] StepPlan plan_step(const StepSpec& spec, const MeasureSpec& how);

/// The captured batch for `batch` requests: 1, 2, then multiples of 4 up to 16, of 8 up to 256, of
/// 16 above; `max_batch` is always a bucket.
[[nodiscard]] std::int64_t graph_bucket(std::int64_t batch, std::int64_t max_batch);

/// Exact bytes of every buffer of the plan.
[[nodiscard]] std::vector<MemoryStat> ledger_of(const StepPlan& plan);

/// Sum of the lanes' longest lengths, padded lanes included: what the stream must hold.
[[nodiscard]] std::int64_t most_stream_tokens(const StepPlan& plan);

} // namespace kvprof::workload
