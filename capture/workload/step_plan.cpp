#include "capture/workload/step_plan.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/workload/buffer_layout.h"
#include "capture/workload/lanes.h"
#include "capture/workload/plan_buffers.h"
#include "capture/workload/plan_checks.h"
#include "capture/workload/plan_ops.h"
#include "capture/workload/preset.h"
#include "kernels/id_math.h"
#include "kernels/launch_geometry_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kvprof::workload {

const TokenPool& StepPlan::pool(StateKind kind) const {
    return kind == StateKind::swa ? swa.value() : full;
}

bool StepPlan::reads_block_table() const {
    return !is_unified() && spec.index_mode == IndexMode::rectangle && !micro_op;
}

bool StepPlan::has_len_cast() const {
    return spec.attention_backend == AttentionBackend::flashinfer_mla || spec.delta > 0;
}

kernels::IndexType StepPlan::stream_type() const {
    return spec.attention_backend == AttentionBackend::triton ? kernels::IndexType::i64
                                                              : kernels::IndexType::i32;
}

std::int64_t StepPlan::stream_capacity() const {
    switch (spec.stream_bound) {
    case StreamBound::context: return spec.max_batch * context;
    case StreamBound::pool: return pool_tokens + spec.max_batch * (1 + spec.delta);
    }
    return 0;
}

PoolFacts StepPlan::pool_facts() const {
    return {.schedulable_tokens = pool_tokens, .state_slots = state ? state->slots : 0};
}

std::int64_t graph_bucket(std::int64_t batch, std::int64_t max_batch) {
    const auto up_to = [&](std::int64_t step) { return (batch + step - 1) / step * step; };
    std::int64_t bucket = batch; // 1 and 2
    if (batch > 256) {
        bucket = up_to(16);
    } else if (batch > 16) {
        bucket = up_to(8);
    } else if (batch > 2) {
        bucket = up_to(4);
    }
    return std::min(bucket, std::max(max_batch, batch));
}

std::int64_t most_stream_tokens(const StepPlan& plan) {
    const std::int64_t padded = plan.bucket - plan.spec.batch;
    std::int64_t most = 0;
    for (const std::int64_t base : plan.base_lens) {
        most += base + plan.phases - 1 + plan.spec.delta;
    }
    return most + padded * (1 + plan.spec.delta);
}

