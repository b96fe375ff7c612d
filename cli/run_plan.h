#pragma once

#include "capture/experiment/design.h"
#include "cli/commands.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::cli {

/// What an experiment is going to do: cells, their order, and the cells that can not be measured.
struct RunPlan {
    ExperimentKind kind = ExperimentKind::matrix;
    /// Of an A/B experiment A and B of each case in turn: 2i and 2i + 1.
    std::vector<experiment::Cell> cells;
    std::vector<std::optional<std::string>> impossible; ///< by cell: why, where options do not fit
    std::vector<experiment::Slot> order;
    std::optional<AbDesign> ab;
    std::vector<std::string> cases;  ///< of an A/B experiment: "batch=8", empty when there is one
    std::vector<std::int64_t> looks; ///< runs a side after which it may end, in rising order
    std::int64_t replacements = 0;   ///< runs that may be measured again because they were void
};

/// Runs a side of `run --ab` without --runs: three blocks, the fewest for a paired test.
inline constexpr std::int64_t kRunsOfAb = 6;
/// Runs of `calibrate` without --runs.
inline constexpr std::int64_t kRunsOfCalibration = 12;

/// Lays out the matrix or the A/B experiment and checks every cell. @throws UsageError when no cell
/// can be measured, and of an A/B experiment when any can not.
[[nodiscard]] RunPlan plan_runs(const RunOptions& options);

/// The cells, A and B of each case, of an A/B experiment, and what it is about; no order yet.
[[nodiscard]] RunPlan plan_sides(const RunOptions& options);

/// @throws ComparabilityError when the pools of A and B hold different amounts: no verdict would
/// come of it, so nothing is measured.
void require_equal_pools(const RunOptions& options, const RunPlan& plan);

/// Draws or takes the seed and fills in the order of `plan_sides`.
void order_sides(const RunOptions& options, RunPlan& plan);

/// The points of a sweep, of two sides A and B of each in turn, and what these are about; no order
/// yet. @throws UsageError when a side sets what an axis moves, and of two sides that are alike.
[[nodiscard]] RunPlan plan_sweep(const RunOptions& options);

/// Fills in the order of `plan_sweep`: all points once per repeat, there and back, and of two sides
/// A B and B A by turns.
void order_points(const RunOptions& options, RunPlan& plan);

/// One side's cell of a case or a point.
[[nodiscard]] experiment::Cell
side_cell(const experiment::Cell& base, const experiment::OptionSet& side);

/// The fields in which the cells 2i and 2i + 1 differ for any i. A side may leave fields to be
/// decided, and then a case decides which.
[[nodiscard]] std::vector<std::string> treatment_of(const std::vector<experiment::Cell>& cells);

/// The result of --dry-run of a matrix.
[[nodiscard]] std::string plan_text(const RunPlan& plan);
/// kvprof.plan/1, of every kind
[[nodiscard]] std::string plan_json(const RunPlan& plan);

} // namespace kvprof::cli
