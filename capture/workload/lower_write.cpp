#include "capture/workload/lower.h"
#include "capture/workload/plan_ops.h"

namespace kvprof::workload {

namespace {

using namespace kernels; // the structs of kernels/calls.h fill this file

/// Where a translate reads, and where its result goes.
struct Translate {
    const std::int64_t* loc = nullptr;
    std::int64_t* out = nullptr;
    std::int64_t* eager_out = nullptr; ///< of the unfused form
    std::int64_t count = 0;
    std::int64_t out_count = 0;
    V2p v2p;
    std::int64_t mult = 1;
};

Translate translate_of(const Views& views, const PlannedOp& op) {
    const StepPlan& plan = views.plan;
    Translate to{
        .loc = views.at<std::int64_t>(BufferId::loc),
        .out = views.at<std::int64_t>(BufferId::write_loc),
        .count = op.placement == Placement::in ? plan.bucket : plan.spec.batch,
        .v2p = plan.is_unified() ? views.v2p(StateKind::full) : V2p{},
        .mult = plan.full.mult,
    };
    to.out_count = plan.micro_op ? to.count : plan.bucket; // a captured tail is zeroed with it
    if (has_op(plan, OpKind::write_loc_tail)) {
        to.eager_out = views.at<std::int64_t>(BufferId::scratch_d); // the tail's launches copy it
    } else {
        to.eager_out = to.out;
    }
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

/// The owner test around the translate: 6 launches more, and all there is on a static pool, whose
/// local ids are physical. Uses all four scratch buffers.
void emit_eager_dcp(const Views& views, const Translate& to, const Elementwise& each) {
    const StepSpec& spec = views.plan.spec;
    auto* const owned = views.at<std::int64_t>(BufferId::scratch_c);
    auto* const local = views.at<std::int64_t>(BufferId::scratch_d);
    auto* const translated = views.at<std::int64_t>(BufferId::scratch_a);
    auto* const zeros = views.at<std::int64_t>(BufferId::scratch_b);
    each.map(MapOp::remainder, to.loc, spec.dcp, owned);
    each.map(MapOp::equal, owned, spec.dcp_rank, owned);
    each.map(MapOp::floor_div, to.loc, spec.dcp, local);
    const auto* ids = local;
    if (views.plan.is_unified()) {
        emit_eager(views, to, local, translated, each);
        ids = translated;
    }
    each.map(MapOp::fill, nullptr, 0, zeros);
    each.select(owned, ids, zeros, translated);
    each.map(MapOp::copy, translated, 0, to.eager_out);
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

} // namespace

/// The capture-stable buffer of a backend that has one: clear it, then copy this step's ids in.
void emit_write_loc_tail(const Views& views, const PlannedOp& op, Emitter& out) {
    const Translate to = translate_of(views, op);
    const Elementwise whole(views.plan.step_tokens, out);
    whole.map(MapOp::fill, nullptr, 0, to.out);
    const Elementwise live(to.count, out);
    live.map(MapOp::copy, to.eager_out, 0, to.out);
}

void emit_write_loc(const Views& views, const PlannedOp& op, Emitter& out) {
    const Translate to = translate_of(views, op);
    const bool is_dcp = op.op == OpKind::write_loc_dcp;
    if (views.plan.spec.write == LaunchForm::fused) {
        emit_fused(views, to, is_dcp, out);
        return;
    }
    const Elementwise each(to.count, out);
    if (is_dcp) {
        emit_eager_dcp(views, to, each);
    } else {
        emit_eager(views, to, to.loc, to.eager_out, each);
    }
}

} // namespace kvprof::workload
