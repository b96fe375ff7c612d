#include "capture/workload/step_program.h"

#include "capture/workload/lanes.h"
#include "capture/workload/launch_edges.h"
#include "capture/workload/plan_buffers.h"
#include "capture/workload/plan_ops.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kvprof::workload {

StepProgram::StepProgram(
    const StepPlan& plan, const BufferTable& buffers, const InitialState& state
)
    : buffers_(buffers),
      views_{plan, buffers_} {
    lower_fixed_ops();
    lower_setup();
    if (plan.spec.churn > 0.0 && !plan.micro_op) {
        scheduler_.emplace(views_, state);
    }
    if (plan.micro_op) {
        lower_restore_of(*plan.micro_op);
    }
    for (Commands* const commands : {&fixed_, &alternate_, &captured_}) {
        apply_launch_edges(plan.spec.launch_edges, *commands);
    }
}

void StepProgram::lower_fixed_ops() {
    const StepPlan& plan = views_.plan;
    for (const PlannedOp& op : plan.ops) {
        for (std::int64_t launch = 0; launch < plan.op_launches; ++launch) {
            lower_op(views_, op, launch, op.placement == Placement::in ? captured_ : fixed_);
        }
    }
    if (plan.micro_op || plan.spec.compact_pages == 0) {
        return;
    }
    for (const PlannedOp& op : plan.ops) {
        if (op.placement == Placement::out) {
            lower_op(views_, op, 1, alternate_);
        }
    }
}

void StepProgram::lower_setup() {
    const StepPlan& plan = views_.plan;
    if (plan.micro_op) {
        lower_inputs_of(*plan.micro_op);
        return;
    }
    // Under churn the first step appends a token, so the newest one so far is part of the past.
    const auto* const first_step = views_.at<std::int64_t>(BufferId::phase_lens) + plan.bucket;
    const FillLanes all{0, plan.spec.batch, plan.phases > 1 ? first_step : views_.kv_lens()};
    Emitter full(setup_, OpKind::prefill, Stage::scheduler, Placement::out);
    emit_fill(views_, StateKind::full, all, full);
    if (plan.swa) {
        emit_fill(views_, StateKind::swa, all, full);
    }
    if (has_op(plan, OpKind::state_read)) {
        emit_state_fill(views_, 0, plan.spec.batch, full);
    }
}

/// What the step would have computed before an op that runs alone.
void StepProgram::lower_inputs_of(OpKind op) {
    constexpr std::array kStreams{
        OpKind::token_stream,
        OpKind::repack,
        OpKind::static_gather,
        OpKind::table_and_stream,
        OpKind::dcp_stream};
    const PlannedOp alone{.op = op, .stage = Stage::metadata, .placement = Placement::out};
    if (op == OpKind::swa_write_loc && views_.plan.is_unified()) {
        Emitter out(setup_, OpKind::write_loc, Stage::write, Placement::out);
        emit_write_loc(views_, alone, out); // its eager form starts from the full pool's ids
    }
    const bool has_local_lens = op == OpKind::dcp_stream && views_.plan.is_dcp();
    if (has_local_lens) {
        Emitter out(setup_, OpKind::len_cast, Stage::metadata, Placement::out);
        emit_len_cast(views_, out);
    }
    if (std::ranges::find(kStreams, op) != kStreams.end()) {
        Emitter out(setup_, OpKind::indptr, Stage::metadata, Placement::out);
        emit_row_starts(views_, StateKind::full, out);
    }
    if (op == OpKind::repack) {
        Emitter out(setup_, OpKind::page_table, Stage::metadata, Placement::out);
        emit_page_table(views_, alone, out);
    }
}

/// Pages that a free took are bound again, and those that an odd number of compactions moved go
/// back.
void StepProgram::lower_restore_of(OpKind op) {
    const StepPlan& plan = views_.plan;
    if (op == OpKind::free_unbind || op == OpKind::lazy_free) {
        Emitter out(restore_, OpKind::bind, Stage::scheduler, Placement::out);
        const auto* const vpages = views_.at<std::int64_t>(BufferId::vpages);
        const auto* const ppages = views_.at<std::int64_t>(BufferId::ppages);
        const std::int64_t count = plan.spec.batch * plan.op_launches;
        const Tables tables = tables_of(views_, StateKind::full);
        out.add(kernels::BindCall{vpages, ppages, count, tables.v2p, tables.p2v});
    }
    if (op == OpKind::compaction_move && plan.op_launches % 2 != 0) {
        Emitter out(restore_, op, Stage::scheduler, Placement::out);
        emit_compaction(views_, 1, out);
    }
}

const Commands& StepProgram::next_step() {
    if (!scheduler_) {
        const bool alternates = std::exchange(is_second_, !is_second_) && !alternate_.empty();
        return alternates ? alternate_ : fixed_;
    }
    turn_.clear();
    scheduler_->next_turn(turn_);
    apply_launch_edges(views_.plan.spec.launch_edges, turn_);
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
    StepProgram program(plan, imagined_places(plan), state);
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
