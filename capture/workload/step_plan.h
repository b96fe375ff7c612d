#pragma once

#include "capture/model/measure_spec.h"
#include "capture/model/run.h"
#include "capture/model/step_spec.h"
#include "capture/workload/backend.h"
#include "capture/workload/buffers.h"
#include "capture/workload/model_spec.h"
#include "kernels/calls.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kvprof::workload {

/// Content owner of the prefix that all lanes share; lanes own 1, 2, ...
inline constexpr std::int64_t kSharedOwner = 0;

/// A token sub-pool as the step sees it: full, or the sliding windows' own. Both pools have them.
struct TokenPool {
    StateKind kind = StateKind::full;
    std::int64_t layers = 0;      ///< layers of this kind that the pool holds
    std::int64_t read_layers = 0; ///< layers of this kind that a step runs
    kernels::HeadShape heads;
    std::int64_t num_pages = 0; ///< pages of the grid; v2p has one more row
    std::int64_t min_page = 0;  ///< first page that is handed out
    /// Where its bound pages start: min_page growing up, num_pages - 1 growing down, and for a
    /// FLOAT sub-pool between two others the lowest page of its span, which then grows up.
    std::int64_t first_page = 0;
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
    std::int64_t slots = 0;      ///< schedulable
    std::int64_t slot_bytes = 0; ///< all state layers
    bool grows_up = true;
};

/// One op of the fixed part of a step, in order.
struct PlannedOp {
    OpKind op{};
    Stage stage{};
    Placement placement{};
    StateKind pool = StateKind::full;
    std::int64_t reader = 0; ///< which consumer it serves; attention reads what the first one has

    friend bool operator==(const PlannedOp&, const PlannedOp&) = default;
};

/// What one step executes, derived from a StepSpec alone: sizes, buffers and ops. No device, no
/// memory. Executors know plans, never option combinations.
struct StepPlan {
    StepSpec spec; ///< resolved: no option is automatic
    ModelSpec model;
    Backend backend;
    std::optional<OpKind> micro_op; ///< measure this op alone
    std::int64_t op_launches = 1;   ///< launches of it in one graph

    std::int64_t bucket = 0;      ///< captured batch: the smallest bucket that holds the batch
    std::int64_t context = 0;     ///< max_context in tokens
    std::int64_t table_width = 0; ///< pages of a row of the rectangle: ceil(context / page size)
    std::int64_t own_width = 0;   ///< pages of a row of the backend's own table
    std::int64_t step_tokens = 0; ///< most tokens of a step (N): largest batch, times draft tokens
    /// Tokens of a scheduler's page: the page size, times the context-parallel ranks.
    std::int64_t scheduler_page = 1;
    std::int64_t req_columns = 0;        ///< columns of req_to_token: whole scheduler pages
    std::int64_t phases = 1;             ///< steps after which lengths repeat; 1 without churn
    std::int64_t splits = 1;             ///< of split-KV attention
    std::vector<std::int64_t> base_lens; ///< [batch], shortest length of each lane
    std::vector<std::int64_t> drafts;    ///< [batch], tokens by which each lane's readers exceed it
    std::int64_t max_len = 0; ///< longest length over lanes and phases, drafts included; all ranks
    std::int64_t shared_tokens = 0; ///< common prefix of every lane, whole pages
    std::int64_t pool_tokens = 0;   ///< schedulable tokens
    std::int64_t kv_bytes = 0;      ///< of the KV buffer, the tail pad included

    /// A purely full-attention model's buffer has a second END that the model does not.
    bool has_synthetic_end = false;
    TokenPool full;
    std::optional<TokenPool> swa;
    std::optional<StatePool> state;
    std::vector<PlannedOp> ops;
    std::vector<BufferSpec> buffers;

    [[nodiscard]] const TokenPool& pool(StateKind kind) const;

    [[nodiscard]] bool is_unified() const { return spec.pool == PoolKind::unified; }

    /// Attention reads a table of pages: the backend's own, or a static pool's rectangle in place.
    [[nodiscard]] bool reads_block_table() const;
    /// Ids are translated through a rectangle that is no reader's own form.
    [[nodiscard]] bool has_rectangle() const;
    /// The rectangle is read in place, so that the backend's own table is held and not used.
    [[nodiscard]] bool reads_rectangle() const;
    /// One launch fills a stream reader's lengths, row starts and streams and the write locations.
    [[nodiscard]] bool fuses_metadata() const;
    /// Lengths that readers are bound by are int32 in a buffer of their own (lens32).
    [[nodiscard]] bool has_len_cast() const;

    [[nodiscard]] bool is_dcp() const { return spec.dcp > 1; }

    [[nodiscard]] bool verifies() const { return spec.verify != VerifyMode::off; }

    /// Element type of the token stream.
    [[nodiscard]] kernels::IndexType stream_type() const { return backend.index; }

    /// Elements that the stream buffer holds (--stream-bound).
    [[nodiscard]] std::int64_t stream_capacity() const;
    /// Elements of the window stream's buffer.
    [[nodiscard]] std::int64_t window_capacity() const;
    [[nodiscard]] PoolFacts pool_facts() const;
};

/// @throws UsageError for options that do not fit together, with the numbers; for a backend that
/// can not take the model, the page size, the pool or the stage, with the rule.
[[nodiscard]] StepPlan plan_step(const StepSpec& spec, const MeasureSpec& how);

/// The captured batch for `batch` requests: 1, 2, then multiples of 4 up to 16, of 8 up to 256, of
/// 16 above; `max_batch` is always a bucket.
[[nodiscard]] std::int64_t graph_bucket(std::int64_t batch, std::int64_t max_batch);

/// Exact bytes of every buffer of the plan.
[[nodiscard]] std::vector<MemoryStat> ledger_of(const StepPlan& plan);

/// Sum of the lanes' longest lengths with drafts, of this rank's share, padded lanes included: what
/// the stream must hold.
[[nodiscard]] std::int64_t most_stream_tokens(const StepPlan& plan);

} // namespace kvprof::workload
