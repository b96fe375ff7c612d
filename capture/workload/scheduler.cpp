#include "capture/workload/scheduler.h"

#include "capture/model/error.h"
#include "capture/workload/lanes.h"
#include "kernels/id_math.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kvprof::workload {

std::int64_t* PageList::take(std::int64_t count) {
    std::int64_t* const first = current_ + head_;
    head_ += count;
    count_ -= count;
    return first;
}

void PageList::append(const std::int64_t* pages, std::int64_t count, Emitter& out) {
    out.add(kernels::ConcatCall{current_ + head_, count_, pages, count, next_});
    std::swap(current_, next_);
    head_ = 0;
    count_ += count;
}

namespace {

Emitter scheduler_op(Commands& out, OpKind op) {
    return Emitter(out, op, Stage::scheduler, Placement::out);
}

} // namespace

Scheduler::Scheduler(const Views& views, const InitialState& state)
    : views_(views),
      full_{
          .kind = StateKind::full,
          .free =
              {views.at<std::int64_t>(BufferId::full_free),
               views.at<std::int64_t>(BufferId::full_free_next),
               state.free_pages},
          .holes =
              {views.at<std::int64_t>(BufferId::full_holes),
               views.at<std::int64_t>(BufferId::full_holes_next),
               0},
          .next_page = state.next_page,
          .grows_up = views.plan.full.grows_up,
          .limit =
              views.plan.full.grows_up ? views.plan.full.num_pages : views.plan.full.min_page - 1,
      },
      state_{
          .kind = StateKind::state,
          .free =
              {views.at<std::int64_t>(BufferId::state_free),
               views.at<std::int64_t>(BufferId::state_free_next),
               state.state_free},
          .holes =
              {views.at<std::int64_t>(BufferId::state_holes),
               views.at<std::int64_t>(BufferId::state_holes_next),
               0},
          .next_page = state.state_next,
          .grows_up = views.plan.state && views.plan.state->grows_up,
          .limit = !views.plan.state            ? 0
                   : views.plan.state->grows_up ? views.plan.state->num_slots
                                                : views.plan.state->min_slot - 1,
      } {}

const std::int64_t* Scheduler::lens_of(std::int64_t phase) const {
    return views_.at<std::int64_t>(BufferId::phase_lens) + phase * views_.plan.bucket;
}

void Scheduler::next_turn(Commands& out) {
    const StepPlan& plan = views_.plan;
    step_ = (step_ + 1) % steps_in_cycle(plan);
    phase_ = step_ % plan.phases;
    Emitter inputs(out, OpKind::lane_inputs, Stage::inputs, Placement::out);
    inputs.add(CopyMemory{
        views_.at<void>(BufferId::owners),
        views_.at<std::int64_t>(BufferId::step_owners) + step_ * plan.bucket,
        plan.bucket * 8});
    inputs.add(CopyMemory{views_.at<void>(BufferId::lens), lens_of(phase_), plan.bucket * 8});
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        if (is_replaced(plan, lane, phase_)) {
            replace(lane, out);
        }
    }
    append_tokens(out);
}

void Scheduler::replace(std::int64_t lane, Commands& out) {
    const StepPlan& plan = views_.plan;
    const std::int64_t last_phase = (phase_ + plan.phases - 1) % plan.phases;
    release_pages(lane, length_in_phase(plan, lane, last_phase), out);
    const std::int64_t prompt = length_in_phase(plan, lane, phase_) - 1;
    if (plan.state) {
        release_state(lane, out);
        give_state(lane, out);
    }
    if (prompt > 0) {
        give_prompt(lane, prompt, out);
        prefill(lane, out);
    }
}

void Scheduler::release_pages(std::int64_t lane, std::int64_t length, Commands& out) {
    const StepPlan& plan = views_.plan;
    const std::int64_t ps = plan.spec.page_size;
    const std::int64_t count = kernels::pages_of(length, ps);
    const auto* const row =
        views_.at<std::int32_t>(BufferId::req_to_token) + (lane + 1) * plan.req_columns;
    const PageSpan pages{
        views_.at<std::int64_t>(BufferId::vpages),
        views_.at<std::int64_t>(BufferId::ppages),
        count};
    // The first token of each page of the row names the page.
    scheduler_op(out, OpKind::freed_pages)
        .add(kernels::MapCall{
            .op = kernels::MapOp::floor_div,
            .a = {row, kernels::IndexType::i32, 0, ps},
            .scalar = ps,
            .out = {pages.vpages},
            .cols = count,
        });
    free_pages(full_, pages, out);
}

void Scheduler::release_state(std::int64_t lane, Commands& out) {
    const PageSpan slot{
        views_.at<std::int64_t>(BufferId::state_vpage) + lane,
        views_.at<std::int64_t>(BufferId::state_ppage),
        1};
    free_pages(state_, slot, out);
}

void Scheduler::free_pages(Pool& pool, const PageSpan& pages, Commands& out) {
    Emitter free = scheduler_op(out, OpKind::lazy_free);
    if (views_.plan.is_unified()) {
        emit_free_unbind(views_, tables_of(views_, pool.kind), pages, free);
    }
    pool.free.append(pages.vpages, pages.count, free);
    if (views_.plan.is_unified()) {
        pool.holes.append(pages.ppages, pages.count, free);
    }
}

