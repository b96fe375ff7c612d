#include "capture/workload/translator.h"

#include "capture/model/error.h"
#include "capture/workload/index_tuning.h"

#include <fmt/format.h>

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

GridRule grid_of(const StepPlan& plan) {
    return plan.spec.grid == Grid::ctx ? GridRule::ctx : GridRule::bs;
}

/// Stream of a later consumer: they lie one after another.
MutableIndexArray later_stream(const Views& views, std::int64_t reader) {
    const StepPlan& plan = views.plan;
    const std::int64_t width = index_bytes(plan.stream_type());
    auto* const first = views.at<std::uint8_t>(BufferId::more_streams);
    return {first + (reader - 1) * plan.stream_capacity() * width, plan.stream_type()};
}

std::int32_t* later_table(const Views& views, std::int64_t reader) {
    const StepPlan& plan = views.plan;
    return views.at<std::int32_t>(BufferId::more_tables)
           + (reader - 1) * plan.spec.max_batch * plan.own_width;
}

} // namespace

StreamTarget stream_target(const Views& views, StateKind kind, std::int64_t reader) {
    const StepPlan& plan = views.plan;
    if (kind == StateKind::swa) {
        return {
            .pool = kind,
            .stream = {views.at<void>(BufferId::window_stream), plan.stream_type()},
            .capacity = plan.window_capacity(),
            .indptr = views.at<std::int32_t>(BufferId::window_indptr),
            .lens = {views.at<void>(BufferId::window_lens), IndexType::i32},
            .starts = {views.at<void>(BufferId::window_starts), IndexType::i32},
            .widest = plan.swa->window,
        };
    }
    const MutableIndexArray first{views.at<void>(BufferId::stream), plan.stream_type()};
    return {
        .pool = kind,
        .stream = reader == 0 ? first : later_stream(views, reader),
        .capacity = plan.stream_capacity(),
        .indptr = views.at<std::int32_t>(BufferId::indptr),
        .lens = views.read_lens(),
        .starts = {},
        .widest = plan.context,
    };
}

TableTarget shared_table(const Views& views, StateKind kind) {
    const bool is_window = kind == StateKind::swa;
    return {
        .pool = kind,
        .table = views.at<std::int32_t>(is_window ? BufferId::window_table : BufferId::table),
        .stride = views.plan.table_width,
        .width = views.plan.table_width,
        .lens = views.table_lens(),
    };
}

TableTarget own_table(const Views& views, StateKind kind, std::int64_t reader) {
    const bool is_window = kind == StateKind::swa;
    auto* const first =
        views.at<std::int32_t>(is_window ? BufferId::window_block_table : BufferId::block_table);
    return {
        .pool = kind,
        .table = reader == 0 ? first : later_table(views, reader),
        .stride = views.plan.own_width,
        .width = views.plan.own_width,
        .lens = views.table_lens(),
    };
}

bool Translator::reads_are_translated() const {
    return !views_.plan.is_dcp();
}

ReadLanes Translator::lanes(StateKind pool, IndexArray lens) const {
    ReadLanes read = views_.lanes(pool);
    read.lens = lens;
    return read;
}

void Translator::refuse_deferred_table() const {
    const StepSpec& spec = views_.plan.spec;
    throw UnavailableError(
        fmt::format(
            "could not fill the page table of {}: under --dcp {} reads are deferred to rank {}'s "
            "own gather, and no launch would translate the table",
            views_.plan.backend.name,
            spec.dcp,
            spec.dcp_rank
        ),
        "use a backend that reads a stream, or --dcp 1"
    );
}

Fill Translator::list_table(const TableTarget& target, Emitter& out) const {
    const StepPlan& plan = views_.plan;
    if (!reads_are_translated()) {
        refuse_deferred_table();
    }
    const bool maps = target.pool == StateKind::swa;
    out.add(StaticBlockTableCall{
        .req_to_token = views_.at<std::int32_t>(BufferId::req_to_token),
        .req_columns = plan.req_columns,
        .rows = views_.at<std::int64_t>(BufferId::graph_rows),
        .lens = target.lens,
        .out = target.table,
        .stride = target.stride,
        .width = target.width,
        .page_size = plan.spec.page_size,
        .batch = plan.bucket,
        .full_to_swa = maps ? views_.full_to_swa() : IndexArray{},
        .map_rows = maps ? views_.full_to_swa_rows() : 0,
    });
    return Fill::verbatim;
}

