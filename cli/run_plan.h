#pragma once

#include "capture/experiment/design.h"
#include "cli/commands.h"

#include <optional>
#include <string>
#include <vector>

namespace kvprof::cli {

/// What `kvprof run` is going to do: cells, their order, and the cells that can not be measured.
struct RunPlan {
    std::vector<experiment::Cell> cells;
    std::vector<std::optional<std::string>> impossible; ///< by cell: why, where options do not fit
    std::vector<experiment::Slot> order;
};

/// Lays out the matrix and checks every cell. @throws UsageError when no cell can be measured.
[[nodiscard]] RunPlan plan_runs(const RunOptions& options);

/// The result of --dry-run.
[[nodiscard]] std::string plan_text(const RunPlan& plan);
[[nodiscard]] std::string plan_json(const RunPlan& plan);

} // namespace kvprof::cli
