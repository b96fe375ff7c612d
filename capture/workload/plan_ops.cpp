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

    void add(OpKind op, StateKind pool = StateKind::full, std::int64_t reader = 0) {
        ops_.push_back(
            {.op = op, .stage = stage_, .placement = placement_, .pool = pool, .reader = reader}
        );
    }

  private:
    std::vector<PlannedOp>& ops_;
    Stage stage_;
    Placement placement_;
};

/// What fills a consumer's form after the first one's is there.
void add_further_readers(const StepPlan& plan, OpKind own, Stager& stage) {
    const OpKind op = plan.spec.share == Share::plan ? OpKind::stream_copy : own;
    for (std::int64_t reader = 1; reader < plan.spec.consumers; ++reader) {
        stage.add(op, StateKind::full, reader);
    }
}

void add_everywhere(const StepPlan& plan, OpKind op, Stager& stage) {
    stage.add(op);
    if (plan.swa) {
        stage.add(op, StateKind::swa);
    }
}

/// The metadata's own launches.
class MetadataStage {
  public:
    MetadataStage(const StepPlan& plan, std::vector<PlannedOp>& ops)
        : plan_(plan),
          stage_(ops, Stage::metadata, plan.spec.placement) {}

    void add_all() {
        if (plan_.fuses_metadata()) {
            add_fused();
            return;
        }
        const auto& ops = plan_.backend.ops_of(plan_.spec.metadata);
        if (plan_.has_len_cast() && !has(MetadataOp::len_cast) && !fills_lens()) {
            stage_.add(OpKind::len_cast);
        }
        if (copies_rectangle()) {
            add_index(); // there is something to copy
        }
        for (const MetadataOp op : ops) {
            add(op);
        }
        if (plan_.swa && !plan_.reads_block_table()) {
            stage_.add(OpKind::window_stream, StateKind::swa);
            add_window_splits();
        }
        add_state_slots();
    }

  private:
    /// What no launch has to come before, and then what reads lengths and row starts.
    void add_fused() {
        stage_.add(OpKind::fused_metadata);
        add_further_readers(plan_, OpKind::token_stream, stage_);
        if (has(MetadataOp::kv_splits)) {
            stage_.add(OpKind::kv_splits);
        }
        if (plan_.swa) {
            add_window_splits();
        }
        add_state_slots();
    }

    void add_window_splits() {
        if (has(MetadataOp::kv_splits)) {
            stage_.add(OpKind::kv_splits, StateKind::swa);
        }
    }

    void add_state_slots() {
        if (plan_.state) {
            stage_.add(OpKind::state_slots);
        }
    }

    [[nodiscard]] bool has(MetadataOp op) const {
        return plan_.backend.launches(op, plan_.spec.metadata);
    }

    /// One launch computes lengths, and on a static pool the tables.
    [[nodiscard]] bool fills_lens() const {
        return has(MetadataOp::fa_metadata) || has(MetadataOp::trtllm_metadata);
    }

    [[nodiscard]] bool copies_rectangle() const {
        return plan_.has_rectangle() && has(MetadataOp::fa_metadata);
    }

    void add(MetadataOp op) {
        switch (op) {
        case MetadataOp::len_cast: stage_.add(OpKind::len_cast); break;
        case MetadataOp::indptr:
            stage_.add(plan_.verifies() ? OpKind::verify_csr : OpKind::indptr);
            break;
        case MetadataOp::kv_splits: stage_.add(OpKind::kv_splits); break;
        case MetadataOp::fa_metadata: stage_.add(OpKind::fa_metadata); break;
        case MetadataOp::trtllm_metadata: stage_.add(OpKind::trtllm_metadata); break;
        case MetadataOp::index:
            if (!copies_rectangle()) {
                add_index();
            }
            break;
        }
    }

    void add_index() {
        if (plan_.backend.reads == ReadForm::table) {
            add_tables();
        } else {
            add_streams();
        }
    }

    void add_tables() {
        const OpKind op = plan_.is_unified() ? OpKind::page_table : OpKind::static_block_table;
        const bool is_filled = !plan_.is_unified() && fills_lens();
        if (!is_filled) {
            add_everywhere(plan_, op, stage_);
        }
        add_further_readers(plan_, op, stage_);
    }

    void add_streams() {
        if (plan_.is_dcp()) {
            stage_.add(OpKind::dcp_stream); // a rectangle is held, and reads go past it
            return;
        }
        switch (plan_.spec.index_mode) {
        case IndexMode::rectangle:
            if (!plan_.is_unified()) {
                add_everywhere(plan_, OpKind::static_block_table, stage_); // read in place
                return;
            }
            stage_.add(OpKind::page_table);
            stage_.add(OpKind::repack);
            add_further_readers(plan_, OpKind::repack, stage_);
            return;
        case IndexMode::both:
            stage_.add(OpKind::table_and_stream);
            add_further_readers(plan_, OpKind::repack, stage_);
            return;
        case IndexMode::automatic:
        case IndexMode::stream:
        case IndexMode::table: break;
        }
        const OpKind op = plan_.is_unified() ? OpKind::token_stream : OpKind::static_gather;
        stage_.add(op);
        add_further_readers(plan_, op, stage_);
    }

    const StepPlan& plan_;
    Stager stage_;
};

void add_write(const StepPlan& plan, std::vector<PlannedOp>& ops) {
    if (plan.fuses_metadata()) {
        return; // among what the one launch writes
    }
    Stager stage(ops, Stage::write, plan.spec.placement);
    if (plan.is_dcp()) {
        stage.add(OpKind::write_loc_dcp);
    } else if (plan.is_unified()) {
        stage.add(OpKind::write_loc);
    } // else ids are physical: the graph's write locations are a copy of the scheduler's
    const bool has_tail = plan.is_unified() && plan.backend.captures_write_loc;
    if (has_tail && plan.spec.write == LaunchForm::eager) {
        stage.add(OpKind::write_loc_tail);
    }
    // A static pool's are among what one metadata launch writes.
    const bool is_in_metadata =
        !plan.is_unified()
        && plan.backend.launches(MetadataOp::trtllm_metadata, plan.spec.metadata);
    if (plan.swa && !is_in_metadata) {
        stage.add(OpKind::swa_write_loc, StateKind::swa);
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
    if (plan.state) {
        stage.add(OpKind::state_read);
    }
}

} // namespace

bool has_op(const StepPlan& plan, OpKind op) {
    return std::ranges::any_of(plan.ops, [&](const PlannedOp& planned) {
        return planned.op == op;
    });
}

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
    case OpKind::append:
    case OpKind::fa_metadata:
    case OpKind::trtllm_metadata:
    case OpKind::dcp_stream:
    case OpKind::table_and_stream:
    case OpKind::fused_metadata:
    case OpKind::compaction_move:
    case OpKind::swa_write_loc:
    case OpKind::state_slots: return true;
    case OpKind::window_stream: // needs a window of its own; measured in the step
    case OpKind::verify_csr:    // needs drafts
    case OpKind::stream_copy:
    case OpKind::zero_pages:
    case OpKind::write_loc_tail:
    case OpKind::len_cast:
    case OpKind::kv_splits:
    case OpKind::full_to_swa:
    case OpKind::swa_free:
    case OpKind::state_read:
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
    if (plan.spec.compact_pages > 0) {
        Stager(ops, Stage::scheduler, Placement::out).add(OpKind::compaction_move);
    }
    Stager(ops, Stage::inputs, Placement::out).add(OpKind::lane_inputs);
    add_write(plan, ops);
    MetadataStage(plan, ops).add_all();
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
