#include "capture/workload/lower.h"
#include "capture/workload/window_math.h"

#include <algorithm>

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// v2p of each page becomes its physical page, and p2v of that the page.
void scatter_bound(const Tables& tables, const PageSpan& pages, Emitter& out) {
    out.add(ScatterCall{
        .table = {tables.v2p.data, tables.v2p.type},
        .table_rows = tables.v2p.rows,
        .index = {pages.vpages},
        .value = {pages.ppages},
        .count = pages.count,
    });
    out.add(ScatterCall{
        .table = {tables.p2v},
        .table_rows = tables.physical_rows,
        .index = {pages.ppages},
        .value = {pages.vpages},
        .count = pages.count,
    });
}

/// Both become tombstones.
void scatter_tombstones(const Tables& tables, const PageSpan& pages, Emitter& out) {
    out.add(ScatterCall{
        .table = {tables.v2p.data, tables.v2p.type},
        .table_rows = tables.v2p.rows,
        .index = {pages.vpages},
        .scalar = -1,
        .count = pages.count,
    });
    out.add(ScatterCall{
        .table = {tables.p2v},
        .table_rows = tables.physical_rows,
        .index = {pages.ppages},
        .scalar = -1,
        .count = pages.count,
    });
}

} // namespace

Tables tables_of(const Views& views, StateKind kind) {
    switch (kind) {
    case StateKind::full:
        return {
            views.v2p(kind),
            views.at<std::int64_t>(BufferId::full_p2v),
            views.plan.full.num_pages + 1};
    case StateKind::swa:
        return {
            views.v2p(kind),
            views.at<std::int64_t>(BufferId::swa_p2v),
            views.plan.swa->num_pages + 1};
    case StateKind::state:
        return {
            views.v2p(kind),
            views.at<std::int64_t>(BufferId::state_p2v),
            views.plan.state->num_slots + 1};
    }
    return {};
}

void emit_alloc_bind(
    const Views& views,
    const Tables& tables,
    const PageSpan& pages,
    std::int64_t start,
    Emitter& out
) {
    if (views.plan.spec.alloc == LaunchForm::fused) {
        out.add(AllocBindCall{
            pages.vpages, pages.count, start, tables.v2p, tables.p2v, pages.ppages});
        return;
    }
    out.add(MapCall{
        .op = MapOp::arange, .scalar = start, .out = {pages.ppages}, .cols = pages.count});
    emit_bind(views, tables, pages, out);
}

void emit_bind(const Views& views, const Tables& tables, const PageSpan& pages, Emitter& out) {
    if (views.plan.spec.alloc == LaunchForm::fused) {
        out.add(BindCall{pages.vpages, pages.ppages, pages.count, tables.v2p, tables.p2v});
        return;
    }
    scatter_bound(tables, pages, out);
}

void emit_free_unbind(
    const Views& views, const Tables& tables, const PageSpan& pages, Emitter& out
) {
    if (views.plan.spec.alloc == LaunchForm::fused) {
        out.add(FreeUnbindCall{pages.vpages, pages.count, tables.v2p, tables.p2v, pages.ppages});
        return;
    }
    out.add(GatherCall{
        .table = {tables.v2p.data, tables.v2p.type},
        .table_rows = tables.v2p.rows,
        .index = {pages.vpages},
        .out = {pages.ppages},
        .cols = pages.count,
    });
    scatter_tombstones(tables, pages, out);
}

namespace {

/// Ids of all tokens of `count` pages, one launch; at page size 1 the pages are their tokens.
const std::int64_t* token_list(
    const Views& views, BufferId list, const std::int64_t* pages, std::int64_t count, Emitter& out
) {
    const std::int64_t ps = views.plan.spec.page_size;
    if (ps == 1) {
        return pages;
    }
    auto* const tokens = views.at<std::int64_t>(list) + most_window_pages_at_once(views.plan);
    out.add(MapCall{
        .op = MapOp::page_tokens,
        .a = {pages, IndexType::i64, 1, 0},
        .scalar = ps,
        .out = {tokens},
        .out_row_stride = ps,
        .rows = count,
        .cols = ps,
    });
    return tokens;
}

} // namespace

void emit_window_map(const Views& views, const PageSpan& pages, Emitter& out) {
    const std::int64_t ps = views.plan.spec.page_size;
    const auto* const full =
        token_list(views, BufferId::swa_vpages, pages.vpages, pages.count, out);
    const auto* const swa = token_list(views, BufferId::swa_ppages, pages.ppages, pages.count, out);
    out.add(ScatterCall{
        .table = {views.at<void>(BufferId::full_to_swa)},
        .table_rows = views.full_to_swa_rows(),
        .index = {full},
        .value = {swa},
        .count = pages.count * ps,
    });
}