std::int64_t* Scheduler::take_pages(Pool& pool, std::int64_t count, Commands& out) {
    if (pool.free.count() < count) {
        throw UnavailableError(
            fmt::format(
                "could not allocate {} {} pages: {} are free",
                count,
                to_string(pool.kind),
                pool.free.count()
            ),
            "raise --pool-tokens"
        );
    }
    std::int64_t* const vpages = pool.free.take(count);
    if (views_.plan.is_unified()) {
        bind_pages(pool, vpages, count, out);
    }
    return vpages;
}

/// Holes first, then a run past the watermark.
void Scheduler::bind_pages(Pool& pool, std::int64_t* vpages, std::int64_t count, Commands& out) {
    const std::int64_t from_holes = std::min(pool.holes.count(), count);
    const bool is_full = pool.kind == StateKind::full;
    std::int64_t* ppages =
        views_.at<std::int64_t>(is_full ? BufferId::ppages : BufferId::state_ppage);
    if (from_holes > 0) {
        // A run is needed only when the holes are used up: its pages go behind them, so that the
        // whole allocation is one list.
        ppages = pool.holes.take(from_holes);
        Emitter bind = scheduler_op(out, OpKind::bind);
        emit_bind(views_, tables_of(views_, pool.kind), {vpages, ppages, from_holes}, bind);
    }
    if (const std::int64_t rest = count - from_holes; rest > 0) {
        extend(pool, {vpages + from_holes, ppages + from_holes, rest}, out);
    }
    // MLA kernels do arithmetic on rows past a lane's end, so fresh envelopes must be finite.
    if (is_full && views_.plan.full.is_mla) {
        scheduler_op(out, OpKind::zero_pages)
            .add(kernels::ZeroPagesCall{
                ppages, count, views_.at<std::uint8_t>(BufferId::kv), views_.plan.full.page_bytes});
    }
}

void Scheduler::extend(Pool& pool, const PageSpan& pages, Commands& out) {
    const std::int64_t room =
        pool.grows_up ? pool.limit - pool.next_page : pool.next_page - pool.limit;
    if (room < pages.count) {
        throw UnavailableError(
            fmt::format(
                "could not extend the {} pool by {} pages: {} are left",
                to_string(pool.kind),
                pages.count,
                room
            ),
            "raise --pool-tokens"
        );
    }
    const std::int64_t start = pool.grows_up ? pool.next_page : pool.next_page - pages.count + 1;
    pool.next_page += pool.grows_up ? pages.count : -pages.count;
    Emitter bind = scheduler_op(out, OpKind::alloc_bind);
    emit_alloc_bind(views_, tables_of(views_, pool.kind), pages, start, bind);
}

void Scheduler::give_state(std::int64_t lane, Commands& out) {
    const std::int64_t* const slot = take_pages(state_, 1, out);
    scheduler_op(out, OpKind::lane_inputs)
        .add(CopyMemory{views_.at<std::int64_t>(BufferId::state_vpage) + lane, slot, 8});
}

void Scheduler::give_prompt(std::int64_t lane, std::int64_t tokens, Commands& out) {
    const StepPlan& plan = views_.plan;
    const std::int64_t ps = plan.spec.page_size;
    const std::int64_t count = kernels::pages_of(tokens, ps);
    const std::int64_t* const vpages = take_pages(full_, count, out);
    auto* const row =
        views_.at<std::int32_t>(BufferId::req_to_token) + (lane + 1) * plan.req_columns;
    Emitter ids = scheduler_op(out, OpKind::fresh_ids);
    ids.add(kernels::MapCall{
        .op = kernels::MapOp::page_tokens,
        .a = {vpages, kernels::IndexType::i64, 1, 0},
        .scalar = ps,
        .out = {row, kernels::IndexType::i32},
        .out_row_stride = ps,
        .rows = count,
        .cols = ps,
    });
    ids.add(kernels::MapCall{
        .op = kernels::MapOp::copy,
        .a = {row + tokens - 1, kernels::IndexType::i32},
        .out = {views_.at<std::int64_t>(BufferId::loc) + lane},
        .cols = 1,
    });
}

/// The new request's prompt comes with its K and V; only the newest token is left to the step.
void Scheduler::prefill(std::int64_t lane, Commands& out) {
    Emitter fill = scheduler_op(out, OpKind::prefill);
    emit_fill(views_, StateKind::full, {lane, 1, lens_of(phase_)}, fill);
}

void Scheduler::append_tokens(Commands& out) {
    const StepPlan& plan = views_.plan;
    const std::int64_t* const lens = lens_of(phase_);
    auto* const loc = views_.at<std::int64_t>(BufferId::loc);
    const std::int64_t ps = plan.spec.page_size;
    if (ps == 1) {
        const std::int64_t* const pages = take_pages(full_, plan.spec.batch, out);
        scheduler_op(out, OpKind::lane_inputs).add(CopyMemory{loc, pages, plan.spec.batch * 8});
    } else {
        std::int64_t opened = 0;
        for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
            opened += kernels::opens_page(length_in_phase(plan, lane, phase_), ps) ? 1 : 0;
        }
        std::int64_t* const pages = opened > 0 ? take_pages(full_, opened, out) : nullptr;
        Emitter alloc = scheduler_op(out, OpKind::alloc_decode);
        emit_alloc_decode(views_, lens, pages, loc, alloc);
    }
    Emitter append = scheduler_op(out, OpKind::append);
    emit_append(views_, lens, append);
}

} // namespace kvprof::workload
