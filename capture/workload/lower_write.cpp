#include "capture/workload/lower.h"

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// Where a translate reads, and where its result goes.
struct Translate {
    const std::int64_t* loc = nullptr;
    std::int64_t* out = nullptr;
    std::int64_t count = 0;
    std::int64_t out_count = 0;
    V2p v2p;
    std::int64_t mult = 1;
};

Translate translate_of(const Views& views, const PlannedOp& op) {
    const StepPlan& plan = views.plan;
    const bool is_swa = op.pool == StateKind::swa;
    Translate to{
        .loc = views.at<std::int64_t>(BufferId::loc),
        .out = views.at<std::int64_t>(is_swa ? BufferId::swa_write_loc : BufferId::write_loc),
        .count = op.placement == Placement::in ? plan.bucket : plan.spec.batch,
        .v2p = views.v2p(op.pool),
        .mult = plan.pool(op.pool).mult,
    };
    to.out_count = plan.micro_op ? to.count : plan.bucket; // a captured tail is zeroed with it
    return to;
}

/// Elementwise launches over the step's locations.
class Elementwise {
  public:
    Elementwise(std::int64_t count, Emitter& out)
        : count_(count),
          out_(out) {}

    void map(MapOp op, const std::int64_t* a, std::int64_t scalar, std::int64_t* to) const {
        out_.add(MapCall{.op = op, .a = {a}, .scalar = scalar, .out = {to}, .cols = count_});
    }

    void sum(const std::int64_t* a, const std::int64_t* b, std::int64_t* to) const {
        out_.add(MapCall{.op = MapOp::sum, .a = {a}, .b = {b}, .out = {to}, .cols = count_});
    }

    void select(
        const std::int64_t* mask, const std::int64_t* a, const std::int64_t* b, std::int64_t* to
    ) const {
        out_.add(MapCall{
            .op = MapOp::select, .a = {a}, .b = {b}, .c = {mask}, .out = {to}, .cols = count_});
    }

    void take(const V2p& table, const std::int64_t* index, std::int64_t* to) const {
        out_.add(GatherCall{
            .table = {table.data, table.type},
            .table_rows = table.rows,
            .index = {index},
            .out = {to},
            .cols = count_,
        });
    }

  private:
    std::int64_t count_;
    Emitter& out_;
};

/// 3 launches at page size 1, 6 above. Uses scratch_a and scratch_b.
void emit_eager(
    const Views& views,
    const Translate& to,
    const std::int64_t* loc,
    std::int64_t* result,
    const Elementwise& each
) {
    const std::int64_t ps = views.plan.spec.page_size;
    auto* const page = views.at<std::int64_t>(BufferId::scratch_a);
    auto* const offset = views.at<std::int64_t>(BufferId::scratch_b);
    if (ps == 1) {
        each.take(to.v2p, loc, page);
        each.map(MapOp::multiply, page, to.mult, page);
    } else {
        each.map(MapOp::floor_div, loc, ps, page);
        each.map(MapOp::remainder, loc, ps, offset);
        each.take(to.v2p, page, page);
        each.map(MapOp::multiply, page, to.mult * ps, page);
        each.sum(page, offset, page);
    }
    each.map(MapOp::clamp_min, page, 0, result);
}

/// The owner test around the translate: 6 launches more. Uses all four scratch buffers.
void emit_eager_dcp(const Views& views, const Translate& to, const Elementwise& each) {
    const StepSpec& spec = views.plan.spec;
    auto* const owned = views.at<std::int64_t>(BufferId::scratch_c);
    auto* const local = views.at<std::int64_t>(BufferId::scratch_d);
    auto* const translated = views.at<std::int64_t>(BufferId::scratch_a);
    auto* const zeros = views.at<std::int64_t>(BufferId::scratch_b);
    each.map(MapOp::remainder, to.loc, spec.dcp, owned);
    each.map(MapOp::equal, owned, spec.dcp_rank, owned);
    each.map(MapOp::floor_div, to.loc, spec.dcp, local);
    emit_eager(views, to, local, translated, each);
    each.map(MapOp::fill, nullptr, 0, zeros);
    each.select(owned, translated, zeros, translated);
    each.map(MapOp::copy, translated, 0, to.out);
}

void emit_fused(const Views& views, const Translate& to, bool is_dcp, Emitter& out) {
    const StepSpec& spec = views.plan.spec;
    out.add(WriteLocCall{
        .loc = to.loc,
        .v2p = to.v2p,
        .mult = to.mult,
        .page_size = spec.page_size,
        .count = to.count,
        .out = to.out,
        .out_count = to.out_count,
        .dcp = is_dcp ? spec.dcp : 1,
        .rank = is_dcp ? spec.dcp_rank : 0,
    });
}

/// The capture-stable buffer of a triton-style backend: clear it, then copy this step's ids in.
void emit_tail(const Views& views, const Translate& to, Emitter& out) {
    auto* const captured = views.at<std::int64_t>(BufferId::write_loc);
    const Elementwise whole(views.plan.spec.max_batch, out);
    whole.map(MapOp::fill, nullptr, 0, captured);
    const Elementwise live(to.count, out);
    live.map(MapOp::copy, views.at<std::int64_t>(BufferId::scratch_d), 0, captured);
}

} // namespace

void emit_write_loc_tail(const Views& views, const PlannedOp& op, Emitter& out) {
    emit_tail(views, translate_of(views, op), out);
}

void emit_write_loc(const Views& views, const PlannedOp& op, Emitter& out) {
    const Translate to = translate_of(views, op);
    const StepPlan& plan = views.plan;
    const bool is_dcp = op.op == OpKind::write_loc_dcp;
    if (plan.spec.write == LaunchForm::fused) {
        emit_fused(views, to, is_dcp, out);
        return;
    }
    const Elementwise each(to.count, out);
    if (is_dcp) {
        emit_eager_dcp(views, to, each);
        return;
    }
    const bool has_tail = plan.spec.attention_backend == AttentionBackend::triton
                          && op.pool == StateKind::full && !plan.micro_op;
    auto* const result = has_tail ? views.at<std::int64_t>(BufferId::scratch_d) : to.out;
    emit_eager(views, to, to.loc, result, each);
}

} // namespace kvprof::workload
