#include "capture/workload/scheduler.h"

#include "capture/workload/lanes.h"
#include "capture/workload/window_math.h"
#include "kernels/id_math.h"

#include <algorithm>

namespace kvprof::workload {

Emitter scheduler_op(Commands& out, OpKind op) {
    return Emitter(out, op, Stage::scheduler, Placement::out);
}

Scheduler::Scheduler(const Views& views, const InitialState& state)
    : views_(views),
      full_(full_pool(views, state)),
      swa_(window_pool(views, state)),
      state_(state_pool(views, state)) {}

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
    if (plan.swa) {
        leave_windows(out); // first, so that their pages serve this step's tokens
    }
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
    }
    prefill(lane, out);
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
    if (plan.swa) {
        // The pages before have left the window already.
        const std::int64_t first = first_window_page(plan, length);
        auto* const ppages = views_.at<std::int64_t>(BufferId::swa_ppages);
        free_windows({pages.vpages + first, ppages, count - first}, out);
    }
    free_pages(full_, pages, out);
}

void Scheduler::release_state(std::int64_t lane, Commands& out) {
    const PageSpan slot{
        views_.at<std::int64_t>(BufferId::state_vpage) + lane,
        views_.at<std::int64_t>(BufferId::state_ppage),
        1};
    free_pages(state_, slot, out);
}

void Scheduler::give_state(std::int64_t lane, Commands& out) {
    const std::int64_t* const slot = take_pages(state_, 1, out);
    scheduler_op(out, OpKind::lane_inputs)
        .add(CopyMemory{views_.at<std::int64_t>(BufferId::state_vpage) + lane, slot, 8});
    scheduler_op(out, OpKind::fresh_ids)
        .add(kernels::MapCall{
            .op = kernels::MapOp::copy,
            .a = {slot},
            .out =
                {views_.at<std::int32_t>(BufferId::req_to_state) + lane + 1,
                 kernels::IndexType::i32},
            .cols = 1,
        });
}

void Scheduler::give_prompt(std::int64_t lane, std::int64_t tokens, Commands& out) {
    const StepPlan& plan = views_.plan;
    const std::int64_t ps = plan.spec.page_size;
    const std::int64_t count = kernels::pages_of(tokens, ps);
    std::int64_t* const vpages = take_pages(full_, count, out);
    if (plan.swa) {
        // What the window will not cover when the step has added its token is never bound there.
        const std::int64_t first = std::min(first_window_page(plan, tokens + 1), count);
        bind_windows(vpages + first, count - first, out);
    }
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

/// The new request's prompt comes with its K and V and its state; only the newest token is left to
/// the step.
void Scheduler::prefill(std::int64_t lane, Commands& out) {
    const StepPlan& plan = views_.plan;
    Emitter fill = scheduler_op(out, OpKind::prefill);
    if (length_in_phase(plan, lane, phase_) > 1) {
        emit_fill(views_, StateKind::full, {lane, 1, lens_of(phase_)}, fill);
        if (plan.swa) {
            emit_fill(views_, StateKind::swa, {lane, 1, lens_of(phase_)}, fill);
        }
    }
    if (plan.state) {
        emit_state_fill(views_, lane, 1, fill);
    }
}

void Scheduler::append_tokens(Commands& out) {
    const StepPlan& plan = views_.plan;
    const std::int64_t* const lens = lens_of(phase_);
    auto* const loc = views_.at<std::int64_t>(BufferId::loc);
    const std::int64_t ps = plan.spec.page_size;
    std::int64_t opened = 0;
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        opened += kernels::opens_page(length_in_phase(plan, lane, phase_), ps) ? 1 : 0;
    }
    std::int64_t* const pages = opened > 0 ? take_pages(full_, opened, out) : nullptr;
    if (plan.swa) {
        bind_windows(pages, opened, out);
    }
    if (ps == 1) { // every token opens a page, whose id is the token's
        scheduler_op(out, OpKind::lane_inputs).add(CopyMemory{loc, pages, plan.spec.batch * 8});
    } else {
        Emitter alloc = scheduler_op(out, OpKind::alloc_decode);
        emit_alloc_decode(views_, lens, pages, loc, alloc);
    }
    Emitter append = scheduler_op(out, OpKind::append);
    emit_append(views_, lens, append);
}

} // namespace kvprof::workload
