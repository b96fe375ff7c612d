#pragma once

#include "capture/workload/contents.h"
#include "capture/workload/scheduler.h"

#include <cstdint>
#include <optional>

namespace kvprof::workload {

/// Everything an executor does for a plan, as launches over its own buffers. Two executors that run
/// the same number of steps from the same state hold the same ids. Keeps a reference to `plan`.
class StepProgram {
  public:
    StepProgram(const StepPlan& plan, const BufferTable& buffers, const InitialState& state);
    StepProgram(const StepProgram&) = delete;
    StepProgram& operator=(const StepProgram&) = delete;

    /// Launches before the first step: the lanes' K and V contents, or the inputs of an op that
    /// runs alone.
    [[nodiscard]] const Commands& setup() const { return setup_; }

    /// Nodes of the graph, the same in every step.
    [[nodiscard]] const Commands& captured() const { return captured_; }

    /// Launches of the next step before its replay. Without churn always the same, but for a
    /// compaction, which every second step takes back.
    [[nodiscard]] const Commands& next_step();

    /// Launches that restore what a replay consumed (an op that frees pages and runs alone); they
    /// belong outside any clock.
    [[nodiscard]] const Commands& restore() const { return restore_; }

  private:
    void lower_fixed_ops();
    void lower_setup();
    void lower_inputs_of(OpKind op);
    void lower_restore_of(OpKind op);

    BufferTable buffers_;
    Views views_;
    Commands setup_;
    Commands fixed_;     ///< out-of-graph launches that every step repeats
    Commands alternate_; ///< those of every second step; empty when all steps are alike
    Commands captured_;
    Commands restore_;
    Commands turn_;
    std::optional<Scheduler> scheduler_;
    bool is_second_ = false; ///< the next step takes the alternate launches
};

/// What the steps of one cycle of lengths and owners issue, in and out of the graph.
struct StepCounts {
    std::int64_t steps = 1;  ///< of the cycle; 1 without churn
    std::vector<OpStat> ops; ///< summed over the cycle, in order of first appearance
    std::int64_t graph_nodes = 0;
};

/// Counts the second cycle: in the first, freed pages have not come back yet. The counts follow
/// from the plan alone, so that every run of it has the same.
[[nodiscard]] StepCounts count_steps(const StepPlan& plan, const InitialState& state);

} // namespace kvprof::workload
