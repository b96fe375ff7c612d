#include "capture/workload/plan_ops.h"

#include "capture/model/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace kvprof::workload {

namespace {

/// Appends ops of one stage at one placement.
class Stager {
  public:
    Stager(std::vector<PlannedOp>& ops, Stage stage, Placement placement)
        : ops_(ops),
          stage_(stage),
          placement_(placement) {}

    void add(OpKind op, StateKind pool = StateKind::full) {
        ops_.push_back({.op = op, .stage = stage_, .placement = placement_, .pool = pool});
    }

  private:
    std::vector<PlannedOp>& ops_;
    Stage stage_;
    Placement placement_;
};

void add_write(const StepPlan& plan, std::vector<PlannedOp>& ops) {
    if (!plan.is_unified()) {
        return; // ids are physical: the graph's write locations are a copy of the scheduler's
    }
    Stager stage(ops, Stage::write, plan.spec.placement);
    stage.add(OpKind::write_loc);
    const bool is_capture_stable = plan.spec.attention_backend == AttentionBackend::triton;
    if (is_capture_stable && plan.spec.write == LaunchForm::eager) {
        stage.add(OpKind::write_loc_tail);
    }
    if (plan.swa) {
        stage.add(OpKind::write_loc, StateKind::swa);
    }
}

void add_read_index(const StepPlan& plan, Stager& stage) {
    switch (plan.spec.index_mode) {
    case IndexMode::rectangle:
        if (plan.is_unified()) {
            stage.add(OpKind::page_table);
            stage.add(OpKind::repack);
        } else {
            stage.add(OpKind::static_block_table); // read in place: nothing to translate or pack
        }
        break;
    case IndexMode::stream:
        stage.add(plan.is_unified() ? OpKind::token_stream : OpKind::static_gather);
        break;
    }
}

void add_metadata(const StepPlan& plan, std::vector<PlannedOp>& ops) {
    Stager stage(ops, Stage::metadata, plan.spec.placement);
    if (plan.has_len_cast()) {
        stage.add(OpKind::len_cast);
    }
    stage.add(OpKind::indptr);
    if (plan.spec.attention_backend == AttentionBackend::triton) {
        stage.add(OpKind::kv_splits);
    }
    add_read_index(plan, stage);
    if (plan.swa) {
        stage.add(OpKind::window_stream, StateKind::swa);
        if (plan.spec.attention_backend == AttentionBackend::triton) {
            stage.add(OpKind::kv_splits, StateKind::swa);
        }
    }
}

void add_model(const StepPlan& plan, std::vector<PlannedOp>& ops) {
    Stager stage(ops, Stage::model, Placement::in);
    stage.add(OpKind::kv_write);
    stage.add(OpKind::attention);
    if (plan.swa) {
        stage.add(OpKind::kv_write, StateKind::swa);
        stage.add(OpKind::attention, StateKind::swa);
    }
}

} // namespace

bool can_run_alone(OpKind op) {
    switch (op) {
    case OpKind::page_table:
    case OpKind::repack:
    case OpKind::token_stream:
    case OpKind::indptr:
    case OpKind::static_gather:
    case OpKind::static_block_table:
    case OpKind::write_loc:
    case OpKind::write_loc_dcp:
    case OpKind::alloc_bind:
    case OpKind::bind:
    case OpKind::free_unbind:
    case OpKind::lazy_free:
    case OpKind::alloc_decode:
    case OpKind::append: return true;
    case OpKind::window_stream: // needs a window of its own; measured in the step
    case OpKind::zero_pages:
    case OpKind::write_loc_tail:
    case OpKind::len_cast:
    case OpKind::kv_splits:
    case OpKind::freed_pages:
    case OpKind::fresh_ids:
    case OpKind::prefill:
    case OpKind::lane_inputs:
    case OpKind::kv_write:
    case OpKind::attention: return false;
    }
    return false;
}

bool works_on_pages(OpKind op) {
    constexpr std::array kPageOps{
        OpKind::alloc_bind,
        OpKind::bind,
        OpKind::free_unbind,
        OpKind::lazy_free,
        OpKind::alloc_decode};
    return std::find(kPageOps.begin(), kPageOps.end(), op) != kPageOps.end();
}

std::string ops_that_run_alone() {
    std::string list;
    for (const auto& [op, name] : EnumNames<OpKind>::values) {
        if (can_run_alone(op)) {
            list += list.empty() ? "" : ", ";
            list += name;
        }
    }
    return list;
}

namespace {

std::vector<PlannedOp> ops_of(const StepPlan& plan) {
    std::vector<PlannedOp> ops;
    if (plan.micro_op) {
        Stager(ops, Stage::metadata, Placement::in).add(*plan.micro_op);
        return ops;
    }
    Stager(ops, Stage::inputs, Placement::out).add(OpKind::lane_inputs);
    add_write(plan, ops);
    add_metadata(plan, ops);
    add_model(plan, ops);
    return ops;
}

/// A delay that no op takes would be stored as if it had been there.
void check_delay(const StepSpec& spec, const std::vector<PlannedOp>& ops) {
    if (spec.delay_op.empty() && spec.delay_us <= 0.0) {
        return;
    }
    constexpr double kShortestUs = 0.001; // the clock of a delay counts nanoseconds
    if (spec.delay_op.empty() || spec.delay_us < kShortestUs) {
        throw UsageError(
            fmt::format(
                "could not plan the step: --delay-op \"{}\" with --delay-us {}",
                spec.delay_op,
                spec.delay_us
            ),
            "a delay needs both: the op, and at least 0.001 microseconds"
        );
    }
    std::vector<std::string_view> names;
    for (const PlannedOp& op : ops) {
        names.push_back(to_string(op.op));
    }
    if (std::find(names.begin(), names.end(), spec.delay_op) == names.end()) {
        throw UsageError(
            fmt::format("could not plan the step: --delay-op {} is no op of it", spec.delay_op),
            fmt::format("it has {}", fmt::join(names, ", "))
        );
    }
}

} // namespace

std::vector<PlannedOp> plan_ops(const StepPlan& plan) {
    std::vector<PlannedOp> ops = ops_of(plan);
    check_delay(plan.spec, ops);
    return ops;
}

} // namespace kvprof::workload
