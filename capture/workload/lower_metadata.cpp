#include "capture/workload/lower_metadata.h"

#include "capture/workload/lower.h"
#include "capture/workload/translator.h"

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// A static pool's table comes out of req_to_token; a unified one's is copied from the rectangle
/// that all readers share, or filled by the translator after the lengths are there.
TableSource source_of(const StepPlan& plan) {
    if (!plan.is_unified()) {
        return TableSource::req_to_token;
    }
    const bool copies = plan.has_rectangle() && !plan.reads_rectangle() && !plan.micro_op;
    return copies ? TableSource::rectangle : TableSource::none;
}

MetadataTable table_of(const Views& views, StateKind kind, TableSource source) {
    MetadataTable table{.out = own_table(views, kind).table};
    switch (source) {
    case TableSource::none: return {};
    case TableSource::rectangle:
        table.rectangle = shared_table(views, kind).table;
        table.rectangle_stride = views.plan.table_width;
        break;
    case TableSource::req_to_token:
        if (kind == StateKind::swa) {
            table.full_to_swa = views.full_to_swa();
            table.map_rows = views.full_to_swa_rows();
        }
        break;
    }
    return table;
}

/// Lengths before drafts, and what to add; a lane's own number of drafts is in kv_lens already.
struct LensSource {
    IndexArray lens;
    std::int64_t delta = 0;
};

LensSource lens_source(const Views& views) {
    if (views.plan.spec.verify == VerifyMode::ragged) {
        return {{views.kv_lens(), IndexType::i64}, 0};
    }
    return {{views.at<void>(BufferId::lens), IndexType::i64}, views.plan.spec.delta};
}

FaMetadataCall lanes_call(const Views& views) {
    const StepPlan& plan = views.plan;
    const TableSource source = source_of(plan);
    const LensSource lens = lens_source(views);
    FaMetadataCall call{
        .lens = lens.lens,
        .delta = lens.delta,
        .cache_seqlens = views.at<std::int32_t>(BufferId::lens32),
        .cu_seqlens_k = views.at<std::int32_t>(BufferId::cu_seqlens_k),
        .source = source,
        .req_to_token = views.at<std::int32_t>(BufferId::req_to_token),
        .req_columns = plan.req_columns,
        .rows = views.at<std::int64_t>(BufferId::graph_rows),
        .table = table_of(views, StateKind::full, source),
        .stride = plan.own_width,
        .width = plan.own_width,
        .page_size = plan.spec.page_size,
        .batch = plan.bucket,
    };
    if (has_window_table(plan)) {
        call.window_table = table_of(views, StateKind::swa, source);
    }
    return call;
}

TrtllmMetadataCall fused_call(const Views& views) {
    const StepPlan& plan = views.plan;
    TrtllmMetadataCall call{
        .lanes = lanes_call(views),
        .cu_seqlens_q = views.at<std::int32_t>(BufferId::cu_seqlens_q),
        .q_len = plan.verifies() ? plan.spec.delta : 1,
    };
    if (has_metadata_window_locs(plan)) {
        call.loc = views.at<std::int64_t>(BufferId::loc);
        call.count = plan.spec.batch;
        call.full_to_swa = views.full_to_swa();
        call.map_rows = views.full_to_swa_rows();
        call.swa_write_loc = views.at<std::int64_t>(BufferId::swa_write_loc);
        call.swa_count = plan.step_tokens;
    }
    return call;
}

} // namespace

bool has_window_table(const StepPlan& plan) {
    return plan.swa.has_value() && !plan.micro_op;
}

bool has_metadata_window_locs(const StepPlan& plan) {
    return has_window_table(plan) && !plan.is_unified();
}

