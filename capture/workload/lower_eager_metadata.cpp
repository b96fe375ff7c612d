#include "capture/workload/lower_metadata.h"
#include "kernels/id_math.h"

#include <algorithm>

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// Launches over [lanes, columns] up to the longest lane, with dense temporaries.
class LiveColumns {
  public:
    LiveColumns(const Views& views, const FaMetadataCall& call, Emitter& out)
        : views_(views),
          call_(call),
          out_(out),
          cols_(std::min(pages_of(views.plan.max_len, call.page_size), call.width)) {}

    [[nodiscard]] Operand dense(BufferId id) const {
        return {views_.at<void>(id), IndexType::i32, cols_, 1};
    }

    [[nodiscard]] Operand table(std::int32_t* data) const {
        return {data, IndexType::i32, call_.stride, 1};
    }

    void map(MapOp op, const Operand& a, std::int64_t scalar, BufferId to) const {
        MapCall call = shaped(op, a, scalar);
        call.out = {views_.at<void>(to), IndexType::i32};
        call.out_row_stride = cols_;
        out_.add(call);
    }

    /// The last launch of a table. As page 0 is the sink, what is below it becomes that.
    void store(const Operand& pages, std::int32_t* to) const {
        MapCall call = shaped(MapOp::clamp_min, pages, 0);
        call.out = {to, IndexType::i32};
        call.out_row_stride = call_.stride;
        out_.add(call);
    }

    /// mask ? pages : what the table holds.
    void keep_tail(BufferId pages, BufferId mask, std::int32_t* table_data) const {
        MapCall call = shaped(MapOp::select, dense(pages), 0);
        call.b = table(table_data);
        call.c = dense(mask);
        call.out = {views_.at<void>(pages), IndexType::i32};
        call.out_row_stride = cols_;
        out_.add(call);
    }

    /// First positions of the columns' pages against the lengths: 2 launches.
    void mask(BufferId positions, BufferId to) const {
        out_.add(MapCall{
            .op = MapOp::ramp,
            .scalar = call_.page_size,
            .out = {views_.at<void>(positions), IndexType::i32},
            .cols = cols_,
        });
        const Operand columns{views_.at<void>(positions), IndexType::i32, 0, 1};
        MapCall call = shaped(MapOp::less_than, columns, 0);
        call.b = {call_.cache_seqlens, IndexType::i32, 1, 0};
        call.out = {views_.at<void>(to), IndexType::i32};
        call.out_row_stride = cols_;
        out_.add(call);
    }

    void tokens(BufferId to) const {
        out_.add(Gather2dCall{
            .matrix = call_.req_to_token,
            .matrix_columns = call_.req_columns,
            .row_ids = call_.rows,
            .column_step = call_.page_size,
            .out = views_.at<std::int32_t>(to),
            .rows = call_.batch,
            .cols = cols_,
        });
    }

    /// Window ids of full token ids; a hole takes the map's last row, which is -1.
    void window_tokens(const MetadataTable& twin, BufferId full, BufferId to) const {
        out_.add(GatherCall{
            .table = twin.full_to_swa,
            .table_rows = twin.map_rows,
            .index = dense(full),
            .out = {views_.at<void>(to), IndexType::i32},
            .rows = call_.batch,
            .cols = cols_,
        });
    }

  private:
    [[nodiscard]] MapCall shaped(MapOp op, const Operand& a, std::int64_t scalar) const {
        return {.op = op, .a = a, .scalar = scalar, .rows = call_.batch, .cols = cols_};
    }

    const Views& views_;
    const FaMetadataCall& call_;
    Emitter& out_;
    std::int64_t cols_;
};

/// From token ids to the table: a division above page size 1, and the copy.
void store_pages(
    const LiveColumns& all,
    const FaMetadataCall& call,
    BufferId tokens,
    std::int32_t* table,
    BufferId pages
) {
    if (call.page_size == 1) {
        all.store(all.dense(tokens), table);
        return;
    }
    all.map(MapOp::floor_div, all.dense(tokens), call.page_size, pages);
    all.store(all.dense(pages), table);
}

void copy_rectangle(const LiveColumns& all, const MetadataTable& table) {
    all.store({table.rectangle, IndexType::i32, table.rectangle_stride, 1}, table.out);
}

} // namespace

void emit_eager_fa_metadata(const Views& views, const FaMetadataCall& call, Emitter& out) {
    out.add(MapCall{
        .op = MapOp::add,
        .a = {call.lens.data, call.lens.type},
        .scalar = call.delta,
        .out = {call.cache_seqlens, IndexType::i32},
        .cols = call.batch,
    });
    out.add(CumsumCall{
        .in = {call.cache_seqlens, IndexType::i32},
        .out = {call.cu_seqlens_k + 1, IndexType::i32},
        .count = call.batch,
    });
    const LiveColumns all(views, call, out);
    const MetadataTable& twin = call.window_table;
    switch (call.source) {
    case TableSource::none: break;
    case TableSource::rectangle:
        copy_rectangle(all, call.table);
        if (has_window_table(views.plan)) {
            copy_rectangle(all, twin);
        }
        break;
    case TableSource::req_to_token:
        all.tokens(BufferId::scratch_a);
        store_pages(all, call, BufferId::scratch_a, call.table.out, BufferId::scratch_b);
        if (has_window_table(views.plan)) {
            all.window_tokens(twin, BufferId::scratch_a, BufferId::scratch_c);
            store_pages(all, call, BufferId::scratch_c, twin.out, BufferId::scratch_b);
        }
        break;
    }
}

