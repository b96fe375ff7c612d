#include "capture/workload/lower.h"
#include "capture/workload/translator.h"
#include "capture/workload/window_math.h"

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// Two launches over every id that the stream can list: the map in full, and the copy into place.
/// Behind a short step's end lie ids that an earlier step mapped, which index the map as well.
void emit_map(const Views& views, const StreamTarget& window, Emitter& out) {
    const std::int64_t count = most_window_tokens(views.plan);
    auto* const mapped = views.at<std::int64_t>(BufferId::scratch_a);
    out.add(GatherCall{
        .table = views.full_to_swa(),
        .table_rows = views.full_to_swa_rows(),
        .index = {window.stream.data, window.stream.type},
        .out = {mapped},
        .cols = count,
    });
    out.add(MapCall{.op = MapOp::copy, .a = {mapped}, .out = window.stream, .cols = count});
}

/// A static pool's windows have pages of their own, behind a map of full ids.
void emit_static_window(const Views& views, const StreamTarget& window, Emitter& out) {
    Translator(views).fill_stream(window, out);
    if (views.plan.spec.metadata != MetadataForm::fused) { // else the gather has mapped them
        emit_map(views, window, out);
    }
}

/// From virtual ids through the windows' own v2p. A table spans the context and a window's stream
/// lists the last tokens alone, so that `both` is two launches here as well.
void emit_unified_window(const Views& views, const StreamTarget& window, Emitter& out) {
    const StepPlan& plan = views.plan;
    const Translator translator(views);
    const TableTarget table = shared_table(views, StateKind::swa);
    if (plan.has_rectangle()) {
        translator.fill_table(table, out);
    }
    if (plan.spec.index_mode == IndexMode::rectangle) {
        translator.repack(table.table, table.stride, window, out);
    } else {
        translator.fill_stream(window, out);
    }
}

} // namespace

void emit_window_stream(const Views& views, Emitter& out) {
    const IndexArray lens = views.read_lens();
    const StreamTarget window = stream_target(views, StateKind::swa);
    out.add(MapCall{
        .op = MapOp::minimum,
        .a = {lens.data, lens.type},
        .scalar = views.plan.swa->window,
        .out = {views.at<void>(BufferId::window_lens), IndexType::i32},
        .cols = views.plan.bucket,
    });
    emit_row_starts(views, StateKind::swa, out);
    out.add(MapCall{
        .op = MapOp::subtract,
        .a = {lens.data, lens.type},
        .b = {window.lens.data, window.lens.type},
        .out = {views.at<void>(BufferId::window_starts), IndexType::i32},
        .cols = views.plan.bucket,
    });
    if (views.plan.is_unified()) {
        emit_unified_window(views, window, out);
    } else {
        emit_static_window(views, window, out);
    }
}

namespace {

/// Where the step's window rows go: ids of `loc` in, ids of the windows' own pool out.
struct WindowLoc {
    const std::int64_t* loc = nullptr;
    std::int64_t* out = nullptr;
    std::int64_t count = 0;
};

void emit_static_loc(const Views& views, const WindowLoc& to, Emitter& out) {
    // Readers of int32 ids cast them after the map; the writer of this step takes them as they are.
    const bool casts = views.plan.backend.casts_swa_write_loc;
    auto* const mapped = casts ? views.at<std::int64_t>(BufferId::scratch_a) : to.out;
    out.add(GatherCall{
        .table = views.full_to_swa(),
        .table_rows = views.full_to_swa_rows(),
        .index = {to.loc},
        .out = {mapped},
        .cols = to.count,
    });
    if (casts) {
        out.add(MapCall{.op = MapOp::copy, .a = {mapped}, .out = {to.out}, .cols = to.count});
    }
}

/// From the full pool's kernel-facing ids back to virtual pages, and down the windows' own tables.
void emit_eager_loc(const Views& views, const WindowLoc& to, Emitter& out) {
    const StepPlan& plan = views.plan;
    const std::int64_t full_rows = plan.spec.page_size * plan.full.mult;
    const std::int64_t swa_rows = plan.spec.page_size * plan.swa->mult;
    const auto* const full_ids = views.at<std::int64_t>(BufferId::write_loc);
    auto* const offset = views.at<std::int64_t>(BufferId::scratch_a);
    auto* const page = views.at<std::int64_t>(BufferId::scratch_b);
    const auto map = [&](MapOp op, const std::int64_t* a, std::int64_t scalar, std::int64_t* into) {
        out.add(MapCall{.op = op, .a = {a}, .scalar = scalar, .out = {into}, .cols = to.count});
    };
    const auto take = [&](IndexArray table, std::int64_t rows) {
        out.add(GatherCall{
            .table = table, .table_rows = rows, .index = {page}, .out = {page}, .cols = to.count});
    };
    map(MapOp::remainder, full_ids, full_rows, offset);
    map(MapOp::floor_div, full_ids, full_rows, page);
    take({views.at<void>(BufferId::full_p2v)}, plan.full.num_pages + 1);
    map(MapOp::clamp_min, page, 0, page);
    const V2p v2p = views.v2p(StateKind::swa);
    take({v2p.data, v2p.type}, v2p.rows);
    map(MapOp::multiply, page, swa_rows, page);
    out.add(MapCall{.op = MapOp::sum, .a = {page}, .b = {offset}, .out = {page}, .cols = to.count});
    map(MapOp::clamp_min, page, 0, to.out);
}

} // namespace

void emit_swa_write_loc(const Views& views, const PlannedOp& op, Emitter& out) {
    const StepPlan& plan = views.plan;
    const WindowLoc to{
        .loc = views.at<std::int64_t>(BufferId::loc),
        .out = views.at<std::int64_t>(BufferId::swa_write_loc),
        .count = op.placement == Placement::in ? plan.bucket : plan.spec.batch};
    if (!plan.is_unified()) {
        emit_static_loc(views, to, out);
    } else if (plan.spec.write == LaunchForm::eager) {
        emit_eager_loc(views, to, out);
    } else {
        out.add(WriteLocCall{
            .loc = to.loc,
            .v2p = views.v2p(StateKind::swa),
            .mult = plan.swa->mult,
            .page_size = plan.spec.page_size,
            .count = to.count,
            .out = to.out,
            .out_count = plan.bucket, // the captured tail is cleared with it
        });
    }
}

} // namespace kvprof::workload