void emit_len_cast(const Views& views, Emitter& out) {
    const StepPlan& plan = views.plan;
    auto* const narrow = views.at<std::int32_t>(BufferId::lens32);
    const Operand lens{views.at<void>(BufferId::lens), IndexType::i64};
    if (plan.is_dcp()) {
        out.add(LocalLensCall{
            .lens = {lens.data, lens.type},
            .delta = plan.spec.delta,
            .out = narrow,
            .dcp = plan.spec.dcp,
            .rank = plan.spec.dcp_rank,
            .batch = plan.bucket,
        });
        return;
    }
    MapCall widened{
        .op = MapOp::add,
        .a = lens,
        .scalar = plan.spec.delta,
        .out = {narrow, IndexType::i32},
        .cols = plan.bucket,
    };
    if (plan.spec.verify == VerifyMode::ragged) {
        widened.op = MapOp::sum;
        widened.b = {views.at<void>(BufferId::draft_lens), IndexType::i64};
    }
    out.add(widened);
}

void emit_fa_metadata(const Views& views, Emitter& out) {
    const FaMetadataCall call = lanes_call(views);
    if (views.plan.spec.metadata == MetadataForm::eager) {
        emit_eager_fa_metadata(views, call, out);
    } else {
        out.add(call);
    }
}

void emit_trtllm_metadata(const Views& views, Emitter& out) {
    const TrtllmMetadataCall call = fused_call(views);
    if (views.plan.spec.metadata == MetadataForm::eager) {
        emit_eager_trtllm_metadata(views, call, out);
    } else {
        out.add(call);
    }
}

namespace {

void emit_query_starts(const Views& views, Emitter& out) {
    const StepPlan& plan = views.plan;
    auto* const starts = views.at<std::int32_t>(BufferId::qo_indptr);
    if (plan.spec.verify == VerifyMode::uniform) {
        out.add(MapCall{
            .op = MapOp::ramp,
            .scalar = plan.spec.delta,
            .out = {starts, IndexType::i32},
            .cols = plan.bucket + 1,
        });
        return;
    }
    emit_scan(views, {views.at<void>(BufferId::draft_lens), IndexType::i64}, starts, out);
}

} // namespace

void emit_scan(const Views& views, IndexArray lens, std::int32_t* starts, Emitter& out) {
    const std::int64_t lanes = views.plan.bucket;
    if (views.plan.spec.indptr == LaunchForm::fused) {
        out.add(IndptrCall{.lens = lens, .out = starts, .batch = lanes});
        return;
    }
    // A scan, and a copy into the slice past the leading zero.
    auto* const scan = views.at<std::int32_t>(BufferId::indptr_scan);
    out.add(CumsumCall{.in = lens, .out = {scan, IndexType::i32}, .count = lanes});
    out.add(MapCall{
        .op = MapOp::copy,
        .a = {scan, IndexType::i32},
        .out = {starts + 1, IndexType::i32},
        .cols = lanes,
    });
}

/// Lengths are widened first, so that what fills the stream after it needs no delta of its own. 5
/// launches when all lanes draft alike and row starts are eager.
void emit_verify_csr(const Views& views, Emitter& out) {
    const StepPlan& plan = views.plan;
    auto* const kv_lens = views.at<std::int64_t>(BufferId::kv_lens);
    auto* const indptr = views.at<std::int32_t>(BufferId::indptr);
    emit_query_starts(views, out);
    if (plan.spec.indptr == LaunchForm::eager) {
        out.add(MapCall{.op = MapOp::fill, .out = {indptr, IndexType::i32}, .cols = plan.bucket + 1}
        );
    }
    MapCall widen{
        .op = MapOp::add,
        .a = {views.at<void>(BufferId::lens), IndexType::i64},
        .scalar = plan.spec.delta,
        .out = {kv_lens, IndexType::i64},
        .cols = plan.bucket,
    };
    if (plan.spec.verify == VerifyMode::ragged) {
        widen.op = MapOp::sum;
        widen.b = {views.at<void>(BufferId::draft_lens), IndexType::i64};
    }
    out.add(widen);
    emit_scan(views, {kv_lens, IndexType::i64}, indptr, out);
}

} // namespace kvprof::workload