namespace {

/// 6 launches: widen, narrow; clear, scan, copy into the slice; ramp.
void emit_trtllm_lengths(const Views& views, const TrtllmMetadataCall& call, Emitter& out) {
    const FaMetadataCall& lanes = call.lanes;
    auto* const wide = views.at<std::int64_t>(BufferId::scratch_a);
    const auto map =
        [&](MapOp op, Operand a, std::int64_t scalar, MutableIndexArray to, std::int64_t count) {
            out.add(MapCall{.op = op, .a = a, .scalar = scalar, .out = to, .cols = count});
        };
    const MutableIndexArray starts{lanes.cu_seqlens_k, IndexType::i32};
    map(MapOp::add, {lanes.lens.data, lanes.lens.type}, lanes.delta, {wide}, lanes.batch);
    map(MapOp::copy, {wide}, 0, {lanes.cache_seqlens, IndexType::i32}, lanes.batch);
    map(MapOp::fill, {}, 0, starts, lanes.batch + 1);
    out.add(CumsumCall{
        .in = {lanes.cache_seqlens, IndexType::i32}, .out = {wide}, .count = lanes.batch});
    map(MapOp::copy, {wide}, 0, {lanes.cu_seqlens_k + 1, IndexType::i32}, lanes.batch);
    map(MapOp::ramp, {}, call.q_len, {call.cu_seqlens_q, IndexType::i32}, lanes.batch + 1);
}

/// 7 launches for the table: gather, divide, clamp, positions, mask, select, copy. 5 for its twin:
/// map, divide, clamp, select, copy.
void emit_trtllm_tables(const Views& views, const FaMetadataCall& call, Emitter& out) {
    using enum BufferId;
    const LiveColumns all(views, call, out);
    const MetadataTable& twin = call.window_table;
    all.tokens(scratch_a);
    all.map(MapOp::floor_div, all.dense(scratch_a), call.page_size, scratch_b);
    all.map(MapOp::clamp_min, all.dense(scratch_b), 0, scratch_b);
    all.mask(scratch_d, scratch_c);
    all.keep_tail(scratch_b, scratch_c, call.table.out);
    all.store(all.dense(scratch_b), call.table.out);
    if (has_window_table(views.plan)) {
        all.window_tokens(twin, scratch_a, scratch_b);
        all.map(MapOp::floor_div, all.dense(scratch_b), call.page_size, scratch_b);
        all.map(MapOp::clamp_min, all.dense(scratch_b), 0, scratch_b);
        all.keep_tail(scratch_b, scratch_c, twin.out);
        all.store(all.dense(scratch_b), twin.out);
    }
}

/// 5 launches: sign, map, keep the negative ones, clear the captured buffer, copy.
void emit_trtllm_window_locs(const Views& views, const TrtllmMetadataCall& call, Emitter& out) {
    auto* const negative = views.at<std::int64_t>(BufferId::scratch_a);
    auto* const mapped = views.at<std::int64_t>(BufferId::scratch_b);
    out.add(MapCall{
        .op = MapOp::less, .a = {call.loc}, .scalar = 0, .out = {negative}, .cols = call.count});
    out.add(GatherCall{
        .table = call.full_to_swa,
        .table_rows = call.map_rows,
        .index = {call.loc},
        .out = {mapped},
        .cols = call.count,
    });
    out.add(MapCall{
        .op = MapOp::fill,
        .c = {negative},
        .scalar = -1,
        .out = {mapped},
        .cols = call.count,
        .masked = true,
    });
    out.add(MapCall{.op = MapOp::fill, .out = {call.swa_write_loc}, .cols = call.swa_count});
    out.add(MapCall{
        .op = MapOp::copy, .a = {mapped}, .out = {call.swa_write_loc}, .cols = call.count});
}

} // namespace

/// 23 launches with a static pool's sliding windows, 13 without, 6 where the translator fills the
/// tables.
void emit_eager_trtllm_metadata(const Views& views, const TrtllmMetadataCall& call, Emitter& out) {
    emit_trtllm_lengths(views, call, out);
    if (call.lanes.source == TableSource::req_to_token) {
        emit_trtllm_tables(views, call.lanes, out);
    }
    if (has_metadata_window_locs(views.plan)) {
        emit_trtllm_window_locs(views, call, out);
    }
}

} // namespace kvprof::workload
