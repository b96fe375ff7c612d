#include "capture/workload/lower.h"
#include "capture/workload/translator.h"
#include "kernels/id_math.h"

#include <algorithm>

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// Elementwise launches over a dense rectangle of [lanes, cols].
class Rectangle {
  public:
    Rectangle(std::int64_t lanes, std::int64_t cols, Emitter& out)
        : lanes_(lanes),
          cols_(cols),
          out_(out) {}

    template<typename T>
    [[nodiscard]] Operand dense(const T* data) const {
        return {data, sizeof(T) == 4 ? IndexType::i32 : IndexType::i64, cols_, 1};
    }

    /// Everything but the shape is the caller's; a zero output stride means a dense output.
    void map(MapCall call) const {
        call.rows = lanes_;
        call.cols = cols_;
        if (call.out_row_stride == 0) {
            call.out_row_stride = cols_;
        }
        out_.add(call);
    }

  private:
    std::int64_t lanes_;
    std::int64_t cols_;
    Emitter& out_;
};

/// The four temporaries: entries as int32 at the end, tokens, a mask, pages.
struct Temporaries {
    std::int32_t* entries;
    std::int64_t* wide;
    std::int64_t* mask;
    std::int64_t* pages;
};

Temporaries temporaries_of(const Views& views) {
    return {
        views.at<std::int32_t>(BufferId::scratch_a),
        views.at<std::int64_t>(BufferId::scratch_b),
        views.at<std::int64_t>(BufferId::scratch_c),
        views.at<std::int64_t>(BufferId::scratch_d),
    };
}

/// Gather, widen, compare, divide, mask: 5 launches from token ids to virtual pages.
void emit_pages(const ReadLanes& read, const Temporaries& t, std::int64_t cols, Emitter& out) {
    const Rectangle all(read.batch, cols, out);
    out.add(Gather2dCall{
        .matrix = read.req_to_token,
        .matrix_columns = read.req_columns,
        .row_ids = read.rows,
        .column_step = read.page_size,
        .out = t.entries,
        .rows = read.batch,
        .cols = cols,
    });
    const Operand tokens = all.dense(t.wide);
    all.map({.op = MapOp::copy, .a = all.dense(t.entries), .out = {t.wide}});
    all.map({.op = MapOp::less, .a = tokens, .scalar = 0, .out = {t.mask}});
    all.map({.op = MapOp::floor_div, .a = tokens, .scalar = read.page_size, .out = {t.pages}});
    all.map({.op = MapOp::fill, .c = all.dense(t.mask), .out = {t.pages}, .masked = true});
}

/// Translate, scale, clamp, narrow: 4 launches from virtual pages to table entries.
void emit_entries(const ReadLanes& read, const Temporaries& t, std::int64_t cols, Emitter& out) {
    const Rectangle all(read.batch, cols, out);
    out.add(GatherCall{
        .table = {read.v2p.data, read.v2p.type},
        .table_rows = read.v2p.rows,
        .index = all.dense(t.pages),
        .out = {t.wide},
        .rows = read.batch,
        .cols = cols,
    });
    const Operand physical = all.dense(t.wide);
    all.map({.op = MapOp::multiply, .a = physical, .scalar = read.mult, .out = {t.wide}});
    all.map({.op = MapOp::clamp_min, .a = physical, .scalar = 0, .out = {t.wide}});
    all.map({.op = MapOp::copy, .a = physical, .out = {t.entries, IndexType::i32}});
}

/// Page counts of the lanes and column numbers: 4 launches.
void emit_page_counts(
    const ReadLanes& read, const Temporaries& t, std::int64_t cols, Emitter& out
) {
    const Rectangle lanes(1, read.batch, out);
    const Operand counts = lanes.dense(t.pages);
    lanes.map({.op = MapOp::copy, .a = {read.lens.data, read.lens.type}, .out = {t.pages}});
    lanes.map({.op = MapOp::add, .a = counts, .scalar = read.page_size - 1, .out = {t.pages}});
    lanes.map({.op = MapOp::floor_div, .a = counts, .scalar = read.page_size, .out = {t.pages}});
    Rectangle(1, cols, out).map({.op = MapOp::arange, .out = {t.wide}});
}

} // namespace

void emit_eager_page_table(const Views& views, const TableTarget& target, Emitter& out) {
    const StepPlan& plan = views.plan;
    ReadLanes read = views.lanes(target.pool);
    read.lens = target.lens;
    const std::int64_t cols = std::min(pages_of(plan.max_len, plan.spec.page_size), target.width);
    const MutableIndexArray table{target.table, IndexType::i32};
    if (plan.spec.table_tail == TableTail::zero) {
        out.add(MapCall{
            .op = MapOp::fill,
            .out = table,
            .out_row_stride = target.stride,
            .rows = read.batch,
            .cols = target.width,
        });
    }
    const Temporaries t = temporaries_of(views);
    emit_pages(read, t, cols, out);
    emit_entries(read, t, cols, out);
    emit_page_counts(read, t, cols, out);
    // Columns past a lane's live pages keep what the table held.
    const Rectangle all(read.batch, cols, out);
    all.map({
        .op = MapOp::less_than,
        .a = {t.wide, IndexType::i64, 0, 1},
        .b = {t.pages, IndexType::i64, 1, 0},
        .out = {t.mask},
    });
    all.map({
        .op = MapOp::select,
        .a = all.dense(t.entries),
        .b = {target.table, IndexType::i32, target.stride, 1},
        .c = all.dense(t.mask),
        .out = {t.entries, IndexType::i32},
    });
    all.map({
        .op = MapOp::copy,
        .a = all.dense(t.entries),
        .out = table,
        .out_row_stride = target.stride,
    });
}

} // namespace kvprof::workload
