#pragma once

#include "capture/experiment/design.h"
#include "capture/model/units.h"

#include <string>
#include <vector>

namespace kvprof::experiment {

/// The systems of a matrix. A name is that of a built-in, or a TOML file.
struct SystemAxes {
    std::vector<std::string> presets;
    std::vector<std::string> backends;
    std::vector<PoolKind> pools;
    std::vector<HistoryStage> stages; ///< of the unified pool; a static one has one row

    friend bool operator==(const SystemAxes&, const SystemAxes&) = default;
};

/// Every built-in preset but the tiny ones, every backend, both pools, all stages.
[[nodiscard]] SystemAxes all_systems();

/// One cell a preset, backend, pool and stage, in that order of nesting. A page size that the
/// backend does not take gives way to the smallest that it takes, with a note. A combination that
/// can not be planned is a cell all the same: whoever checks cells says why.
/// @throws UsageError for a preset or a backend that can not be loaded.
[[nodiscard]] std::vector<Cell>
cells_of_systems(const StepSpec& base, const MeasureSpec& measure, const SystemAxes& axes);

/// Halves the batch of all cells of a preset and backend until the buffers of each fit into
/// `memory`, so that its rows stay comparable, and notes it. Cells that can not be planned are
/// left alone; so are those that do not fit with one lane, whose `too_large` says by how much.
void fit_into(Bytes memory, std::vector<Cell>& cells);

/// Cells whose buffers take more than `memory` get a `too_large` that says by how much.
void refuse_beyond(Bytes memory, std::vector<Cell>& cells);

} // namespace kvprof::experiment
