#include "capture/workload/plan_pools.h"

#include "capture/model/error.h"
#include "capture/workload/buffer_layout.h"
#include "capture/workload/float_allocator.h"
#include "capture/workload/lanes.h"
#include "kernels/id_math.h"
#include "kernels/launch_geometry_attention.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::workload {

namespace {

/// Query heads follow the rank's share of the model's, and are at least its KV heads.
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
        throw UsageError(
            fmt::format(
                "could not plan the step: {} has K heads of {} and V heads of {} elements and {} "
                "query heads a rank, and attention takes up to {} elements and {} query heads",
                model.name,
                heads.dim_k,
                heads.dim_v,
                heads.query_heads,
                kernels::kMaxHeadDim,
                kernels::kMaxQueryHeads
            ),
            "raise --tp or give --query-heads; of wider heads choose another --preset"
        );
    }
    if (heads.query_heads % heads.kv_heads != 0) {
        throw UsageError(
            fmt::format(
                "could not plan the step: {} query heads are no multiple of the rank's {} KV heads "
                "of {}",
                heads.query_heads,
                heads.kv_heads,
                model.name
            ),
            fmt::format("use --query-heads {}", heads.kv_heads)
        );
    }
    return heads;
}

TokenPool token_pool(const StepSpec& spec, const ModelSpec& model, StateKind kind) {
    const AttentionShape& shape = kind == StateKind::swa ? model.swa : model.full;
    const std::int64_t entry = entry_bytes(model, kind, spec.tp);
    const std::int64_t blocks = mult_of(model, kind);
    const bool counts_blocks = spec.pool == PoolKind::unified && spec.id_space == IdSpace::blocks;
    TokenPool pool;
    pool.kind = kind;
    pool.layers = shape.layers;
    pool.read_layers = spec.layers == 0 ? shape.layers : std::min(spec.layers, shape.layers);
    pool.heads = heads_of(spec, model, shape);
    pool.mult = counts_blocks ? blocks : 1;
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

/// Pages that the lanes' windows cover at once: a window may start and end inside a page.
std::int64_t window_pages(const StepPlan& plan) {
    const std::int64_t ps = plan.spec.page_size;
    return plan.spec.batch * kernels::pages_of(plan.swa->window + ps, ps);
}

/// Pages of the full sub-pool: a compaction moves its pages to free ones that the lanes never get.
std::int64_t full_pages(const StepPlan& plan) {
    return plan.pool_tokens / plan.spec.page_size + plan.spec.compact_pages;
}

/// Slots that a sub-pool must hold at once.
std::int64_t wanted_slots(const StepPlan& plan, const SubPool& pool) {
    const std::int64_t ps = plan.spec.page_size;
    switch (pool.kind) {
    case StateKind::full: return std::max(full_pages(plan) * ps, pool.request_slots);
    case StateKind::state:
        return pool.is_synthetic ? pool.request_slots
                                 : std::max(state_slots(plan), pool.request_slots);
    case StateKind::swa: return std::max(window_pages(plan) * ps, pool.request_slots);
    }
    return 0;
}

void take_token_grid(const PoolGrid& grid, TokenPool& pool) {
    pool.num_pages = grid.num_pages;
    pool.min_page = grid.min_page;
    pool.grows_up = grid.pool.growth != Growth::down; // a FLOAT's span is extended upwards
    pool.first_page = pool.grows_up ? grid.min_page : grid.num_pages - 1;
}

void take_grid(const PoolGrid& grid, StepPlan& plan) {
    if (grid.pool.is_synthetic) {
        plan.has_synthetic_end = true; // it takes bytes and no part in a step
        return;
    }
    switch (grid.pool.kind) {
    case StateKind::full: take_token_grid(grid, plan.full); break;
    case StateKind::swa: take_token_grid(grid, *plan.swa); break;
    case StateKind::state:
        plan.state = StatePool{
            .num_slots = grid.num_pages,
            .min_slot = grid.min_page,
            .slots = state_slots(plan),
            .slot_bytes = grid.pool.entry_bytes,
            .grows_up = grid.pool.growth == Growth::up,
        };
        break;
    }
}

/// A FLOAT's span starts where an allocator would put all its pages at once, with both ENDs as full
/// as they get: from there it grows up to that size without running into one.
void place_float(
    const BufferLayout& layout, const std::vector<std::int64_t>& slots, TokenPool& pool
) {
    const PoolGrid& up = layout.grids.front();
    const PoolGrid& middle = layout.grids[1];
    const PoolGrid& down = layout.grids.back();
    const auto pages = [&](std::size_t index) {
        return kernels::pages_of(slots[index], layout.grids[index].pool.page_size);
    };
    const ByteGap free{
        {(up.min_page + pages(0)) * page_bytes(up.pool)},
        {(down.num_pages - pages(2)) * page_bytes(down.pool)}};
    pool.first_page = centred_page(middle, free, pages(1)).value;
}

void lay_out_unified(StepPlan& plan) {
    auto pools = unified_sub_pools(plan.model, plan.spec.tp, plan.spec.page_size);
    std::vector<std::int64_t> slots;
    for (SubPool& pool : pools) {
        if (plan.spec.id_space == IdSpace::physical) {
            pool.mult = 1; // an id counts tokens, so it may be larger by the row blocks
        }
        slots.push_back(wanted_slots(plan, pool));
    }
    const BufferLayout layout = plan_buffer(buffer_bytes(pools, slots), pools);
    for (const PoolGrid& grid : layout.grids) {
        take_grid(grid, plan);
    }
    if (layout.grids.size() == 3) {
        place_float(layout, slots, *plan.swa);
    }
    plan.kv_bytes = (layout.total + layout.tail_pad).count;
}

/// Pages 1..`pages` are handed out, page 0 is padding.
void lay_out_static_pool(TokenPool& pool, std::int64_t pages) {
    pool.num_pages = pages + 1;
    pool.min_page = 1;
    pool.first_page = 1;
    pool.grows_up = true;
}

void lay_out_static(StepPlan& plan) {
    lay_out_static_pool(plan.full, full_pages(plan));
    plan.kv_bytes = plan.full.num_pages * plan.full.page_bytes;
    if (plan.swa) {
        // A window's page stands for a full one; its ids may index the map of full ids.
        lay_out_static_pool(*plan.swa, std::min(window_pages(plan), full_pages(plan)));
        plan.kv_bytes += plan.swa->num_pages * plan.swa->page_bytes;
    }
    if (plan.model.state.layers > 0) {
        const std::int64_t slots = state_slots(plan);
        plan.state = StatePool{
            .num_slots = slots + 1,
            .min_slot = 1,
            .slots = slots,
            .slot_bytes = entry_bytes(plan.model, StateKind::state, plan.spec.tp)};
    }
}

} // namespace

void add_token_pools(StepPlan& plan) {
    plan.full = token_pool(plan.spec, plan.model, StateKind::full);
    if (plan.model.swa.layers > 0) {
        plan.swa = token_pool(plan.spec, plan.model, StateKind::swa);
    }
}

void size_pools(StepPlan& plan) {
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

} // namespace kvprof::workload