Fill Translator::fill_table(const TableTarget& target, Emitter& out) const {
    const StepPlan& plan = views_.plan;
    if (!plan.is_unified()) {
        return list_table(target, out);
    }
    if (!reads_are_translated()) {
        refuse_deferred_table();
    }
    if (plan.spec.table == LaunchForm::eager) {
        emit_eager_page_table(views_, target, out);
        return Fill::translated;
    }
    out.add(PageTableCall{
        .lanes = lanes(target.pool, target.lens),
        .out = target.table,
        .stride = target.stride,
        .width = target.width,
        .grid = grid_of(plan),
        .context_columns = target.width,
        .zero_tail = plan.spec.table_tail == TableTail::zero,
        .tuning = tuned(plan.spec, kPageTableTuning),
    });
    return Fill::translated;
}

/// The gather leaves local ids that are still virtual; on a unified pool a second launch translates
/// them in place.
void Translator::fill_rank_stream(const StreamTarget& target, Emitter& out) const {
    const StepPlan& plan = views_.plan;
    out.add(DcpGatherCall{
        .req_to_token = views_.at<std::int32_t>(BufferId::req_to_token),
        .req_columns = plan.req_columns,
        .rows = views_.at<std::int64_t>(BufferId::graph_rows),
        .local_lens = target.lens,
        .starts = target.starts,
        .indptr = target.indptr,
        .out = target.stream,
        .capacity = target.capacity,
        .dcp = plan.spec.dcp,
        .rank = plan.spec.dcp_rank,
        .batch = plan.bucket,
    });
    if (!plan.is_unified()) {
        return;
    }
    out.add(StreamTranslateCall{
        .indptr = target.indptr,
        .ids = target.stream,
        .capacity = target.capacity,
        .v2p = views_.v2p(target.pool),
        .mult = plan.pool(target.pool).mult,
        .page_size = plan.spec.page_size,
        .batch = plan.bucket,
    });
}

Fill Translator::list_stream(const StreamTarget& target, Emitter& out) const {
    const StepPlan& plan = views_.plan;
    const bool maps = target.pool == StateKind::swa && plan.spec.metadata == MetadataForm::fused;
    out.add(StaticGatherCall{
        .req_to_token = views_.at<std::int32_t>(BufferId::req_to_token),
        .req_columns = plan.req_columns,
        .rows = views_.at<std::int64_t>(BufferId::graph_rows),
        .lens = target.lens,
        .starts = target.starts,
        .indptr = target.indptr,
        .out = target.stream,
        .capacity = target.capacity,
        .batch = plan.bucket,
        .full_to_swa = maps ? views_.full_to_swa() : IndexArray{},
        .map_rows = maps ? views_.full_to_swa_rows() : 0,
    });
    return Fill::verbatim;
}

Fill Translator::fill_stream(const StreamTarget& target, Emitter& out) const {
    const StepPlan& plan = views_.plan;
    if (!reads_are_translated()) {
        fill_rank_stream(target, out);
        return Fill::deferred;
    }
    if (!plan.is_unified()) {
        return list_stream(target, out);
    }
    out.add(TokenStreamCall{
        .lanes = lanes(target.pool, target.lens),
        .starts = target.starts,
        .indptr = target.indptr,
        .out = target.stream,
        .capacity = target.capacity,
        .grid = grid_of(plan),
        .context_columns = target.widest,
        .tuning = tuned(plan.spec, kTokenStreamTuning),
    });
    return Fill::translated;
}

Fill Translator::fill_both(const TableTarget& table, const StreamTarget& stream, Emitter& out)
    const {
    if (!reads_are_translated()) {
        refuse_deferred_table();
    }
    const StepPlan& plan = views_.plan;
    out.add(TableAndStreamCall{
        .lanes = lanes(stream.pool, stream.lens),
        .table = table.table,
        .stride = table.stride,
        .width = table.width,
        .table_rows = plan.spec.max_batch,
        .zero_tail = plan.spec.table_tail == TableTail::zero,
        .starts = stream.starts,
        .indptr = stream.indptr,
        .stream = stream.stream,
        .capacity = stream.capacity,
    });
    return Fill::translated;
}

void Translator::repack(
    const std::int32_t* table, std::int64_t stride, const StreamTarget& target, Emitter& out
) const {
    out.add(RepackCall{
        .table = table,
        .stride = stride,
        .lens = target.lens,
        .starts = target.starts,
        .indptr = target.indptr,
        .out = target.stream,
        .capacity = target.capacity,
        .page_size = views_.plan.spec.page_size,
        .batch = views_.plan.bucket,
    });
}

} // namespace kvprof::workload