void emit_window_unmap(const Views& views, const PageSpan& pages, Emitter& out) {
    const std::int64_t ps = views.plan.spec.page_size;
    const auto* const full =
        token_list(views, BufferId::swa_vpages, pages.vpages, pages.count, out);
    out.add(GatherCall{
        .table = {views.at<void>(BufferId::full_to_swa)},
        .table_rows = views.full_to_swa_rows(),
        .index = {full, IndexType::i64, 0, ps}, // the first token of each page
        .out = {pages.ppages},
        .cols = pages.count,
    });
    if (ps > 1) {
        out.add(MapCall{
            .op = MapOp::floor_div,
            .a = {pages.ppages},
            .scalar = ps,
            .out = {pages.ppages},
            .cols = pages.count,
        });
    }
    out.add(ScatterCall{
        .table = {views.at<void>(BufferId::full_to_swa)},
        .table_rows = views.full_to_swa_rows(),
        .index = {full},
        .count = pages.count * ps,
    });
}

namespace {

/// The lists of a whole lazy free as they stand when it runs alone: nothing is rebound.
void emit_list_updates(const Views& views, const PageSpan& pages, Emitter& out) {
    const StepPlan& plan = views.plan;
    const std::int64_t kept =
        std::max<std::int64_t>(plan.full.num_pages - plan.full.min_page - pages.count, 0);
    out.add(ConcatCall{
        .first = views.at<std::int64_t>(BufferId::full_free),
        .first_count = std::min(kept, plan.pool_tokens / plan.spec.page_size),
        .second = pages.vpages,
        .second_count = pages.count,
        .out = views.at<std::int64_t>(BufferId::full_free_next),
    });
    out.add(ConcatCall{
        .first = views.at<std::int64_t>(BufferId::full_holes),
        .first_count = 0,
        .second = pages.ppages,
        .second_count = pages.count,
        .out = views.at<std::int64_t>(BufferId::full_holes_next),
    });
}

/// The pages that launch number `launch` works on: a free takes other pages each time.
PageSpan lone_pages(const Views& views, std::int64_t first) {
    return {
        views.at<std::int64_t>(BufferId::vpages) + first,
        views.at<std::int64_t>(BufferId::ppages) + first,
        views.plan.spec.batch,
    };
}

} // namespace

void emit_lone_alloc_bind(const Views& views, Emitter& out) {
    const std::int64_t start = views.plan.full.min_page;
    emit_alloc_bind(views, tables_of(views, StateKind::full), lone_pages(views, 0), start, out);
}

void emit_lone_bind(const Views& views, Emitter& out) {
    emit_bind(views, tables_of(views, StateKind::full), lone_pages(views, 0), out);
}

void emit_lone_free(const Views& views, OpKind op, std::int64_t launch, Emitter& out) {
    const PageSpan pages = lone_pages(views, launch * views.plan.spec.batch);
    emit_free_unbind(views, tables_of(views, StateKind::full), pages, out);
    if (op == OpKind::lazy_free) {
        emit_list_updates(views, pages, out);
    }
}

void emit_alloc_decode(
    const Views& views,
    const std::int64_t* lens,
    const std::int64_t* free_pages,
    std::int64_t* ids,
    Emitter& out
) {
    out.add(AllocDecodeCall{
        .lens = lens,
        .last_loc = views.at<std::int64_t>(BufferId::loc),
        .free_pages = free_pages,
        .page_size = views.plan.spec.page_size,
        .batch = views.plan.spec.batch,
        .out = ids,
    });
}

void emit_append(const Views& views, const std::int64_t* lens, Emitter& out) {
    const StepPlan& plan = views.plan;
    const auto* const loc = views.at<std::int64_t>(BufferId::loc);
    const auto* const rows = views.at<std::int64_t>(BufferId::rows);
    auto* const req_to_token = views.at<std::int32_t>(BufferId::req_to_token);
    if (plan.spec.alloc == LaunchForm::fused) {
        out.add(AppendCall{req_to_token, plan.req_columns, rows, lens, loc, plan.spec.batch});
        return;
    }
    auto* const columns = views.at<std::int64_t>(BufferId::scratch_a);
    out.add(MapCall{
        .op = MapOp::add, .a = {lens}, .scalar = -1, .out = {columns}, .cols = plan.spec.batch});
    out.add(Scatter2dCall{req_to_token, plan.req_columns, rows, columns, loc, plan.spec.batch});
}

} // namespace kvprof::workload
