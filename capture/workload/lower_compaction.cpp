#include "capture/workload/lower.h"

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// Pages that move, and where to.
struct Moves {
    const std::int64_t* from = nullptr;
    const std::int64_t* to = nullptr;
    std::int64_t count = 0;
};

/// Row 0 packs the pages that lie farthest out into the holes of the band; row 1 takes them back,
/// so that every second step starts alike.
Moves moves_in(const Views& views, std::int64_t direction) {
    const std::int64_t count = views.plan.spec.compact_pages;
    return {
        views.at<std::int64_t>(BufferId::compact_from) + direction * count,
        views.at<std::int64_t>(BufferId::compact_to) + direction * count,
        count,
    };
}

void emit_fused(const Views& views, const Moves& moves, Emitter& out) {
    const Tables tables = tables_of(views, StateKind::full);
    out.add(CompactMoveCall{
        .from = moves.from,
        .to = moves.to,
        .count = moves.count,
        .buffer = views.at<std::uint8_t>(BufferId::kv),
        .page_bytes = views.plan.full.page_bytes,
        .v2p = tables.v2p,
        .p2v = tables.p2v,
    });
}

void emit_envelopes(const Views& views, const std::int64_t* pages, bool is_gather, Emitter& out) {
    out.add(EnvelopeCopyCall{
        .pages = pages,
        .count = views.plan.spec.compact_pages,
        .buffer = views.at<std::uint8_t>(BufferId::kv),
        .page_bytes = views.plan.full.page_bytes,
        .staging = views.at<std::uint8_t>(BufferId::staging),
        .is_gather = is_gather,
    });
}

/// 2 copies of the lists and 6 launches: the pages' virtual ids, envelopes out and in, v2p, p2v,
/// and the vacated rows of p2v. Envelopes move by page, so ids need not be expanded to tokens.
void emit_eager(const Views& views, const Moves& moves, Emitter& out) {
    auto* const from = views.at<std::int64_t>(BufferId::scratch_a);
    auto* const to = views.at<std::int64_t>(BufferId::scratch_b);
    auto* const vpages = views.at<std::int64_t>(BufferId::scratch_c);
    const Tables tables = tables_of(views, StateKind::full);
    const MutableIndexArray p2v{tables.p2v};
    out.add(CopyMemory{from, moves.from, moves.count * 8});
    out.add(CopyMemory{to, moves.to, moves.count * 8});
    out.add(GatherCall{
        .table = {tables.p2v},
        .table_rows = tables.physical_rows,
        .index = {from},
        .out = {vpages},
        .cols = moves.count,
    });
    emit_envelopes(views, from, true, out);
    emit_envelopes(views, to, false, out);
    const auto put = [&](ScatterCall call) {
        call.count = moves.count;
        out.add(call);
    };
    put(
        {.table = {tables.v2p.data, tables.v2p.type},
         .table_rows = tables.v2p.rows,
         .index = {vpages},
         .value = {to}}
    );
    put({.table = p2v, .table_rows = tables.physical_rows, .index = {to}, .value = {vpages}});
    put({.table = p2v, .table_rows = tables.physical_rows, .index = {from}, .scalar = -1});
}

} // namespace

void emit_compaction(const Views& views, std::int64_t direction, Emitter& out) {
    const Moves moves = moves_in(views, direction);
    if (views.plan.spec.alloc == LaunchForm::fused) {
        emit_fused(views, moves, out);
    } else {
        emit_eager(views, moves, out);
    }
}

} // namespace kvprof::workload
