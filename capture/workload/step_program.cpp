#include "capture/workload/step_program.h"

#include "capture/workload/lanes.h"

#include <algorithm>

namespace kvprof::workload {

StepProgram::StepProgram(
    const StepPlan& plan, const BufferTable& buffers, const InitialState& state
)
    : buffers_(buffers),
      views_{plan, buffers_} {
    lower_fixed_ops(views_);
    if (plan.spec.churn > 0.0 && !plan.micro_op) {
        scheduler_.emplace(views_, state);
    }
    if (plan.micro_op == OpKind::free_unbind || plan.micro_op == OpKind::lazy_free) {
        Emitter out(restore_, OpKind::bind, Stage::scheduler, Placement::out);
        const PageSpan pages{
            views_.at<std::int64_t>(BufferId::vpages),
            views_.at<std::int64_t>(BufferId::ppages),
            plan.spec.batch * plan.op_launches,
        };
        const Tables tables = tables_of(views_, StateKind::full);
        out.add(kernels::BindCall{pages.vpages, pages.ppages, pages.count, tables.v2p, tables.p2v});
    }
}

void StepProgram::lower_fixed_ops(const Views& views) {
    const StepPlan& plan = views.plan;
    for (const PlannedOp& op : plan.ops) {
        for (std::int64_t launch = 0; launch < plan.op_launches; ++launch) {
            lower_op(views, op, launch, op.placement == Placement::in ? captured_ : fixed_);
        }
    }
    if (plan.micro_op) {
        lower_inputs_of(*plan.micro_op);
        return;
    }
    // Under churn the first step appends a token, so the newest one so far is part of the past.
    const auto* const first_step = views.at<std::int64_t>(BufferId::phase_lens) + plan.bucket;
    const FillLanes all{0, plan.spec.batch, plan.phases > 1 ? first_step : views.kv_lens()};
    Emitter full(setup_, OpKind::prefill, Stage::scheduler, Placement::out);
    emit_fill(views, StateKind::full, all, full);
    if (plan.swa) {
        emit_fill(views, StateKind::swa, all, full);
    }
}

/// What the step would have computed before an op that runs alone.
void StepProgram::lower_inputs_of(OpKind op) {
    const bool is_stream =
        op == OpKind::token_stream || op == OpKind::repack || op == OpKind::static_gather;
    if (is_stream) {
        Emitter out(setup_, OpKind::indptr, Stage::metadata, Placement::out);
        emit_row_starts(views_, StateKind::full, out);
    }
    if (op == OpKind::repack) {
        Emitter out(setup_, OpKind::page_table, Stage::metadata, Placement::out);
        emit_page_table(views_, StateKind::full, out);
    }
}

const Commands& StepProgram::next_step() {
    if (!scheduler_) {
        return fixed_;
    }
    turn_.clear();
    scheduler_->next_turn(turn_);
    turn_.insert(turn_.end(), fixed_.begin(), fixed_.end());
    return turn_;
}

namespace {

void count(const Commands& commands, std::vector<OpStat>& stats) {
    for (const Command& command : commands) {
        auto same = std::find_if(stats.begin(), stats.end(), [&](const OpStat& stat) {
            return stat.op == command.op && stat.stage == command.stage
                   && stat.placement == command.placement;
        });
        if (same == stats.end()) {
            stats.push_back(
                {.op = command.op, .stage = command.stage, .placement = command.placement}
            );
            same = stats.end() - 1;
        }
        if (std::holds_alternative<CopyMemory>(command.action)) {
            ++same->copies;
        } else {
            ++same->launches;
        }
    }
}

} // namespace

StepCounts count_steps(const StepPlan& plan, const InitialState& state) {
    const BufferTable nowhere; // the commands are counted, never run
    StepProgram program(plan, nowhere, state);
    StepCounts counts;
    counts.steps = steps_in_cycle(plan);
    for (std::int64_t step = 0; step < counts.steps; ++step) {
        static_cast<void>(program.next_step()); // the first cycle leaves the holes of the rest
    }
    for (std::int64_t step = 0; step < counts.steps; ++step) {
        count(program.next_step(), counts.ops);
        count(program.captured(), counts.ops);
    }
    counts.graph_nodes = static_cast<std::int64_t>(program.captured().size());
    return counts;
}

} // namespace kvprof::workload