namespace {

kernels::HeadShape
heads_of(const StepSpec& spec, const ModelSpec& model, const AttentionShape& shape) {
    const bool mla = is_mla(shape);
    kernels::HeadShape heads{
        .query_heads = spec.query_heads,
        .kv_heads = mla ? 1 : heads_per_rank(shape.kv_heads, spec.tp),
        .dim_k = mla ? shape.latent_dim + shape.rope_dim : shape.head_dim,
        .dim_v = mla ? shape.latent_dim : shape.head_dim,
    };
    if (heads.query_heads == 0) {
        heads.query_heads = std::max(heads_per_rank(model.query_heads, spec.tp), heads.kv_heads);
    }
    if (std::max(heads.dim_k, heads.dim_v) > kernels::kMaxHeadDim
        || heads.query_heads > kernels::kMaxQueryHeads) {
        throw UsageError(fmt::format(
            "could not plan the step: {} has K heads of {} and V heads of {} elements and {} query "
            "heads a rank, and attention takes up to {} elements and {} query heads",
            model.name,
            heads.dim_k,
            heads.dim_v,
            heads.query_heads,
            kernels::kMaxHeadDim,
            kernels::kMaxQueryHeads
        ));
    }
    if (heads.query_heads % heads.kv_heads != 0) {
        throw UsageError(fmt::format(
            "could not plan the step: --query-heads {} is no multiple of the rank's {} KV heads of "
            "{}",
            heads.query_heads,
            heads.kv_heads,
            model.name
        ));
    }
    return heads;
}

TokenPool token_pool(const StepSpec& spec, const ModelSpec& model, StateKind kind) {
    const AttentionShape& shape = kind == StateKind::swa ? model.swa : model.full;
    const std::int64_t entry = entry_bytes(model, kind, spec.tp);
    const std::int64_t blocks = mult_of(model, kind);
    TokenPool pool;
    pool.kind = kind;
    pool.layers = shape.layers;
    pool.read_layers = spec.layers == 0 ? shape.layers : std::min(spec.layers, shape.layers);
    pool.heads = heads_of(spec, model, shape);
    pool.mult = spec.pool == PoolKind::unified ? blocks : 1;
    pool.row_bytes = entry / blocks;
    pool.page_bytes = entry * spec.page_size;
    pool.is_mla = is_mla(shape);
    pool.window = shape.window;
    return pool;
}

/// One slot a request and one to spare, on either pool.
std::int64_t state_slots(const StepPlan& plan) {
    constexpr std::int64_t kWorstRequest = 3; // a request may hold so many at once
    return std::max(plan.spec.batch + 1, kWorstRequest);
}

void take_grid(const PoolGrid& grid, StepPlan& plan) {
    const bool grows_up = grid.pool.growth == Growth::up;
    if (grid.pool.is_synthetic) {
        plan.has_synthetic_end = true; // it takes bytes and no part in a step
        return;
    }
    if (grid.pool.kind == StateKind::state) {
        plan.state = StatePool{
            .num_slots = grid.num_pages,
            .min_slot = grid.min_page,
            .slots = state_slots(plan),
            .grows_up = grows_up,
        };
        return;
    }
    TokenPool& pool = grid.pool.kind == StateKind::swa ? *plan.swa : plan.full;
    pool.num_pages = grid.num_pages;
    pool.min_page = grid.min_page;
    pool.grows_up = grows_up;
}

/// Slots that a sub-pool must hold at once.
std::int64_t wanted_slots(const StepPlan& plan, const SubPool& pool) {
    const std::int64_t ps = plan.spec.page_size;
    switch (pool.kind) {
    case StateKind::full: return std::max(plan.pool_tokens, pool.request_slots);
    case StateKind::state:
        return pool.is_synthetic ? pool.request_slots
                                 : std::max(state_slots(plan), pool.request_slots);
    case StateKind::swa:
        return std::max(
            plan.spec.batch * kernels::pages_of(plan.swa->window + ps, ps) * ps, pool.request_slots
        );
    }
    return 0;
}

void lay_out_unified(StepPlan& plan) {
    const auto pools = unified_sub_pools(plan.model, plan.spec.tp, plan.spec.page_size);
    std::vector<std::int64_t> slots;
    for (const SubPool& pool : pools) {
        slots.push_back(wanted_slots(plan, pool));
    }
    const BufferLayout layout = plan_buffer(buffer_bytes(pools, slots), pools);
    for (const PoolGrid& grid : layout.grids) {
        take_grid(grid, plan);
    }
    plan.kv_bytes = (layout.total + layout.tail_pad).count;
}

void lay_out_static(StepPlan& plan) {
    const std::int64_t pages = plan.pool_tokens / plan.spec.page_size;
    plan.full.num_pages = pages + 1;
    plan.full.min_page = 1; // page 0 is padding
    plan.full.grows_up = true;
    plan.kv_bytes = plan.full.num_pages * plan.full.page_bytes;
    if (plan.model.state.layers > 0) {
        const std::int64_t slots = state_slots(plan);
        plan.state = StatePool{.num_slots = slots + 1, .min_slot = 1, .slots = slots};
    }
}

void size_pool(StepPlan& plan) {
    const std::int64_t ps = plan.spec.page_size;
    const std::int64_t needed = peak_pages(plan) * ps;
    plan.pool_tokens = plan.spec.pool_tokens == 0 ? needed : plan.spec.pool_tokens / ps * ps;
    if (plan.pool_tokens < needed) {
        throw UsageError(
            fmt::format(
                "could not plan the step: the lanes need {} tokens at their longest, and "
                "--pool-tokens {} holds {}",
                needed,
                plan.spec.pool_tokens,
                plan.pool_tokens
            ),
            fmt::format("raise --pool-tokens to {}, or leave it 0", needed)
        );
    }
    if (plan.is_unified()) {
        lay_out_unified(plan);
    } else {
        lay_out_static(plan);
    }
}

void size_lanes(StepPlan& plan) {
    const StepSpec& spec = plan.spec;
    const std::int64_t ps = spec.page_size;
    plan.bucket = plan.micro_op ? spec.batch : graph_bucket(spec.batch, spec.max_batch);
    plan.context = spec.max_context == 0 ? plan.model.max_context : spec.max_context;
    plan.table_width = kernels::pages_of(plan.context, ps);
    plan.req_columns = plan.table_width * ps;
    plan.phases = spec.churn > 0.0 ? std::max<std::int64_t>(std::llround(1.0 / spec.churn), 1) : 1;
    plan.base_lens = lane_lengths(spec);
    const auto [shortest, longest] =
        std::minmax_element(plan.base_lens.begin(), plan.base_lens.end());
    plan.max_len = *longest + plan.phases - 1 + spec.delta;
    // The newest token is each lane's own: the step writes it.
    const auto shared = std::min(
        static_cast<std::int64_t>(spec.prefix_share * static_cast<double>(*shortest)),
        *shortest + spec.delta - 1
    );
    plan.shared_tokens = shared / ps * ps;
    plan.splits = spec.attention_backend == AttentionBackend::triton
                      ? kTritonSplits
                      : kernels::attention_splits(plan.bucket);
}

std::optional<OpKind> micro_op_of(const MeasureSpec& how) {
    if (how.op.empty()) {
        return std::nullopt;
    }
    OpKind op{};
    parse_field("op", how.op, op);
    if (!can_run_alone(op)) {
        throw UsageError(
            fmt::format("could not plan the step: --op {} does not run alone", how.op),
            fmt::format("ops that do: {}", ops_that_run_alone())
        );
    }
    return op;
}

} // namespace

StepPlan plan_step(const StepSpec& spec, const MeasureSpec& how) {
    StepPlan plan;
    plan.micro_op = micro_op_of(how);
    check_values(spec, how);
    if (plan.micro_op) {
        check_micro_op(spec, *plan.micro_op);
    }
    plan.spec = spec;
    plan.model = load_preset(spec.preset);
    check_model(spec, plan.model, plan.micro_op.has_value());
    plan.op_launches = plan.micro_op ? how.op_launches : 1;
    size_lanes(plan);
    plan.full = token_pool(spec, plan.model, StateKind::full);
    if (plan.model.swa.layers > 0 && plan.is_unified()) {
        plan.swa = token_pool(spec, plan.model, StateKind::swa);
    }
    if (plan.max_len <= plan.context) {
        size_pool(plan);
    }
    check_sizes(plan);
    plan.ops = plan_ops(plan);
    plan.buffers = plan_buffers(plan);
    return plan;
}

std::vector<MemoryStat> ledger_of(const StepPlan& plan) {
    std::vector<MemoryStat> ledger;
    for (const BufferSpec& buffer : plan.buffers) {
        ledger.push_back({
            .name = buffer.name,
            .source = MemorySource::ledger,
            .group = std::string(to_string(buffer.group)),
            .bytes = Bytes{buffer.bytes()},
        });
    }
    return ledger;
}

} // namespace kvprof::workload
